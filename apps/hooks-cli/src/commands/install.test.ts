import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inLockedFolder } from '@claude-mem/core/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestHome, type TestHome } from '../testing/run-inside.js';

let programs: string;
let hook: string;
let server: string;
let test: TestHome;

beforeEach(() => {
  programs = mkdtempSync(join(tmpdir(), `cm it's "here"-`));
  hook = join(programs, 'hooks-cli', 'dist', 'hook.sh');
  server = join(programs, 'mcp-server', 'dist', 'mcp-server.js');
  for (const file of [hook, server, join(programs, 'hooks-cli', 'package.json')]) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '{ "version": "1.0.0" }');
  }
  test = createTestHome(dirname(hook));
});
afterEach(() => {
  test[Symbol.dispose]();
  rmSync(programs, { recursive: true, force: true });
});

const path = (...names: string[]) => join(test.home, ...names);
const read = (...names: string[]) => readFileSync(path(...names), 'utf8');
const put = (content: string, ...names: string[]) => {
  mkdirSync(dirname(path(...names)), { recursive: true });
  writeFileSync(path(...names), content);
};
const hooksIn = async () => {
  const { stdout } = await test.run(['doctor', '--json']);
  const checks = JSON.parse(stdout) as { title: string; state: string; detail: string }[];
  return checks.find(({ title }) => title === 'hooks');
};

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
    expect(read(...file)).toContain(JSON.stringify(server));

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
  rmSync(server);
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
  expect(await hooksIn()).toMatchObject({ state: 'fail', detail: expect.stringContaining('line 3') });
});

it('R07: stores the certificate authorities and the proxy of the environment, and doctor shows them', async () => {
  const ca = path('ca.pem');
  put('-----BEGIN CERTIFICATE-----', 'ca.pem');
  Object.assign(test.env, {
    NODE_EXTRA_CA_CERTS: ca,
    https_proxy: 'http://ada:secret@proxy.example:3128',
    NO_PROXY: 'a.example,.b.example',
  });
  const network = async () => {
    const findings = JSON.parse((await test.run(['doctor', '--json'])).stdout) as {
      title: string;
      state: string;
      detail: string;
    }[];
    return findings.find(({ title }) => title === 'network');
  };
  expect(await network()).toMatchObject({ state: 'warn' });
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
  expect(await network()).toEqual({
    title: 'network',
    state: 'ok',
    detail: `through the proxy proxy.example:3128, certificate authorities of ${ca}`,
  });
  expect((await test.run(['install', '--host', 'cursor'])).stdout).not.toContain('Stored from');
  rmSync(ca);
  expect(await network()).toMatchObject({ state: 'fail' });
});

it('R16: reports the line of a trailing comma that Claude Code refuses, and doctor fails', async () => {
  const text = '{\n  "model": "opus",\n}\n';
  put(text, '.claude', 'settings.json');
  const { exit, stdout, stderr } = await test.run(['install', '--host', 'claude-code']);
  expect(exit).toBe(1);
  expect(stderr).toMatch(/settings\.json has a comma after the last element at line 2, column 18/);
  expect(stdout).not.toContain('new sessions');
  expect(read('.claude', 'settings.json')).toBe(text);
  expect(await hooksIn()).toMatchObject({ state: 'fail', detail: expect.stringContaining('line 2') });
});

it('doctor warns about hooks of an earlier version until they are installed again', async () => {
  put('', '.claude', 'theirs');
  await test.run(['install', '--host', 'claude-code']);
  const text = read('.claude', 'settings.json');
  put(text.replace('"PostToolUseFailure":', '"PreToolUse":'), '.claude', 'settings.json');
  expect(await hooksIn()).toMatchObject({
    state: 'warn',
    detail: expect.stringContaining('hooks of an earlier version'),
  });
  await test.run(['install', '--host', 'claude-code']);
  expect(await hooksIn()).toMatchObject({ state: 'ok' });
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
  expect(await hooksIn()).toMatchObject({
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
  expect(await hooksIn()).toMatchObject({ state: 'ok', detail: expect.stringContaining('plugin') });
});

it('finds the folder that a variable of the host sets, and installs only the hooks with --hooks-only', async () => {
  test.env['CODEX_HOME'] = path('elsewhere');
  put('', 'elsewhere', 'theirs');
  await test.run(['install', '--host', 'all', '--hooks-only']);
  expect(readdirSync(path('elsewhere'))).toEqual(['hooks.json', 'theirs']);
  expect(await hooksIn()).toMatchObject({ state: 'ok', detail: expect.stringContaining('codex: ') });
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

it('doctor reports a settings file that cannot be read when the file can contain only plugins', async () => {
  put('', '.claude', 'settings.local.json');
  writeFileSync(path('.claude', 'settings.local.json'), Buffer.from([0x7b, 0xff]));
  expect(await hooksIn()).toMatchObject({
    state: 'fail',
    detail: expect.stringContaining('settings.local.json is not UTF-8 text'),
  });
});

it('doctor reports every host whose settings file is invalid', async () => {
  for (const file of ['.claude/settings.json', '.cursor/hooks.json', '.codex/config.toml']) put('{no', file);
  const finding = await hooksIn();
  expect(finding?.state).toBe('fail');
  expect(finding?.detail).toMatch(
    /settings\.json is not .*\n.*hooks\.json is not .*\n.*config\.toml is not /,
  );
});

it.skipIf(process.platform === 'win32')(
  'does not report that sessions are remembered when the data folder cannot be created',
  async () => {
    chmodSync(programs, 0o755);
    const install = () => test.run(['install', '--host', 'cursor']);
    const { exit, stdout, stderr } = await inLockedFolder(dirname(test.dataDir), install);
    expect(exit).toBe(1);
    expect(stdout).toContain('cursor: hooks');
    expect(stdout).not.toContain('new sessions');
    expect(stderr).toContain(`mkdir '${test.dataDir}'`);
  },
);

it('doctor names each file once, and reports missing hooks when only the MCP server is installed', async () => {
  await test.run(['install', '--host', 'cursor']);
  expect((await hooksIn())?.detail.match(/hooks\.json/g)).toHaveLength(1);
  rmSync(path('.cursor', 'hooks.json'));
  expect(await hooksIn()).toMatchObject({
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
  expect(await hooksIn()).toMatchObject({ state: 'warn', detail: expect.stringContaining('gemini-cli') });
  put('', '.cursor', 'theirs');
  await test.run(['install', '--host', 'cursor']);
  expect(await hooksIn()).toMatchObject({
    state: 'ok',
    detail: expect.stringMatching(
      /cursor: .*hooks\.json \(hooks\).*mcp\.json \(MCP server\)\nnot in gemini-cli/,
    ),
  });
  const mcp = read('.cursor', 'mcp.json');
  put(mcp.replace(process.execPath, '/gone/bin/node'), '.cursor', 'mcp.json');
  expect(await hooksIn()).toMatchObject({ state: 'fail', detail: expect.stringContaining('/gone/bin/node') });
  put(mcp, '.cursor', 'mcp.json');
  rmSync(server);
  expect(await hooksIn()).toMatchObject({ state: 'fail', detail: expect.stringContaining(server) });
});

it('refuses --settings with all hosts', async () => {
  expect(await test.run(['install', '--host', 'all', '--settings', 'x.json'])).toMatchObject({ exit: 2 });
});

it('suggests a command when no host is found, and treats an empty folder as no host', async () => {
  mkdirSync(path('.gemini'));
  expect(await hooksIn()).toMatchObject({
    state: 'warn',
    detail: 'no host was found. Supported hosts: claude-code, cursor, codex, gemini-cli, opencode',
    fix: expect.stringMatching(/install --host claude-code, or use the name of your host$/),
  });
  const { stdout } = await test.run(['install', '--host', 'all']);
  expect(stdout).toMatch(/No host was found\..*gemini-cli/);
  expect(readdirSync(path('.gemini'))).toEqual([]);
});

it('leaves no folder of a host after uninstalling from a host that was not present', async () => {
  const before = readdirSync(test.home);
  for (const host of ['claude-code', 'cursor', 'codex', 'gemini-cli', 'opencode']) {
    await test.run(['install', '--host', host]);
    await test.run(['uninstall', '--host', host]);
  }
  expect(readdirSync(test.home).filter((name) => !before.includes(name) && name !== '.claude-mem')).toEqual(
    [],
  );
});

it('uninstalls when a file is broken, and reports the file and manual additions', async () => {
  for (const host of ['codex', 'cursor']) await test.run(['install', '--host', host]);
  put(`${read('.codex', 'config.toml')}enabled = false\n`, '.codex', 'config.toml');
  put('{ "hooks": [', '.codex', 'hooks.json');
  put('{ "hooks": [', '.cursor', 'hooks.json');
  const all = await test.run(['uninstall', '--host', 'all']);
  expect(all.exit).toBe(1);
  expect(all.stdout).toContain(
    `codex: the MCP server removed from ${path('.codex', 'config.toml')}, with your additions: enabled.`,
  );
  expect(all.stdout).toContain('cursor: the MCP server removed from');
  expect(all.stderr).toMatch(/^codex: .*hooks\.json is not valid JSON at line 1, column 13/m);
  expect(existsSync(path('.cursor', 'mcp.json'))).toBe(false);
  expect(read('.codex', 'hooks.json')).toBe('{ "hooks": [');
  const one = await test.run(['uninstall', '--host', 'codex']);
  expect(one).toMatchObject({ exit: 1, stdout: '' });
});

it('reports that the worker continues to run when another host uses it', async () => {
  for (const host of ['codex', 'cursor']) await test.run(['install', '--host', host]);
  expect((await test.run(['uninstall', '--host', 'cursor'])).stdout).toContain(
    'The worker continues to run for codex.',
  );
  expect((await test.run(['uninstall', '--host', 'codex'])).stdout).not.toContain('The worker');
});

/** Writes a CLAUDE.md with a claude-mem block that the ledger lists. */
function putContextFile() {
  const block = '<claude-mem-context>\n- #1 a limit\n</claude-mem-context>';
  const file = path('repos', 'shop', 'CLAUDE.md');
  const entry = { kind: 'claude-md', root: dirname(file), state: 'kept', isNew: false, before: '\n' };
  const rest = { exclude: null, madeFolders: [], block, shown: [1], tokens: 9 };
  const ledger = JSON.stringify({ files: { [file]: { ...entry, ...rest } } });
  put(`# Mine\n\n${block}\n`, 'repos', 'shop', 'CLAUDE.md');
  mkdirSync(test.dataDir, { recursive: true });
  writeFileSync(join(test.dataDir, 'context-files.json'), ledger);
  return { file, block };
}

it('removes the context from the files that the host reads when the hooks are uninstalled, unless the plugin is enabled', async () => {
  const { file, block } = putContextFile();
  const plugin = (isOn: boolean) =>
    put(`{"enabledPlugins":{"mem@claude-mem":${isOn}}}`, '.claude', 'settings.json');
  const uninstall = (...args: string[]) => test.run(['uninstall', '--host', 'claude-code', ...args]);

  plugin(true);
  await uninstall();
  plugin(false);
  expect((await uninstall('--dry-run')).stdout).toContain(
    `The text of claude-mem would be removed from ${file}.`,
  );
  await uninstall('--project', path('repos', 'shop'));
  await test.run(['uninstall', '--host', 'cursor']);
  expect(readFileSync(file, 'utf8')).toContain(block);
  expect((await uninstall()).stdout).toContain(`Removed the text of claude-mem from ${file}.`);
  expect(readFileSync(file, 'utf8')).toBe('# Mine\n');

  const away = () => JSON.parse(readFileSync(join(test.dataDir, 'context-files.json'), 'utf8')) as object;
  expect(away()).toMatchObject({ awayKinds: ['cursor-rules', 'claude-md', 'claude-md-folder'] });
  await test.run(['install', '--host', 'claude-code']);
  expect(away()).toMatchObject({ awayKinds: ['cursor-rules'] });
});

it('removes the text from context files and names hosts that still send events when the memory is deleted', async () => {
  for (const host of ['codex', 'cursor']) await test.run(['install', '--host', host]);
  const { file } = putContextFile();
  const { exit, stdout } = await test.run(['uninstall', '--host', 'cursor', '--purge', '--yes']);
  expect(exit).toBe(0);
  expect(stdout).toContain(`Removed the text of claude-mem from ${file}.`);
  expect(readFileSync(file, 'utf8')).toBe('# Mine\n');
  expect(existsSync(test.dataDir)).toBe(false);
  expect(stdout).toMatch(
    /codex still sends events .*: remove the entries of claude-mem from .*hooks\.json and .*config\.toml\n$/,
  );
});

it('names the uninstall command when the memory is deleted', async () => {
  for (const host of ['codex', 'cursor']) await test.run(['install', '--host', host]);
  const program = join(dirname(hook), 'claude-mem.js');
  writeFileSync(program, 'console.log(process.argv.slice(2).join())');
  const { stdout } = await test.run(['uninstall', '--host', 'cursor', '--purge', '--yes']);
  const command = /To stop this: (.*)\n$/.exec(stdout)?.[1] ?? '';
  const said = execFileSync('/bin/sh', ['-c', command], {
    env: { PATH: dirname(process.execPath) },
    encoding: 'utf8',
  });
  expect(said).toBe('uninstall,--host,codex\n');
});

it('names the command that removes a plugin when the memory is deleted', async () => {
  put('{"enabledPlugins":{"mem@claude-mem":true}}', '.claude', 'settings.json');
  const { stdout } = await test.run(['uninstall', '--host', 'cursor', '--purge', '--yes']);
  expect(stdout).toMatch(
    /claude-code still sends events to a new memory. To stop this: claude plugin uninstall mem@claude-mem\n$/,
  );
});

it('shows in a dry run that the memory would be deleted, and deletes nothing', async () => {
  await test.run(['install', '--host', 'cursor']);
  const { file } = putContextFile();
  const { stdout } = await test.run(['uninstall', '--host', 'all', '--purge', '--dry-run']);
  expect(stdout.split('The text of claude-mem').slice(1)).toEqual([
    ` would be removed from ${file}.\nThe memory in ${test.dataDir} would be deleted.\n`,
  ]);
  expect(existsSync(test.dataDir)).toBe(true);
});

it.each([['..'], ['~'], ['/']])(
  'refuses to delete a memory in %s, which can contain other files',
  async (folder) => {
    put('theirs', 'notes.txt');
    await test.run(['install', '--host', 'cursor']);
    const before = readdirSync(test.home, { recursive: true }).toSorted();
    const all = ['uninstall', '--host', 'cursor', '--purge', '--yes', '--dry-run', '--data-dir', folder];
    expect(await test.run(all)).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('Delete the memory in it manually'),
    });
    expect(readdirSync(test.home, { recursive: true }).toSorted()).toEqual(before);
  },
);
