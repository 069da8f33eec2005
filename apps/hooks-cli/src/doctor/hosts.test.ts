import { rmSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { useInstallHome } from '../testing/use-install-home.js';

const { test, programs, path, read, put, checkOf } = useInstallHome();

it('doctor warns about hooks of an earlier version until they are installed again', async () => {
  put('', '.claude', 'theirs');
  await test.run(['install', '--host', 'claude-code']);
  const text = read('.claude', 'settings.json');
  put(text.replace('"PostToolUseFailure":', '"PreToolUse":'), '.claude', 'settings.json');
  expect(await checkOf('hooks')).toMatchObject({
    state: 'warn',
    detail: expect.stringContaining('hooks of an earlier version'),
  });
  await test.run(['install', '--host', 'claude-code']);
  expect(await checkOf('hooks')).toMatchObject({ state: 'ok' });
});

it('doctor reports a settings file that cannot be read when the file can contain only plugins', async () => {
  put('', '.claude', 'settings.local.json');
  writeFileSync(path('.claude', 'settings.local.json'), Buffer.from([0x7b, 0xff]));
  expect(await checkOf('hooks')).toMatchObject({
    state: 'fail',
    detail: expect.stringContaining('settings.local.json is not UTF-8 text'),
  });
});

it('doctor reports every host whose settings file is invalid', async () => {
  for (const file of ['.claude/settings.json', '.cursor/hooks.json', '.codex/config.toml']) put('{no', file);
  const result = await checkOf('hooks');
  expect(result?.state).toBe('fail');
  expect(result?.detail).toMatch(/settings\.json is not .*\n.*hooks\.json is not .*\n.*config\.toml is not /);
});

it('doctor names each file once, and reports missing hooks when only the MCP server is installed', async () => {
  await test.run(['install', '--host', 'cursor']);
  expect((await checkOf('hooks'))?.detail.match(/hooks\.json/g)).toHaveLength(1);
  rmSync(path('.cursor', 'hooks.json'));
  expect(await checkOf('hooks')).toMatchObject({
    state: 'warn',
    detail: 'cursor: the MCP server is installed, but the hooks are not',
  });
});

it('doctor prints one line for each host', async () => {
  for (const host of ['.gemini', '.cursor']) put('', host, 'theirs');
  await test.run(['install', '--host', 'all']);
  const { stdout } = await test.run(['doctor']);
  expect(stdout).toMatch(/^ok {4}hooks {11}cursor: .*\n {22}gemini-cli: .*$/m);
});

it('doctor names hosts without hooks, and programs that are missing', async () => {
  put('', '.gemini', 'theirs');
  expect(await checkOf('hooks')).toMatchObject({
    state: 'warn',
    detail: expect.stringContaining('gemini-cli'),
  });
  put('', '.cursor', 'theirs');
  await test.run(['install', '--host', 'cursor']);
  expect(await checkOf('hooks')).toMatchObject({
    state: 'ok',
    detail: expect.stringMatching(
      /cursor: .*hooks\.json \(hooks\).*mcp\.json \(MCP server\)\nnot in gemini-cli/,
    ),
  });
  const mcp = read('.cursor', 'mcp.json');
  put(mcp.replace(process.execPath, '/gone/bin/node'), '.cursor', 'mcp.json');
  expect(await checkOf('hooks')).toMatchObject({
    state: 'fail',
    detail: expect.stringContaining('/gone/bin/node'),
  });
  put(mcp, '.cursor', 'mcp.json');
  rmSync(programs.server);
  expect(await checkOf('hooks')).toMatchObject({
    state: 'fail',
    detail: expect.stringContaining(programs.server),
  });
});
