import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { useInstallHome } from '../testing/use-install-home.js';

const { test, programs, path, read, put } = useInstallHome();

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
  const program = join(dirname(programs.hook), 'claude-mem.js');
  writeFileSync(program, 'console.log(process.argv.slice(2).join())');
  const { stdout } = await test.run(['uninstall', '--host', 'cursor', '--purge', '--yes']);
  const command = /To stop this: (.*)\n$/.exec(stdout)?.[1] ?? '';
  const errors = execFileSync('/bin/sh', ['-c', command], {
    env: { PATH: dirname(process.execPath) },
    encoding: 'utf8',
  });
  expect(errors).toBe('uninstall,--host,codex\n');
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
