import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFakeWorker } from '../testing/fake-worker.js';
import { createTestHome, type TestHome } from '../testing/run-inside.js';

let home: TestHome;
beforeEach(() => (home = createTestHome()));
afterEach(() => home[Symbol.dispose]());

it('S03: uses no address or key of the environment, because a cloned repository can set the environment', async () => {
  home.env['CLAUDE_MEM_EMBEDDER_BASE_URL'] = 'http://hostile.example/v1';
  home.env['CLAUDE_MEM_LOG_LEVEL'] = 'debug';
  const valueOf = async (key: string) => (await home.run(['settings', 'get', key])).stdout;
  expect(await valueOf('CLAUDE_MEM_EMBEDDER_BASE_URL')).not.toContain('hostile');
  expect(await valueOf('CLAUDE_MEM_LOG_LEVEL')).toContain('debug');
});

const KEY = 'AIzaSyFake-0123456789-abcdefghijklmno';
const file = () => join(home.dataDir, 'settings.json');
const stored = () => JSON.parse(readFileSync(file(), 'utf8')) as Record<string, unknown>;
const set = (...words: string[]) => home.run(['settings', 'set', ...words]);

it('reports in status that claude-mem is disabled', async () => {
  const notices = async () => (await home.run(['status'])).stdout;
  expect(await notices()).not.toContain('is disabled');
  await set('CLAUDE_MEM_ENABLED', 'false');
  expect(await notices()).toContain('claude-mem is disabled (CLAUDE_MEM_ENABLED is false)');
});

it('reports in status that the holdout is on', async () => {
  const status = async () => (await home.run(['status'])).stdout;
  expect(await status()).not.toContain('holdout');
  await set('CLAUDE_MEM_HOLDOUT', '0.125');
  expect(await status()).toMatch(
    /^holdout +12\.5% of new sessions get no injected context \(CLAUDE_MEM_HOLDOUT\)/m,
  );
  expect((await set('CLAUDE_MEM_HOLDOUT', '0.6')).exit).not.toBe(0);
});

describe('setting an observer', () => {
  it('names the next command when the key is missing', async () => {
    const { exit, stdout, stderr } = await set('CLAUDE_MEM_PROVIDER', 'gemini');
    expect([exit, stderr]).toEqual([
      0,
      'Note: the observer gemini has no key, so it is not used yet. Next: claude-mem settings set CLAUDE_MEM_GEMINI_API_KEY\n',
    ]);
    expect(stdout).not.toContain('is now');
  });

  it('reports the new observer and whether it sends events to a vendor', async () => {
    const given = await home.run(['settings', 'set', 'CLAUDE_MEM_GEMINI_API_KEY', '--stdin'], KEY);
    expect(given).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('The observer is now gemini: events of your sessions are sent'),
      stderr: '',
    });
    expect((await set('CLAUDE_MEM_PROVIDER', 'local')).stdout).toContain('nothing leaves this machine');
    expect((await set('CLAUDE_MEM_LANGUAGE', 'de')).stdout).not.toContain('observer');
  });

  it('names the missing settings of each observer', async () => {
    home.env['CLAUDE_MEM_PROVIDER_FALLBACK'] = 'openrouter,local';
    const { stderr } = await set('CLAUDE_MEM_PROVIDER', 'openai-compatible');
    expect(stderr).toMatch(/openai-compatible has no address.*BASE_URL http:.*\n.*openrouter has no key/);
  });

  it('reports a missing program or package of claude-code', async () => {
    const first = await set('CLAUDE_MEM_PROVIDER', 'claude-code');
    expect(first.stderr).toContain(`npm install --prefix '${home.dataDir}' --omit=optional`);
    const bin = join(home.home, '.local', 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\n', { mode: 0o755 });
    const sdk = join(home.dataDir, 'node_modules/@anthropic-ai/claude-agent-sdk');
    mkdirSync(sdk, { recursive: true });
    writeFileSync(join(sdk, 'package.json'), '{}');
    expect((await set('CLAUDE_MEM_PROVIDER', 'claude-code')).stderr).toBe('');
    chmodSync(join(bin, 'claude'), 0o644);
    const { stderr } = await set('CLAUDE_CODE_PATH', join(bin, 'claude'));
    expect(stderr).toContain(`claude-code cannot run ${join(bin, 'claude')}`);
  });
});

describe('API keys', () => {
  it('are read from stdin without the line end', async () => {
    await home.run(['settings', 'set', 'CLAUDE_MEM_GEMINI_API_KEY', '--stdin'], `${KEY}\r\n`);
    expect(stored()).toEqual({ CLAUDE_MEM_GEMINI_API_KEY: KEY });
  });

  it('are read from a prompt and not shown', async () => {
    const typed = await home.type(['settings', 'set', 'CLAUDE_MEM_GEMINI_API_KEY'], `${KEY}\r`);
    expect(stored()).toEqual({ CLAUDE_MEM_GEMINI_API_KEY: KEY });
    expect(typed.exit).toBe(0);
    expect(typed.stderr).toBe('CLAUDE_MEM_GEMINI_API_KEY: \n');
    expect(typed.stdout + typed.stderr).not.toContain(KEY.slice(0, 12));
  });

  it.each([['\r'], ['\u0003'], ['\u0004']])('are not changed when the typed input is %j', async (keys) => {
    const typed = await home.type(['settings', 'set', 'CLAUDE_MEM_GEMINI_API_KEY'], keys);
    expect(typed).toMatchObject({ exit: 1, stderr: expect.stringContaining('Nothing was changed') });
    expect(existsSync(file())).toBe(false);
  });

  it('are accepted as an argument, with a note about the shell history', async () => {
    const { exit, stderr } = await set('CLAUDE_MEM_GEMINI_API_KEY', KEY);
    expect(exit).toBe(0);
    expect(stderr).toMatch(/history.*claude-mem settings set CLAUDE_MEM_GEMINI_API_KEY/);
    expect((await set('CLAUDE_MEM_LANGUAGE', 'de')).stderr).toBe('');
  });

  it('are masked in every output, and a mask is rejected as a key', async () => {
    await set('CLAUDE_MEM_GEMINI_API_KEY', KEY);
    const shown = await Promise.all(
      [
        ['settings'],
        ['settings', '--json'],
        ['settings', 'get', 'CLAUDE_MEM_GEMINI_API_KEY'],
        ['doctor'],
        ['status'],
      ].map((argv) => home.run(argv)),
    );
    for (const { stdout, stderr } of shown) expect(stdout + stderr).not.toContain(KEY.slice(4, 12));
    expect(shown[2]?.stdout).toBe('****lmno\n');
    expect(await set('CLAUDE_MEM_GEMINI_API_KEY', '****lmno')).toMatchObject({ exit: 2, stdout: '' });
    expect(stored()).toEqual({ CLAUDE_MEM_GEMINI_API_KEY: KEY });
  });
});

describe('settings', () => {
  it('are listed in groups with a description', async () => {
    const { stdout } = await home.run(['settings']);
    expect(stdout).toMatch(
      /^Observer\nCLAUDE_MEM_PROVIDER +auto {2}\(default\)\n {4}Observer\. auto: .*\nCLAUDE_MEM_PROVIDER_FALLBACK +– /,
    );
    expect(stdout).toMatch(/\n\nBudget\nCLAUDE_MEM_BUDGET_/);
  });

  it('are shown with description and source on a terminal, and as the bare value otherwise', async () => {
    await set('CLAUDE_MEM_PROVIDER', 'local');
    const get = (key: string) => home.type(['settings', 'get', key], '');
    expect((await get('CLAUDE_MEM_PROVIDER')).stdout).toMatch(
      /^CLAUDE_MEM_PROVIDER = local {2}\(from settings\.json\)\nObserver\. auto: .*\nOne of: auto, local, claude, .*\nDefault: auto\n$/,
    );
    expect((await get('CLAUDE_MEM_WORKER_PORT')).stdout).toMatch(
      / = \d+ {2}\(the default\)\n.*\nA change takes effect after a restart of the worker\.\n$/,
    );
    expect((await home.run(['settings', 'get', 'CLAUDE_MEM_PROVIDER'])).stdout).toBe('local\n');
  });

  it('are reloaded by the worker before set and unset exit', async () => {
    const seen: string[] = [];
    await using _ = await startFakeWorker(join(home.dataDir, 'worker.sock'), ({ path }, response) => {
      if (path === '/api/settings') seen.push(readFileSync(file(), 'utf8'));
      response.writeHead(503).end();
    });
    expect((await set('CLAUDE_MEM_LANGUAGE', 'de')).exit).toBe(0);
    expect((await home.run(['settings', 'unset', 'CLAUDE_MEM_LANGUAGE'])).exit).toBe(0);
    expect(seen).toEqual([expect.stringContaining('"de"'), expect.not.stringContaining('"de"')]);
  });

  it('are listed and accepted only when this version supports them', async () => {
    const { stdout } = await home.run(['settings']);
    expect(stdout).toContain('CLAUDE_MEM_PROVIDER ');
    expect(stdout).not.toContain('RETENTION');
    const one = await home.run(['settings', 'get', 'CLAUDE_MEM_RETENTION_DAYS']);
    expect(one).toMatchObject({
      exit: 0,
      stdout: '0\n',
      stderr: expect.stringContaining('not use this setting yet'),
    });
    expect(await set('CLAUDE_MEM_RETENTION_DAYS', '30')).toMatchObject({
      exit: 2,
      stderr: 'CLAUDE_MEM_RETENTION_DAYS is not used by this version yet, so nothing was set.\n',
    });
    expect(await set('CLAUDE_MEM_DATA_DIR', '/elsewhere')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('only in the environment'),
    });
  });

  it('are confirmed with the next context file update, and the command for an immediate update, when they control these files', async () => {
    for (const key of ['CLAUDE_MEM_CLAUDE_MD', 'CLAUDE_MEM_CLAUDE_MD_FOLDERS'])
      expect((await set(key, 'true')).stdout).toContain('now: claude-mem context --files --again');
    const { stdout } = await set('CLAUDE_MEM_CURSOR_RULES', 'false');
    expect(stdout).toContain('after the next turn');
    expect(stdout).not.toContain('--again');
    expect((await set('CLAUDE_MEM_LANGUAGE', 'de')).stdout).not.toContain('turn');
  });

  it.each([
    [['CLAUDE_MEM_LANGUAGE'], /needs a value/],
    [['CLAUDE_MEM_GEMINI_API_KEY'], /needs a value.*--stdin/],
    [['CLAUDE_MEM_LANGUAGE', 'de', '--stdin'], /Use either the value or --stdin/],
    [['CLAUDE_MEM_PROVIDER_FALLBACK', 'claud'], /must be a list of local, claude/],
  ])('are rejected with exit code 2 when they are invalid: %j', async (words, message) => {
    expect(await set(...words)).toMatchObject({ exit: 2, stderr: expect.stringMatching(message) });
    expect(existsSync(file())).toBe(false);
  });

  it('are reported as unreadable without waiting when the file is a named pipe', async () => {
    mkdirSync(home.dataDir);
    execFileSync('mkfifo', [file()]);
    expect((await home.run(['settings'])).stderr).toBe(
      `Note: ${file()} is not a file. Move it to another folder. Until the file can be used, a running worker keeps its last valid settings. A worker that starts stores no events: they wait in the spool.\n`,
    );
    expect(await set('CLAUDE_MEM_LANGUAGE', 'de')).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('is not a file'),
    });
  });
});
