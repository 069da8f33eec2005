import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import {
  claudePayloads,
  createTempHome,
  isFullRun,
  peekDatabase,
  runProgram,
  startWorker,
  waitUntilDrained,
  type TempHome,
} from '@claude-mem/testing';
import { describe, expect, it } from 'vitest';
import { copyPlugin, PLUGIN, readJson } from './testing/built-plugin.js';
import type { PluginHooks } from './render-hooks.js';

/** The folder in which Claude Code installs the plugin. */
const CACHE = '.claude/plugins/cache/claude-mem/mem';

async function cachedPlugin(home: TempHome, version: string) {
  const name = `${home.home.slice(home.root.length + 1)}/${CACHE}/${version}`;
  mkdirSync(dirname(join(home.root, name)), { recursive: true });
  const plugin = copyPlugin(home, name);
  for (const app of ['hooks-cli', 'worker', 'mcp-server'])
    edit(join(plugin.folder, app, 'package.json'), (text) =>
      text.replace(/"version": "[^"]*"/, `"version": "${version}"`),
    );
  edit(join(plugin.folder, 'hooks-cli/dist/hook.sh'), (text) =>
    text.replace(/version=\S+$/m, `version=${version}`),
  );
  return plugin;
}

function edit(file: string, change: (text: string) => string) {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

const install = async (home: TempHome, command: string, host = 'codex') =>
  expect(
    await runProgram(command, ['install', '--host', host], { cwd: home.project, env: home.env }),
  ).toMatchObject({ exit: 0, stderr: '' });

/** Runs the command of Codex's hooks.json for the event. */
async function fireCodex(home: TempHome, event: string, payload: unknown) {
  const { hooks } = readJson(join(home.home, '.codex/hooks.json')) as PluginHooks;
  const run = await runProgram('/bin/sh', ['-c', hooks[event]?.[0]?.hooks[0]?.command ?? 'exit 3'], {
    input: `${JSON.stringify(payload)}\n`,
    cwd: home.project,
    env: home.env,
  });
  expect(run).toMatchObject({ exit: 0, stderr: '' });
}

async function playTurn(home: TempHome) {
  const payloads = claudePayloads({ cwd: home.project });
  await fireCodex(home, 'SessionStart', payloads.sessionStart());
  await fireCodex(home, 'UserPromptSubmit', payloads.prompt('Raise the limit'));
  await fireCodex(home, 'PostToolUse', payloads.toolUse());
  await fireCodex(home, 'Stop', payloads.stop('The limit is 1 now.'));
  await waitUntilDrained(home);
  using database = peekDatabase(home);
  expect(database.rows('SELECT host, user_prompt FROM sdk_sessions')).toEqual([
    { host: 'codex', user_prompt: 'Raise the limit' },
  ]);
}

/** Starts the MCP server of Codex's config.toml as Codex does. */
function initializeServer(home: TempHome): string {
  const toml = readFileSync(join(home.home, '.codex/config.toml'), 'utf8');
  const [command, args] = ['command', 'args'].map((key) =>
    JSON.parse(new RegExp(`^${key} = (.*)$`, 'm').exec(toml)?.[1] ?? '""'),
  ) as [string, string[]];
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`;
  return spawnSync(command, args, { input, env: home.env, encoding: 'utf8' }).stdout;
}

/** Total size of the files in the folder, and the size of those that share no disk space with other folders. */
function measureFolder(folder: string): { own: number; all: number } {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const sizes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)));
  const sum = (list: typeof sizes) => list.reduce((total, { size }) => total + size, 0);
  return { own: sum(sizes.filter(({ nlink }) => nlink === 1)), all: sum(sizes) };
}

describe('programs that are copied to the data directory', () => {
  it('B028: work when the plugin that installed them is deleted', async () => {
    await using home = await createTempHome({ name: `it's a "home" of $HOME` });
    const plugin = await cachedPlugin(home, '0.1.0');
    await install(home, join(plugin.folder, 'bin/claude-mem'));
    const programs = join(home.dataDir, 'programs');
    const { own, all } = measureFolder(join(programs, readlinkSync(join(programs, 'current'))));
    expect(own).toBeLessThan(9e6);
    expect(all).toBeLessThan(50e6);
    rmSync(join(home.home, '.claude'), { recursive: true });
    await playTurn(home);
    expect(initializeServer(home)).toContain('"serverInfo"');
    const status = await runProgram(join(home.dataDir, 'bin/claude-mem'), ['doctor', '--json'], {
      cwd: home.project,
      env: home.env,
    });
    expect(JSON.parse(status.stdout)).toContainEqual(
      expect.objectContaining({ title: 'hooks', state: 'ok' }),
    );
    // this command is one of the copied programs
    await install(home, join(home.dataDir, 'bin/claude-mem'), 'cursor');
    expect(readFileSync(join(home.home, '.cursor/mcp.json'), 'utf8')).toContain(
      'programs/current/mcp-server',
    );
  });

  it('B028: work when the npx cache is deleted', async () => {
    await using home = await createTempHome();
    const modules = join(home.home, '.npm/_npx/0a1b2c/node_modules');
    for (const name of ['hooks-cli', 'worker', 'mcp-server'])
      cpSync(join(PLUGIN, name), join(modules, '@claude-mem', name), { recursive: true });
    cpSync(join(PLUGIN, 'node_modules'), modules, { recursive: true });
    cpSync(join(PLUGIN, 'LICENSE'), join(modules, 'better-sqlite3/deps/sqlite3.c'));
    const command = join(modules, '@claude-mem/hooks-cli/dist/claude-mem.js');
    chmodSync(command, 0o755);
    await install(home, command);
    rmSync(join(home.home, '.npm'), { recursive: true });
    await playTurn(home);
    expect(initializeServer(home)).toContain('"serverInfo"');
    expect(existsSync(join(home.dataDir, 'programs/current/node_modules/better-sqlite3/deps'))).toBe(false);
  });

  it('are replaced when the worker of a newer plugin starts, and older copies are deleted', async () => {
    await using home = await createTempHome();
    const programs = join(home.dataDir, 'programs');
    const seen: string[] = [];
    for (const version of ['0.1.0', '0.9.0', '0.10.0']) {
      const plugin = await cachedPlugin(home, version);
      if (seen.length === 0) await install(home, join(plugin.folder, 'bin/claude-mem'));
      for (const name of readdirSync(programs).filter((entry) => entry !== 'current'))
        utimesSync(join(programs, name), 0, 0);
      await using _worker = await startWorker(home, { main: join(plugin.folder, 'worker/dist/main.js') });
      await expect.poll(() => readlinkSync(join(programs, 'current'))).toContain(`${version}-`);
      seen.push(readlinkSync(join(programs, 'current')));
      expect(initializeServer(home)).toContain('"serverInfo"');
    }
    await expect
      .poll(() => readdirSync(programs).toSorted())
      .toEqual([...seen.slice(1), 'current'].toSorted());
    if (!isFullRun) return;
    // a session with an older plugin does not replace the programs
    const older = join(home.home, CACHE, '0.9.0');
    await using _worker = await startWorker(home, { main: join(older, 'worker/dist/main.js') });
    await playTurn(home);
    expect(readlinkSync(join(programs, 'current'))).toBe(seen.at(-1));
  });

  it.runIf(isFullRun)('are complete when several installations run and one of them is killed', async () => {
    await using home = await createTempHome();
    const plugin = await cachedPlugin(home, '0.1.0');
    const command = join(plugin.folder, 'bin/claude-mem');
    await install(home, command);
    renameSync(join(home.dataDir, 'programs'), join(home.root, 'programs'));
    const script = `"$1" install --host codex & sleep 0.3; kill -9 $!; "$1" install --host codex & "$1" install --host cursor & wait`;
    await runProgram('/bin/sh', ['-c', script, 'sh', command], { cwd: home.project, env: home.env });
    const list = (folder: string) => readdirSync(folder, { recursive: true }).toSorted();
    expect(list(join(home.dataDir, 'programs/current'))).toEqual(list(join(home.root, 'programs/current')));
    expect(initializeServer(home)).toContain('"serverInfo"');
  });
});
