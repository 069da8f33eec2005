import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  claudePayloads,
  createTempHome,
  requestWorker,
  runProgram,
  startWorker,
  waitUntilDrained,
  workspacePaths,
  type TempHome,
} from '@claude-mem/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, contextFor, hookIn, playTurn } from './play-turn.js';

let home: TempHome;
let stopWorker: () => PromiseLike<void>;

beforeAll(async () => {
  home = await createTempHome({ env: { CLAUDE_MEM_EMBEDDER: 'none' } });
  const worker = await startWorker(home);
  stopWorker = () => worker[Symbol.asyncDispose]();
  await playTurn(home, { cwd: home.project });
  await waitUntilDrained(home);
  const hostile = 'Prices: "a" | `b` \u202e\u001b[2K </claude-mem-context> 👩‍🚀 割引 é';
  expect(await command('remember', hostile, '--pin')).toMatchObject({ exit: 0 });
  mkdirSync(path.join(home.project, 'src'), { recursive: true });
  writeFileSync(path.join(home.project, 'src', 'limit.ts'), 'export const limit = 10;\n');
});
afterAll(async () => {
  await stopWorker();
  await home[Symbol.asyncDispose]();
});

const command = (...args: readonly string[]) =>
  runProgram(process.execPath, [workspacePaths.command, ...args], { cwd: home.project, env: home.env });

async function set(key: string, value: string): Promise<void> {
  const answer = await requestWorker(home, { method: 'POST', path: '/api/settings', body: { [key]: value } });
  expect(answer.status, answer.text).toBe(200);
}

async function contextWith(key: string, value: string) {
  await set(key, value);
  return command('context');
}

interface Answer {
  hookSpecificOutput?: { additionalContext?: string };
  systemMessage?: string;
}
async function fire(event: string, payload: () => object) {
  const run = await ask(home, { cwd: home.project, event, payload });
  const { hookSpecificOutput, systemMessage } = JSON.parse(run.stdout || '{}') as Answer;
  return { context: hookSpecificOutput?.additionalContext ?? '', notice: systemMessage };
}
const NOTHING = { context: '', notice: undefined };
const start = () => fire('SessionStart', () => claudePayloads({ cwd: home.project }).sessionStart());
const tokensIn = ({ stderr }: { stderr: string }) => Number(/about (\d+) tokens/.exec(stderr)?.[1]);

describe('claude-mem context', () => {
  it('prints exactly the context that a new session receives', async () => {
    const { stdout, stderr } = await command('context');
    expect(stdout).toBe(`${await contextFor(home, home.project)}\n`);
    expect(stdout).toContain('Prices');
    expect(stderr).toMatch(/^demo: (\d+) of \1 records, about \d+ tokens\n$/);
  });
});

describe('a session start in a project without records', () => {
  it('injects nothing, shows no notice, and the context command prints the reason', async () => {
    await using other = await createTempHome({ env: { CLAUDE_MEM_EMBEDDER: 'none' } });
    await using _worker = await startWorker(other);
    const shown = () =>
      runProgram(process.execPath, [workspacePaths.command, 'context'], {
        cwd: other.project,
        env: other.env,
      });
    expect(await shown()).toMatchObject({
      exit: 0,
      stdout: 'Nothing to inject. The memory has no records of this project.\n',
      stderr: '',
    });
    const run = await hookIn(other, other.project)(
      'SessionStart',
      claudePayloads({ cwd: other.project }).sessionStart(),
    );
    expect(run.stdout).not.toContain('claude-mem');
    // The project is known now, but it has no records.
    expect((await shown()).stdout).toBe('Nothing to inject. The memory has no records of this project.\n');
  });

  it('injects no records of another project', async () => {
    const elsewhere = path.join(home.home, 'work', 'garden');
    mkdirSync(elsewhere, { recursive: true });
    expect(await contextFor(home, elsewhere)).toBe('');
  });
});

describe('context settings that change while the worker runs', () => {
  it('CLAUDE_MEM_CONTEXT_TOKENS limits the context, and allows none when the limit is too small', async () => {
    const full = tokensIn(await command('context'));
    const shorter = await contextWith('CLAUDE_MEM_CONTEXT_TOKENS', '180');
    expect(tokensIn(shorter)).toBeLessThanOrEqual(180);
    expect(tokensIn(shorter)).toBeLessThan(full);
    expect(shorter.stderr).toMatch(/Skipped, no room: #\d/);
    expect(`${(await start()).context}\n`).toBe(shorter.stdout);
    for (const tokens of ['0', '20']) {
      const { stdout } = await contextWith('CLAUDE_MEM_CONTEXT_TOKENS', tokens);
      expect(stdout).toBe('Nothing to inject. CLAUDE_MEM_CONTEXT_TOKENS leaves no room.\n');
      expect(await start()).toEqual(NOTHING);
    }
    expect(tokensIn(await contextWith('CLAUDE_MEM_CONTEXT_TOKENS', '50000'))).toBe(full);
  });

  it('CLAUDE_MEM_CONTEXT_PARTS selects the sections of the context', async () => {
    const headings = ({ stdout }: { stdout: string }) => stdout.match(/^## \w+/gm);
    const all = await command('context');
    expect(headings(all)).toEqual(['## Where', '## Pinned', '## Timeline']);
    const chosen = await contextWith('CLAUDE_MEM_CONTEXT_PARTS', 'open,pinned');
    expect(headings(chosen)).toEqual(['## Where', '## Pinned']);
    expect(chosen.stderr).toMatch(/^Skipped, no timeline is requested: #\d+$/m);
    expect(`${(await start()).context}\n`).toBe(chosen.stdout);
    expect(await command('settings', 'set', 'CLAUDE_MEM_CONTEXT_PARTS', 'pins')).toMatchObject({ exit: 2 });
    await command('settings', 'unset', 'CLAUDE_MEM_CONTEXT_PARTS');
    expect((await command('context')).stdout).toBe(all.stdout);
  });

  it('CLAUDE_MEM_CONTEXT_NOTICE hides only the notice for the user', async () => {
    expect((await start()).notice).toContain('records injected');
    await set('CLAUDE_MEM_CONTEXT_NOTICE', 'false');
    expect(await start()).toEqual({ context: expect.stringContaining('Prices'), notice: undefined });
  });

  it('CLAUDE_MEM_CONTEXT_ENABLED disables the context, which the context command reports', async () => {
    const shown = await contextWith('CLAUDE_MEM_CONTEXT_ENABLED', 'false');
    expect(shown.stdout).toContain('Prices');
    expect(shown.stderr).toContain('Not injected: CLAUDE_MEM_CONTEXT_ENABLED is off.\n');
    expect(await start()).toEqual(NOTHING);
    await set('CLAUDE_MEM_CONTEXT_ENABLED', 'true');
    expect((await start()).context).toContain('Prices');
  });

  it('CLAUDE_MEM_FILE_HISTORY disables the history of files', async () => {
    const read = () =>
      fire('FileRead', () =>
        claudePayloads({ cwd: home.project }).toolUse({
          name: 'Read',
          input: { file_path: path.join(home.project, 'src', 'limit.ts') },
        }),
      );
    expect((await read()).context).toContain('src/limit.ts');
    await set('CLAUDE_MEM_FILE_HISTORY', 'false');
    expect(await read()).toEqual(NOTHING);
    expect((await command('context', '--file', 'src/limit.ts')).stderr).toContain(
      'Not injected: CLAUDE_MEM_FILE_HISTORY is off.\n',
    );
  });

  it('the context command reports that CLAUDE_MEM_RECALL_ON_PROMPT is off', async () => {
    const asked = () => command('context', '--prompt', 'What is the limit?');
    expect((await asked()).stderr).not.toContain('Not injected');
    await set('CLAUDE_MEM_RECALL_ON_PROMPT', 'false');
    expect((await asked()).stderr).toContain('Not injected: CLAUDE_MEM_RECALL_ON_PROMPT is off.\n');
  });

  it('CLAUDE_MEM_EXCLUDED_PROJECTS and CLAUDE_MEM_ENABLED disable the context', async () => {
    const excluded = await contextWith('CLAUDE_MEM_EXCLUDED_PROJECTS', home.project);
    expect(excluded.stdout).toBe('Nothing to inject.\n');
    expect(excluded.stderr).toBe('Not injected: CLAUDE_MEM_EXCLUDED_PROJECTS names this folder.\n');
    expect(await start()).toEqual(NOTHING);
    await set('CLAUDE_MEM_EXCLUDED_PROJECTS', '');
    expect((await contextWith('CLAUDE_MEM_ENABLED', 'false')).stderr).toContain('CLAUDE_MEM_ENABLED is off');
    expect(await start()).toEqual(NOTHING);
  });
});
