import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  claudePayloads,
  createTempHome,
  readHealth,
  runHook,
  runningWorkerPid,
  runProgram,
  spooledFiles,
  startWorker,
  stopWorker,
  visitViewer,
  waitFor,
  waitUntilDrained,
  workspacePaths,
  type TempHome,
} from '@claude-mem/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copySqlite } from './copy-packages.js';
import { playTurn } from './play-turn.js';

const { root } = workspacePaths;

interface Manifest {
  name: string;
  version: string;
  private?: boolean;
  scripts?: Record<string, string>;
  bin?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

interface Packed {
  name: string;
  filename: string;
  files: readonly { path: string }[];
}

const folders = ['libs', 'apps'].flatMap((parent) =>
  readdirSync(path.join(root, parent)).map((name) => path.join(root, parent, name)),
);
const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
const manifests = [root, path.join(root, 'tools'), ...folders].map(manifestOf);
const published = folders.map(manifestOf).filter((manifest) => !manifest.private);

describe('published packages', () => {
  let home: TempHome;
  let packed: readonly Packed[];

  beforeAll(async () => {
    home = await createTempHome({ name: 'packed home', env: { CLAUDE_MEM_EMBEDDER: 'none' } });
    const destination = path.join(home.root, 'tarballs');
    mkdirSync(destination);
    const workspaces = published.flatMap(({ name }) => ['--workspace', name]);
    const npm = await runProgram(
      'npm',
      ['pack', '--json', '--ignore-scripts', '--pack-destination', destination, ...workspaces],
      { cwd: root, env: home.env, timeoutMs: 60_000 },
    );
    expect(npm.exit, npm.stderr).toBe(0);
    packed = JSON.parse(npm.stdout) as Packed[];
  }, 90_000);

  afterAll(() => home[Symbol.asyncDispose]());

  /** Unpacks both apps like npm, with the native module as their only dependency. */
  async function install(): Promise<string> {
    const modules = path.join(home.root, 'elsewhere', 'node_modules');
    if (existsSync(modules)) return modules;
    for (const name of ['@claude-mem/worker', '@claude-mem/hooks-cli']) {
      const target = path.join(modules, name);
      mkdirSync(target, { recursive: true });
      const tarball = packed.find((one) => one.name === name)?.filename ?? '';
      const file = path.join(home.root, 'tarballs', path.basename(tarball));
      const tar = await runProgram('tar', ['-xzf', file, '--strip-components=1', '-C', target], {
        cwd: home.root,
        env: home.env,
      });
      expect(tar.exit, tar.stderr).toBe(0);
    }
    copySqlite(modules);
    return modules;
  }

  it('B028: run from another folder and load no file of the source folder', async () => {
    const modules = await install();
    const cli = path.join(modules, '@claude-mem', 'hooks-cli', 'dist');
    const payloads = claudePayloads({ cwd: home.project });
    const fire = (event: string, payload: unknown) =>
      runHook(home, event, payload, { script: path.join(cli, 'hook.sh') });
    const start = await fire('SessionStart', payloads.sessionStart());
    expect(start).toMatchObject({ exit: 0, stderr: '' });
    await fire('UserPromptSubmit', payloads.prompt('Raise the limit'));
    await fire('PostToolUse', payloads.toolUse());
    await fire('Stop', payloads.stop('The limit is 1 now.'));
    await waitUntilDrained(home);
    const pid = runningWorkerPid(home);
    const maps = readFileSync(`/proc/${pid}/maps`, 'utf8');
    expect(maps).toContain(`${modules}/better-sqlite3`);
    expect(maps).not.toContain(`${root}/`);
    const opened = await runProgram(process.execPath, [path.join(cli, 'claude-mem.js'), 'open', '--print'], {
      cwd: home.project,
      env: home.env,
    });
    const { html, script } = await visitViewer(opened.stdout.trim());
    expect(html).toContain('<div id="root">');
    expect(script.length).toBeGreaterThan(10_000);
    await stopWorker(home);
  });

  it('B028: contain no bundle with the path of the folder in which it was built', () => {
    const builds = ['worker', 'hooks-cli', 'mcp-server'].map((app) => path.join(root, 'apps', app, 'dist'));
    const files = builds.flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name)),
    );
    expect(files.length).toBeGreaterThan(2);
    expect(files.filter((file) => readFileSync(file, 'utf8').includes(root))).toEqual([]);
  });

  it('B029: print the help and pass the syntax check on plain Node.js with an empty environment', async () => {
    const modules = await install();
    const cli = path.join(modules, '@claude-mem', 'hooks-cli', 'dist');
    const env = { HOME: home.home, CLAUDE_MEM_DATA_DIR: home.dataDir, PATH: '/usr/bin:/bin' };
    const run = (args: readonly string[]) =>
      runProgram(process.execPath, args, { cwd: home.root, env, input: '{}' });
    const help = await run([path.join(cli, 'claude-mem.js'), '--help']);
    expect(help).toMatchObject({ exit: 0, stderr: '' });
    expect(help.stdout).toContain('claude-mem');
    const programs = readdirSync(cli).filter((name) => /\.(js|cjs|mjs)$/.test(name));
    for (const program of programs) {
      const checked = await run(['--check', path.join(cli, program)]);
      expect(checked, program).toMatchObject({ exit: 0, stderr: '' });
    }
  });

  it('B030: have the same version as all manifests, the command and the worker', async () => {
    const { version } = manifestOf(root);
    expect(manifests.filter((manifest) => manifest.version !== version)).toEqual([]);
    const ranges = manifests.flatMap(({ dependencies, devDependencies }) =>
      Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) =>
        name.startsWith('@claude-mem/'),
      ),
    );
    expect(ranges.filter(([, range]) => range !== `^${version}`)).toEqual([]);
    const modules = await install();
    const command = path.join(modules, '@claude-mem', 'hooks-cli', 'dist', 'claude-mem.js');
    const output = await runProgram(process.execPath, [command, '--version'], {
      cwd: home.root,
      env: home.env,
    });
    expect(output.stdout.trim()).toMatch(new RegExp(`(^|\\s)${version.replaceAll('.', '\\.')}$`));
    const main = path.join(modules, '@claude-mem', 'worker', 'dist', 'main.js');
    await using worker = await startWorker(home, { main });
    expect((await readHealth(home)).version).toBe(version);
    expect(worker.pid).toBeGreaterThan(0);
  });

  it('B031: report the native module and the repair command, keep events and change no data when the module does not load', async () => {
    const modules = path.join(home.root, 'broken', 'node_modules');
    cpSync(await install(), modules, { recursive: true });
    await using other = await createTempHome({ env: { CLAUDE_MEM_EMBEDDER: 'none' } });
    {
      await using _worker = await startWorker(other);
      await playTurn(other, { cwd: other.project });
      await waitUntilDrained(other);
    }
    const hash = () =>
      createHash('sha256')
        .update(readFileSync(path.join(other.dataDir, 'claude-mem.db')))
        .digest('hex');
    const before = hash();
    const natives = readdirSync(modules, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && entry.name.endsWith('.node'),
    );
    for (const native of natives) writeFileSync(path.join(native.parentPath, native.name), 'not a library');
    const script = path.join(modules, '@claude-mem', 'hooks-cli', 'dist', 'hook.sh');
    const payloads = claudePayloads({ cwd: other.project });
    for (const [event, payload] of [
      ['SessionStart', payloads.sessionStart()],
      ['PostToolUse', payloads.toolUse()],
      ['Stop', payloads.stop()],
    ] as const) {
      expect(await runHook(other, event, payload, { script })).toMatchObject({ exit: 0, stderr: '' });
    }
    const health = await waitFor(async () => await readHealth(other).catch(() => null), {
      what: 'a live worker',
    });
    expect(health).toMatchObject({ live: true, ready: false });
    const { reason = '' } = await waitFor(
      async () => {
        const state = await readHealth(other);
        return state.reason && state.status === 'failed' ? state : null;
      },
      { what: 'a reason' },
    );
    expect(reason).toMatch(/better-sqlite3/);
    expect(reason).toMatch(/npm (rebuild|install|ci)/);
    expect(reason).not.toContain('\n');
    const spooled = spooledFiles(other).map((name) => name.split('.')[1]);
    expect(new Set(spooled)).toEqual(new Set(['SessionStart', 'PostToolUse', 'Stop']));
    expect(hash()).toBe(before);
  });

  it('B032: contain no agent instructions, development settings, sources or tests', () => {
    const unwanted =
      /(^|\/)(CLAUDE|AGENTS|GEMINI|COPILOT[-\w]*)\.md$|(^|\/)\.(mcp\.json|claude|cursor|codex|gemini|github|env)|(^|\/)src\/|\.test\.|tsbuildinfo$|tsconfig|__fixtures__/i;
    expect(packed.map(({ name }) => name).toSorted()).toEqual(published.map(({ name }) => name).toSorted());
    const found = packed.flatMap(({ name, files }) =>
      files.filter((file) => unwanted.test(file.path)).map((file) => `${name}: ${file.path}`),
    );
    expect(found).toEqual([]);
    for (const { name, files } of packed) {
      expect(
        files.some((file) => file.path.startsWith('dist/')),
        `${name} holds its build`,
      ).toBe(true);
    }
  });

  it('are built before they are packed', () => {
    for (const { scripts, name } of published) expect(scripts?.['prepack'], name).toBeDefined();
  });

  it('B028: contain every chunk that the worker loads later', async () => {
    const dist = path.join(await install(), '@claude-mem', 'worker', 'dist');
    const seen = new Set<string>();
    const follow = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      const text = readFileSync(file, 'utf8');
      for (const [, target] of text.matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"\n]+\.js)"/g))
        follow(path.resolve(path.dirname(file), target ?? ''));
    };
    follow(path.join(dist, 'main.js'));
    expect(seen.size).toBeGreaterThan(5);
    expect([...seen].some((file) => readFileSync(file, 'utf8').includes('api.anthropic.com'))).toBe(true);
  });

  it('B039: contain no carriage return, regardless of the line endings of the checkout', async () => {
    const modules = await install();
    for (const app of ['worker', 'hooks-cli']) {
      const dist = path.join(modules, '@claude-mem', app, 'dist');
      const files = readdirSync(dist).filter((name) => /\.(sh|js|cjs|mjs|json)$/.test(name));
      const bad = files.filter((name) => /\r\n/.test(readFileSync(path.join(dist, name), 'utf8')));
      expect(bad).toEqual([]);
    }
    const copy = path.join(home.root, 'checkout');
    mkdirSync(path.join(copy, 'apps', 'hooks-cli', 'src'), { recursive: true });
    const git = (...args: string[]) => runProgram('git', args, { cwd: copy, env: home.env });
    cpSync(path.join(root, '.gitattributes'), path.join(copy, '.gitattributes'));
    const script = path.join('apps', 'hooks-cli', 'src', 'hook.sh');
    writeFileSync(path.join(copy, script), readFileSync(path.join(root, script)));
    await git('init', '-q');
    await git('add', '.gitattributes', script);
    await git('-c', 'core.autocrlf=true', 'checkout-index', '--force', '--all');
    expect(readFileSync(path.join(copy, script), 'utf8')).not.toContain('\r');
  });
});
