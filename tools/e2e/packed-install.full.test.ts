import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import {
  claudePayloads,
  createTempHome,
  processesOf,
  runHook,
  runProgram,
  waitFor,
  waitUntilDrained,
  workspacePaths,
  type Environment,
  type HookRun,
  type TempHome,
} from '@claude-mem/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findMissingTools, findNodeHeaders } from '../build-sqlite.mjs';

const { root } = workspacePaths;
const cache = path.join(root, 'node_modules', '.cache', 'claude-mem-e2e');

const NPM_11 = '11.19.1';
const NPM_12 = '12.2.2';
/** Pairs of a Node version and an npm version. */
const COMBINATIONS = [
  ['20.20.2', NPM_11],
  ['22.23.3', NPM_11],
  ['24.21.0', NPM_11],
  ['22.23.3', NPM_12],
  ['24.21.0', NPM_12],
] as const;

/** The only programs in PATH, for npm, hook.sh and the worker. They include no compiler, make or Python. */
const BASIC_PROGRAMS =
  'cat curl cut date env git grep head ls mkdir mv ps readlink rm rmdir sed setsid sh sleep sort stat tail timeout touch tr uname wc';

/** Settings with a key order and spacing that no JSON formatter writes. */
const SETTINGS = '{\n    "theme":"dark",   "zebra": [1,  2],\n  "model": "opus" }';

const INSTALL_TIMEOUT_MS = 1_200_000;

/** npm needs the registry and proxy settings of the caller to download packages. */
const npmEnvironment: Environment = {
  npm_config_cache: path.join(cache, 'npm'),
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value && /^(NODE_EXTRA_CA_CERTS|npm_config_registry|(https?|no)_proxy)$/i.test(name)
        ? [[name, value]]
        : [],
    ),
  ),
};

/** @returns the folder of the package, which is downloaded once; null when npm cannot download it */
async function download(home: TempHome, name: string, version: string): Promise<string | null> {
  const folder = path.join(cache, `${name}-${version}`);
  const installed = path.join(folder, 'node_modules', name);
  if (existsSync(installed)) return installed;
  const partial = `${folder}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  const npm = await runProgram(
    'npm',
    ['install', '--prefix', partial, '--ignore-scripts', `${name}@${version}`],
    { cwd: partial, env: { ...home.env, ...npmEnvironment }, timeoutMs: INSTALL_TIMEOUT_MS },
  );
  if (npm.exit === 0) renameSync(partial, folder);
  rmSync(partial, { recursive: true, force: true });
  return npm.exit === 0 ? installed : null;
}

/**
 * Creates a folder with this Node, this npm and the basic programs.
 * @returns a PATH of that folder, and of the caller's PATH when the installation needs a compiler
 */
function createPath(home: TempHome, node: string, npm: string, needsCompiler: boolean): string {
  const folder = path.join(home.root, 'bin');
  mkdirSync(folder);
  symlinkSync(node, path.join(folder, 'node'));
  symlinkSync(path.join(npm, 'bin', 'npm-cli.js'), path.join(folder, 'npm'));
  const callerPath = process.env['PATH'] ?? '';
  if (needsCompiler) return `${folder}:${callerPath}`;
  for (const program of BASIC_PROGRAMS.split(' ')) {
    const parent = callerPath.split(':').find((one) => existsSync(path.join(one, program)));
    if (parent) symlinkSync(path.join(parent, program), path.join(folder, program));
  }
  return folder;
}

describe.runIf(process.platform === 'linux')('the packed packages, installed by npm', () => {
  let packing: TempHome;
  let tarballs: string;

  beforeAll(async () => {
    packing = await createTempHome();
    tarballs = path.join(packing.root, 'tarballs');
    mkdirSync(tarballs);
    const workspaces = ['libs', 'apps']
      .flatMap((parent) => readdirSync(path.join(root, parent)).map((name) => path.join(parent, name)))
      .filter((folder) => {
        const manifest = readFileSync(path.join(root, folder, 'package.json'), 'utf8');
        return !(JSON.parse(manifest) as { private?: boolean }).private;
      });
    const npm = await runProgram(
      'npm',
      ['pack', '--ignore-scripts', '--pack-destination', tarballs, ...workspaces.map((one) => `./${one}`)],
      { cwd: root, env: packing.env, timeoutMs: 120_000 },
    );
    expect(npm.exit, npm.stderr).toBe(0);
    expect(readdirSync(tarballs)).toHaveLength(workspaces.length);
  }, 150_000);

  afterAll(() => packing[Symbol.asyncDispose]());

  it.for(COMBINATIONS)(
    'start, record, search and stop on Node %s with npm %s',
    { timeout: 2 * INSTALL_TIMEOUT_MS },
    async ([nodeVersion, npmVersion], { skip }) => {
      await using home = await createTempHome();
      const nodePackage = await download(home, `node-linux-${process.arch}`, nodeVersion);
      if (!nodePackage) return skip(`Node ${nodeVersion} cannot be downloaded`);
      const npmPackage = await download(home, 'npm', npmVersion);
      if (!npmPackage) return skip(`npm ${npmVersion} cannot be downloaded`);

      const node = path.join(nodePackage, 'bin', 'node');
      // Only the SQLite driver for Node 20 is compiled during the installation.
      const needsCompiler = nodeVersion.startsWith('20.');
      home.env['PATH'] = createPath(home, node, npmPackage, needsCompiler);
      const folder = path.join(home.root, 'elsewhere');
      const bin = path.join(folder, 'node_modules', '.bin');
      cpSync(tarballs, folder, { recursive: true });
      const run = (program: string, args: readonly string[], env: Environment = {}, timeoutMs = 60_000) =>
        runProgram(program, args, { cwd: folder, env: { ...home.env, ...env }, timeoutMs });
      const succeed = async (running: Promise<HookRun>): Promise<string> => {
        const { exit, stdout, stderr } = await running;
        expect({ exit, stderr }, stdout).toEqual({ exit: 0, stderr: '' });
        return stdout;
      };
      const claudeMem = (...args: readonly string[]) =>
        succeed(run(path.join(bin, 'claude-mem'), args, {}, 120_000));

      const abi = (await succeed(run(node, ['-p', 'process.versions.modules']))).trim();
      expect((await succeed(run('npm', ['--version']))).trim()).toBe(npmVersion);
      expect(findMissingTools({ PATH: home.env['PATH'] })).toHaveLength(needsCompiler ? 0 : 3);
      const headers = findNodeHeaders({ execPath: node, abi });
      const install = await run(
        'npm',
        ['install', ...readdirSync(tarballs).map((name) => `./${name}`)],
        { ...npmEnvironment, ...(headers && { npm_config_nodedir: headers }) },
        INSTALL_TIMEOUT_MS,
      );
      expect(install.exit, install.stderr).toBe(0);

      await claudeMem('start');
      const payloads = claudePayloads({ cwd: home.project });
      const script = path.join(folder, 'node_modules', '@claude-mem', 'hooks-cli', 'dist', 'hook.sh');
      for (const [event, payload] of [
        ['SessionStart', payloads.sessionStart()],
        ['UserPromptSubmit', payloads.prompt('Raise the limit')],
        ['PostToolUse', payloads.toolUse()],
        ['Stop', payloads.stop('Raised the limit in src/file-1.ts.')],
      ] as const)
        await succeed(runHook(home, event, payload, { script }));
      await waitUntilDrained(home);
      // Until the vectors of the record are stored, the search prints a note to stderr.
      const search = await waitFor(
        async () => {
          const one = await run(path.join(bin, 'claude-mem'), ['search', 'limit']);
          return one.exit === 0 && one.stderr === '' ? one : null;
        },
        { what: 'a search without a note', deadlineMs: 120_000, everyMs: 500 },
      );
      expect(search.stdout).toContain('file-1.ts');
      copyFileSync(path.join(import.meta.dirname, 'search-program.mjs'), path.join(folder, 'search.mjs'));
      const found = await succeed(run('node', ['search.mjs', home.dataDir, 'limit', 'file-1.ts']));
      expect(found).toContain('file-1.ts');

      const settings = ['.claude/settings.json', '.claude.json'].map((name) => path.join(home.home, name));
      const readSettings = () => settings.map((file) => readFileSync(file, 'utf8'));
      mkdirSync(path.join(home.home, '.claude'));
      for (const file of settings) writeFileSync(file, SETTINGS);
      await claudeMem('install', '--host', 'claude-code');
      for (const text of readSettings()) expect(text).toContain(path.join(folder, 'node_modules'));
      const diagnostics = (await claudeMem('doctor')).trim().split('\n');
      expect(diagnostics.filter((line) => /^(?!ok )\S/.test(line))).toEqual([]);
      expect(await claudeMem('stop')).toContain('stopped');
      await claudeMem('uninstall', '--host', 'claude-code');
      expect(readSettings()).toEqual([SETTINGS, SETTINGS]);
      expect(processesOf(home.dataDir)).toEqual([]);
    },
  );
});
