import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  claudePayloads,
  createTempHome,
  peekDatabase,
  processesOf,
  runProgram,
  startWorker,
  waitUntilDrained,
  workspacePaths,
  type TempHome,
} from '@claude-mem/testing';
import { describe, expect, it } from 'vitest';
import { hookIn, playTurn } from './play-turn.js';

/**
 * Settings of a user with unusual spacing, unknown keys, a hook of another program, and no line end at the end of the
 * file.
 */
const SETTINGS = `{
    "theme":"dark",   "zebra": [1,  2],
  "hooks": {
    "Stop": [ { "hooks": [ { "type": "command", "command": "say done" } ] } ]
  },
  "model": "opus", "env": { "EDITOR": "vi" }
}`;

const command = (home: TempHome, ...args: readonly string[]) =>
  runProgram(process.execPath, [workspacePaths.command, ...args], { cwd: home.project, env: home.env });

/** Runs the configured hook command of an event in a shell, like the host. */
async function fireConfigured(home: TempHome, event: string, payload: { tool_name?: unknown }) {
  const settings = JSON.parse(readFileSync(path.join(home.home, '.claude', 'settings.json'), 'utf8')) as {
    hooks: Record<string, { matcher?: string; hooks: { command: string }[] }[]>;
  };
  const commands = (settings.hooks[event] ?? [])
    .filter(
      ({ matcher }) => event !== 'PostToolUse' || new RegExp(matcher ?? '').test(String(payload.tool_name)),
    )
    .flatMap(({ hooks }) => hooks)
    .map((hook) => hook.command);
  const ours = commands.filter((line) => line !== 'say done');
  expect(ours).toHaveLength(1);
  return runProgram('/bin/sh', ['-c', ours[0] ?? ''], {
    cwd: home.project,
    env: { ...home.env, CLAUDE_PROJECT_DIR: home.project },
    input: `${JSON.stringify(payload)}\n`,
  });
}

describe('settings and environment of a host', () => {
  it('P004 B034: the settings are unchanged byte for byte after install, use and uninstall, and the memory remains', async () => {
    await using home = await createTempHome({ name: `it's a home & (more)` });
    const file = path.join(home.home, '.claude', 'settings.json');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, SETTINGS);
    const installed = await command(home, 'install', '--host', 'claude-code');
    expect(installed, installed.stderr).toMatchObject({ exit: 0 });
    expect(readFileSync(file, 'utf8')).not.toBe(SETTINGS);
    const payloads = claudePayloads({ cwd: home.project });
    const start = await fireConfigured(home, 'SessionStart', payloads.sessionStart());
    expect(start).toMatchObject({ exit: 0, stderr: '' });
    for (const [event, payload] of [
      ['UserPromptSubmit', payloads.prompt('Raise the limit')],
      ['PostToolUse', payloads.toolUse()],
      ['PostToolUse', payloads.toolUse({ name: 'Read' })],
      ['Stop', payloads.stop('Raised the limit.')],
    ] as const) {
      expect(await fireConfigured(home, event, payload)).toMatchObject({ exit: 0, stderr: '' });
    }
    await waitUntilDrained(home);
    const removed = await command(home, 'uninstall', '--host', 'claude-code');
    expect(removed, removed.stderr).toMatchObject({ exit: 0 });
    expect(readFileSync(file, 'utf8')).toBe(SETTINGS);
    const stopped = await command(home, 'stop');
    expect(stopped, stopped.stderr).toMatchObject({ exit: 0 });
    expect(processesOf(home.dataDir)).toEqual([]);
    using peek = peekDatabase(home);
    expect(peek.value('SELECT count(*) FROM user_prompts')).toBe(1);
  });

  it('B070: API keys from the environment or the .env file of the project are neither used nor stored', async () => {
    const trap = 'trap-key-0123456789abcdef';
    await using home = await createTempHome({
      env: {
        ANTHROPIC_API_KEY: trap,
        OPENROUTER_API_KEY: trap,
        GEMINI_API_KEY: trap,
        CLAUDE_MEM_EMBEDDER: 'none',
      },
    });
    writeFileSync(path.join(home.project, '.env'), `ANTHROPIC_API_KEY=${trap}\nCLAUDE_MEM_PROVIDER=claude\n`);
    await using worker = await startWorker(home, { cwd: home.project });
    await playTurn(home, { cwd: home.project, message: 'Fixed the heron counter: it started at one.' });
    await waitUntilDrained(home);
    using peek = peekDatabase(home);
    expect(peek.rows('SELECT DISTINCT provider FROM observations')).toEqual([{ provider: 'local' }]);
    const files = await runProgram('grep', ['-r', '-l', trap, home.dataDir], {
      cwd: home.root,
      env: home.env,
    });
    expect(files.stdout).toBe('');
    const detail = await worker.request({ path: '/api/settings' });
    expect(detail.status).toBe(200);
    expect(detail.text).not.toContain(trap);
  });

  it('B113: manual commands use the data directory from the environment', async () => {
    await using home = await createTempHome({ dataDir: 'elsewhere' });
    await hookIn(home, home.project)('SessionStart', claudePayloads({ cwd: home.project }).sessionStart());
    for (const args of [['status'], ['doctor'], ['queue'], ['search', 'heron'], ['stop']]) {
      await command(home, ...args);
    }
    expect(existsSync(path.join(home.home, '.claude-mem'))).toBe(false);
  });
});
