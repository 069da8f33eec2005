import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inLockedFolder } from '@claude-mem/core/testing';
import { expect, it } from 'vitest';
import { useInstallHome } from '../testing/use-install-home.js';

const { test, programs, path, read, put, checkOf } = useInstallHome();

it('B034: installs the hooks and the MCP server in every host that it finds, and uninstalls both', async () => {
  const settings = '{\n  // dark\n  "theme": "x"\n}\n';
  put(settings, '.gemini', 'settings.json');
  put('model = "x"', '.codex', 'config.toml');
  put('', '.cursor', 'theirs');
  const files = () => readdirSync(test.home, { recursive: true }).toSorted();
  const before = files();

  const { exit, stdout, stderr } = await test.run(['install', '--host', 'all']);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  expect(stdout).toContain(`cursor: the MCP server in ${path('.cursor', 'mcp.json')}.`);
  expect(stdout).toContain('until you trust it');
  expect(stdout.match(/ new sessions from now on\.$/gm)).toHaveLength(1);
  expect(stdout).not.toContain('claude-code');
  for (const file of [
    ['.gemini', 'settings.json'],
    ['.cursor', 'mcp.json'],
    ['.codex', 'config.toml'],
  ])
    expect(read(...file)).toContain(JSON.stringify(programs.server));

  const again = await test.run(['install', '--host', 'all']);
  expect(again.stdout).not.toMatch(/json\.$|toml\.$|new sessions|trust/m);
  expect(again.stdout.match(/ already\.$/gm)).toHaveLength(5);

  expect((await test.run(['uninstall', '--host', 'all'])).exit).toBe(0);
  expect(files()).toEqual(before);
  expect(read('.gemini', 'settings.json')).toBe(settings);
  expect(read('.codex', 'config.toml')).toBe('model = "x"');
});

it('refuses a project whose folder does not exist', async () => {
  const missing = join(test.home, 'mistyped');
  expect(await test.run(['install', '--host', 'claude-code', '--project', missing])).toEqual({
    exit: 2,
    stdout: '',
    stderr: `--project needs an existing folder, but there is no folder ${missing}.\n`,
  });
  expect(existsSync(missing)).toBe(false);
});

it('reports that the MCP server is missing, but not with --hooks-only', async () => {
  rmSync(programs.server);
  const { exit, stdout, stderr } = await test.run(['install', '--host', 'cursor']);
  expect([exit, stdout]).toEqual([0, expect.stringContaining('cursor: hooks')]);
  expect(stderr).toMatch(/^Note: the MCP server is missing.*npx nx build @claude-mem\/mcp-server/);
  expect((await test.run(['install', '--host', 'cursor', '--hooks-only'])).stderr).toBe('');
});

it('shows what would change and changes nothing', async () => {
  put('{\n  "theme": "x",\n  "ui": {}\n}\n', '.gemini', 'settings.json');
  const install = ['install', '--host', 'gemini-cli'];
  const { stdout } = await test.run([...install, '--dry-run']);
  expect(stdout.split('\n').slice(1, 7)).toEqual([
    '  {',
    '    "theme": "x",',
    '-   "ui": {}',
    '+   "ui": {},',
    '+   "hooks": {',
    '+     "SessionStart": [',
  ]);
  expect(stdout).toMatch(/\n {2}\}\n$/);
  expect(read('.gemini', 'settings.json')).not.toContain('hooks');
  expect(existsSync(test.dataDir)).toBe(false);
  await test.run(install);
  expect((await test.run([...install, '--dry-run'])).stdout).toMatch(/would not change\.\n$/);
  expect((await test.run(['uninstall', '--host', 'gemini-cli', '--dry-run'])).stdout).toContain('- ');
  expect(read('.gemini', 'settings.json')).toContain('hooks');
});

it('shortens long lines in a dry run, and shows the size of a new file', async () => {
  const theirs = JSON.stringify({ theme: 'x'.repeat(500), ui: {}, more: 'y'.repeat(500) });
  put(theirs, '.gemini', 'settings.json');
  const install = await test.run(['install', '--host', 'gemini-cli', '--dry-run']);
  expect(install.stdout).toMatch(/\n- …y{30,}"\}\n\+ …y{30,}",? ?"hooks":.*…$/m);
  await test.run(['install', '--host', 'gemini-cli']);
  const uninstall = await test.run(['uninstall', '--host', 'gemini-cli', '--dry-run']);
  for (const { stdout } of [install, uninstall])
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(300);
  const { stdout } = await test.run(['install', '--host', 'opencode', '--dry-run']);
  expect(stdout).toMatch(/claude-mem\.\w+ would be created: [\d,]+ bytes\.$/m);
  expect(stdout.split('\n').length).toBeLessThan(30);
});

it('keeps a broken settings file, reports the line, and installs in the other hosts', async () => {
  put('{\n  "a": 1,\n  b\n}', '.gemini', 'settings.json');
  put('', '.cursor', 'theirs');
  const { exit, stdout, stderr } = await test.run(['install', '--host', 'all']);
  expect(exit).toBe(1);
  expect(stderr).toMatch(/^gemini-cli: .*settings\.json is not valid JSON at line 3, column 3\./);
  expect(stdout).toContain('cursor: hooks');
  expect(read('.gemini', 'settings.json')).toBe('{\n  "a": 1,\n  b\n}');
  expect(await checkOf('hooks')).toMatchObject({ state: 'fail', detail: expect.stringContaining('line 3') });
});

it('R07: stores the certificate authorities and the proxy of the environment, and doctor shows them', async () => {
  const ca = path('ca.pem');
  put('-----BEGIN CERTIFICATE-----', 'ca.pem');
  Object.assign(test.env, {
    NODE_EXTRA_CA_CERTS: ca,
    https_proxy: 'http://ada:secret@proxy.example:3128',
    NO_PROXY: 'a.example,.b.example',
  });
  expect(await checkOf('network')).toMatchObject({ state: 'warn' });
  const { exit, stdout } = await test.run(['install', '--host', 'cursor']);
  expect(exit).toBe(0);
  expect(stdout).toContain(
    [
      'Stored from the environment, for all projects:',
      `  CLAUDE_MEM_CA_FILE = ${ca}`,
      '  CLAUDE_MEM_PROXY = ****@proxy.example:3128',
      '  CLAUDE_MEM_NO_PROXY = a.example,.b.example',
    ].join('\n'),
  );
  for (const name of ['NODE_EXTRA_CA_CERTS', 'https_proxy', 'NO_PROXY']) delete test.env[name];
  expect(await checkOf('network')).toEqual({
    title: 'network',
    state: 'ok',
    detail: `through the proxy proxy.example:3128, certificate authorities of ${ca}`,
  });
  expect((await test.run(['install', '--host', 'cursor'])).stdout).not.toContain('Stored from');
  rmSync(ca);
  expect(await checkOf('network')).toMatchObject({ state: 'fail' });
});

it('R16: reports the line of a trailing comma that Claude Code rejects, and doctor fails', async () => {
  const text = '{\n  "model": "opus",\n}\n';
  put(text, '.claude', 'settings.json');
  const { exit, stdout, stderr } = await test.run(['install', '--host', 'claude-code']);
  expect(exit).toBe(1);
  expect(stderr).toMatch(/settings\.json has a comma after the last element at line 2, column 18/);
  expect(stdout).not.toContain('new sessions');
  expect(read('.claude', 'settings.json')).toBe(text);
  expect(await checkOf('hooks')).toMatchObject({ state: 'fail', detail: expect.stringContaining('line 2') });
});

it('B138: adds nothing when the plugin provides the hooks, and doctor warns about hooks that are installed twice', async () => {
  put('', '.claude', 'theirs');
  await test.run(['install', '--host', 'claude-code']);
  const settings = JSON.parse(read('.claude', 'settings.json')) as object;
  put(
    JSON.stringify({ ...settings, enabledPlugins: { 'mem@claude-mem': true } }),
    '.claude',
    'settings.json',
  );
  expect(await checkOf('hooks')).toMatchObject({
    state: 'warn',
    detail: expect.stringMatching(/both the plugin mem@claude-mem and .*settings\.json/),
  });
  const text = read('.claude', 'settings.json');
  expect((await test.run(['install', '--host', 'claude-code'])).stdout).toContain('Nothing was added');
  expect(read('.claude', 'settings.json')).toBe(text);
  for (const args of [
    ['--host', 'claude-code', '--dry-run'],
    ['--host', 'claude-code'],
    ['--host', 'all'],
  ])
    expect((await test.run(['uninstall', ...args])).stdout).toContain(
      'the plugin mem@claude-mem is kept. To remove it: claude plugin uninstall mem@claude-mem',
    );
  expect(await checkOf('hooks')).toMatchObject({ state: 'ok', detail: expect.stringContaining('plugin') });
});

it('finds the folder that a variable of the host sets, and installs only the hooks with --hooks-only', async () => {
  test.env['CODEX_HOME'] = path('elsewhere');
  put('', 'elsewhere', 'theirs');
  await test.run(['install', '--host', 'all', '--hooks-only']);
  expect(readdirSync(path('elsewhere'))).toEqual(['hooks.json', 'theirs']);
  expect(await checkOf('hooks')).toMatchObject({ state: 'ok', detail: expect.stringContaining('codex: ') });
});

it('writes the data directory into the hooks only when it is not the default', async () => {
  await test.run(['install', '--host', 'cursor']);
  expect(read('.cursor', 'hooks.json')).toContain(`CLAUDE_MEM_DATA_DIR='${test.dataDir}' sh `);
  delete test.env['CLAUDE_MEM_DATA_DIR'];
  await test.run(['install', '--host', 'cursor']);
  expect(read('.cursor', 'hooks.json')).not.toContain('CLAUDE_MEM_DATA_DIR');
  expect(read('.cursor', 'mcp.json')).not.toContain('CLAUDE_MEM_DATA_DIR');
});

it('refuses a settings file that the host does not read', async () => {
  const codex = ['install', '--host', 'codex', '--settings', path('x', 'config.toml')];
  expect(await test.run(codex)).toMatchObject({
    exit: 2,
    stderr: 'The settings file of codex is named hooks.json.\n',
  });
  const both = ['--settings', path('x', 'hooks.json'), '--project', '.'];
  expect(await test.run(['install', '--host', 'codex', ...both])).toMatchObject({ exit: 2 });
  expect(readdirSync(test.home, { recursive: true })).toEqual(['work']);
});

it.skipIf(process.platform === 'win32')(
  'does not claim that sessions are remembered when the data folder cannot be created',
  async () => {
    chmodSync(programs.folder, 0o755);
    const install = () => test.run(['install', '--host', 'cursor']);
    const { exit, stdout, stderr } = await inLockedFolder(dirname(test.dataDir), install);
    expect(exit).toBe(1);
    expect(stdout).toContain('cursor: hooks');
    expect(stdout).not.toContain('new sessions');
    expect(stderr).toContain(`mkdir '${test.dataDir}'`);
  },
);

it('refuses --settings with all hosts', async () => {
  expect(await test.run(['install', '--host', 'all', '--settings', 'x.json'])).toMatchObject({ exit: 2 });
});

it('suggests a command when no host is found, and treats an empty folder as no host', async () => {
  mkdirSync(path('.gemini'));
  expect(await checkOf('hooks')).toMatchObject({
    state: 'warn',
    detail: 'no host was found. Supported hosts: claude-code, cursor, codex, gemini-cli, opencode',
    fix: expect.stringMatching(/install --host claude-code, or use the name of your host$/),
  });
  const { stdout } = await test.run(['install', '--host', 'all']);
  expect(stdout).toMatch(/No host was found\..*gemini-cli/);
  expect(readdirSync(path('.gemini'))).toEqual([]);
});
