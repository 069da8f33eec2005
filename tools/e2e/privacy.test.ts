import { existsSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import {
  claudePayloads,
  createTempHome,
  peekDatabase,
  startWorker,
  waitUntilDrained,
  type TempHome,
} from '@claude-mem/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextFor, hookIn, playTurn } from './play-turn.js';

/** The secrets are assembled at run time, so that secret scanners do not report this file. */
const SECRETS = {
  password: 'S3cr3t-XYZ-441',
  bearer: 'tok-XYZ-99871',
  accessKey: `AKIA${'QWERTYUIOPASDFGH'}`,
  pemBody: 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj',
  tagged: 'zeta9quill',
  inMessage: 'omega7quill',
  nested: 'kappa5quill',
};

describe('privacy', () => {
  describe('after a session with secrets and private text', () => {
    let home: TempHome;
    let context: string;
    let exposed: readonly string[];

    beforeAll(async () => {
      home = await createTempHome({
        env: { CLAUDE_MEM_LOG_LEVEL: 'debug', CLAUDE_MEM_EMBEDDER: 'none' },
      });
      await using worker = await startWorker(home);
      const payloads = claudePayloads({ cwd: home.project });
      const fire = hookIn(home, home.project);
      await fire(
        'UserPromptSubmit',
        payloads.prompt(`<PRIVATE>${SECRETS.tagged}</Private> ok fix the heron`),
      );
      await fire(
        'PostToolUse',
        payloads.toolUse({
          name: 'Bash',
          input: {
            command: `export PGPASSWORD=${SECRETS.password}; curl -H "Authorization: Bearer ${SECRETS.bearer}" localhost`,
            description: { more: [`<private>${SECRETS.nested}</private>`] },
          },
          response: {
            stdout: `key ${SECRETS.accessKey}\n-----BEGIN PRIVATE KEY-----\n${SECRETS.pemBody}\n-----END PRIVATE KEY-----\n`,
            stderr: '',
          },
        }),
      );
      await fire('PostToolUse', payloads.toolUse());
      await fire('Stop', payloads.stop(`Fixed the heron. <private>${SECRETS.inMessage}</private>`));
      await waitUntilDrained(home);
      context = await contextFor(home, home.project);
      exposed = listExposedFiles(home.dataDir);
      await worker.kill();
    });
    afterAll(() => home[Symbol.asyncDispose]());

    it('B067 B068 B069: no file of the data directory and no context contains a secret or private text', () => {
      expect(context).toContain('heron');
      const found = Object.entries(SECRETS).filter(
        ([, secret]) => context.includes(secret) || filesHolding(home.dataDir, secret).length > 0,
      );
      expect(found).toEqual([]);
      using peek = peekDatabase(home);
      expect(peek.value('SELECT prompt_text FROM user_prompts')).toBe('ok fix the heron');
    });

    it('B071: only the owner can read the data directory, database, settings, logs and token', () => {
      expect(statSync(home.dataDir).mode & 0o777).toBe(0o700);
      expect(exposed).toEqual([]);
      expect(listExposedFiles(home.dataDir)).toEqual([]);
      expect(existsSync(path.join(home.dataDir, 'token'))).toBe(true);
    });
  });

  it('B067: no secret remains in the data directory when a hook finds no worker', async () => {
    await using home = await createTempHome({ env: { CLAUDE_MEM_EMBEDDER: 'none' } });
    // While a recent startup lock exists, no hook starts a worker.
    await mkdir(path.join(home.dataDir, 'starting'), { recursive: true });
    const payloads = claudePayloads({ cwd: home.project });
    const command = `export PGPASSWORD=${SECRETS.password}`;
    await hookIn(home, home.project)('PostToolUse', payloads.toolUse({ name: 'Bash', input: { command } }));
    for (const file of readdirSync(path.join(home.dataDir, 'spool'))) {
      expect(statSync(path.join(home.dataDir, 'spool', file)).mode & 0o077).toBe(0);
    }
    await using worker = await startWorker(home);
    await hookIn(home, home.project)('Stop', payloads.stop('Done with it.'));
    await waitUntilDrained(home);
    await worker.kill();
    expect(filesHolding(home.dataDir, SECRETS.password)).toEqual([]);
  });

  it('B072: an excluded project is not stored and receives no context, even through a link or from a subfolder', async () => {
    await using home = await createTempHome({
      env: { CLAUDE_MEM_EXCLUDED_PROJECTS: '~/secret/**', CLAUDE_MEM_EMBEDDER: 'none' },
    });
    await using _worker = await startWorker(home);
    const folder = path.join(realpathSync(home.home), 'secret', 'plans');
    const link = path.join(home.home, 'work', 'looks-harmless');
    await mkdir(path.join(folder, 'deep', 'inside'), { recursive: true });
    symlinkSync(folder, link);
    for (const cwd of [folder, path.join(folder, 'deep', 'inside'), link]) {
      await playTurn(home, { cwd, file: 'octopus.ts', message: 'Drew the octopus in octopus.ts.' });
      await hookIn(home, cwd)('SessionEnd', claudePayloads({ cwd }).sessionEnd());
      expect(await contextFor(home, cwd)).toBe('');
    }
    await waitUntilDrained(home);
    expect(rowsOf(home)).toEqual({ sdk_sessions: 0, user_prompts: 0, observations: 0, pending_messages: 0 });
    expect(filesHolding(home.dataDir, 'octopus')).toEqual([]);
  });

  it('B113: the default data directory is not created when another one is set', async () => {
    await using home = await createTempHome({ dataDir: path.join('elsewhere', 'memory') });
    await playTurn(home, { cwd: home.project });
    await waitUntilDrained(home);
    expect(existsSync(path.join(home.home, '.claude-mem'))).toBe(false);
    expect(existsSync(path.join(home.dataDir, 'claude-mem.db'))).toBe(true);
  });
});

function rowsOf(home: TempHome) {
  using peek = peekDatabase(home);
  const tables = ['sdk_sessions', 'user_prompts', 'observations', 'pending_messages'];
  return Object.fromEntries(tables.map((table) => [table, peek.value(`SELECT count(*) FROM ${table}`)]));
}

function filesHolding(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));
}

/** Lists the files that other users can read or write. */
function listExposedFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => (statSync(file).mode & 0o077) !== 0);
}
