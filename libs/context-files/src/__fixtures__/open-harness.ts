import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  systemClock,
  type Clock,
  type ContextMaterial,
  type Observation,
  type Project,
  type Session,
} from '@claude-mem/core';
import { createContextFiles, type ContextFiles, type ContextFileOptions, type Git } from '../index.js';

/** A claude-mem block whose text claude-mem did not write. */
export const BLOCK = '<claude-mem-context>\nmine\n</claude-mem-context>\n';

/** Context files of a repository with synthetic records, for tests. */
export interface Harness extends Disposable {
  base: string;
  /** The repository, which has one commit. */
  root: string;
  ledgerFile: string;
  options: ContextFileOptions;
  remembered: Observation[];
  hosts: Session['host'][];
  excluded: Set<string>;
  files: ContextFiles;
  warnings: string[];
  /** Updates the files of a checkout, as after a turn. Resolves when all files are written. */
  update(folder?: string): Promise<void>;
  git(...args: string[]): string;
  gitIn(folder: string, ...args: string[]): string;
  write(path: string, text: string | Buffer): void;
  read(path: string): string;
  has(path: string): boolean;
  remember(title: string, ...filesModified: string[]): Observation;
}

const OFF: ContextFileOptions = {
  claudeMd: false,
  claudeMdFolders: false,
  cursorRules: 'auto',
  rulesTokens: 1_200,
  timeZone: 'UTC',
  emojis: { change: '📝' },
};

interface HarnessOptions {
  isRepository: boolean;
  isGitAway(): boolean;
  clock: Clock;
}

/** A clock that is ahead of the files of a test, so that no file counts as being saved. It shortens every wait. */
const HURRIED: Clock = {
  now: () => Date.now() + 5_000,
  sleep: (ms, options) => systemClock.sleep(ms / 10, options),
};

/** @param fileOptions default: no files, and the rules file only when Cursor is used */
export function openHarness(
  fileOptions: Partial<ContextFileOptions> = {},
  { isRepository = true, isGitAway = () => false, clock = HURRIED }: Partial<HarnessOptions> = {},
): Harness {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'context-files-')));
  const root = join(base, 'shop');
  mkdirSync(join(base, 'data'));
  mkdirSync(root);
  const remembered: Observation[] = [];
  const hosts: Session['host'][] = ['claude-code'];
  const excluded = new Set<string>();
  const warnings: string[] = [];
  const project: Project = { id: 1, key: root, name: 'shop', createdAtEpoch: 0 };
  const ledgerFile = join(base, 'data', 'context-files.json');
  const env = { PATH: process.env['PATH'], HOME: base, GIT_CONFIG_NOSYSTEM: '1' };
  const stop = new AbortController();
  const current = { ...OFF, ...fileOptions };
  const material = (): ContextMaterial => ({
    summaries: [],
    pinned: [],
    observations: [...remembered].reverse(),
    decisions: [],
    totalObservations: remembered.length,
  });
  const gitIn = (folder: string, ...args: string[]) =>
    execFileSync('git', [...OWN, ...args], { cwd: folder, env, stdio: 'pipe' }).toString();

  const files = createContextFiles({
    store: {
      findProject: async () => project,
      getProject: async () => project,
      getSession: async () => null,
      contextMaterial: async () => material(),
      listSessions: async () => ({
        items: hosts.map((host) => ({ host }) as Session),
        nextCursor: null,
      }),
    },
    fileOptions: () => current,
    resolveCheckout: (folder) => (excluded.has(folder) ? null : { root: folder, projectKey: root }),
    git: async (...command) => (isGitAway() ? null : realGit(env)(...command)),
    isCursorInstalled: () => existsSync(join(base, '.cursor')),
    ledgerFile,
    clock,
    logger: { debug() {}, info() {}, warn: (_, text) => void warnings.push(text ?? ''), error() {} },
    signal: stop.signal,
  });
  const running = files.run();
  const harness: Harness = {
    base,
    root,
    ledgerFile,
    options: current,
    remembered,
    hosts,
    excluded,
    files,
    warnings,
    async update(folder = root) {
      files.wake(folder);
      await files.settled();
    },
    git: (...args) => gitIn(root, ...args),
    gitIn,
    write(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    read: (path) => readFileSync(join(root, path), 'utf8'),
    has: (path) => existsSync(join(root, path)),
    remember(title, ...filesModified) {
      const made = observation(remembered.length + 1, { title, filesModified });
      remembered.push(made);
      return made;
    },
    [Symbol.dispose]() {
      stop.abort();
      void running;
      rmSync(base, { recursive: true, force: true });
    },
  };
  if (isRepository) cpSync(repositoryTemplate(env), root, { recursive: true });
  else harness.write('src/cart.ts', 'export {};\n');
  return harness;
}

let template: string | undefined;

/** A repository with one commit. It is created once; every harness has a copy. */
function repositoryTemplate(env: NodeJS.ProcessEnv): string {
  if (template !== undefined) return template;
  const folder = mkdtempSync(join(tmpdir(), 'context-files-template-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src', 'cart.ts'), 'export {};\n');
  const git = (...args: string[]) => execFileSync('git', [...OWN, ...args], { cwd: folder, env });
  git('init', '-q', '-b', 'main');
  rmSync(join(folder, '.git', 'hooks'), { recursive: true });
  git('add', '-A');
  git('commit', '-qm', 'Begin');
  return (template = folder);
}

const OWN = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'protocol.file.allow=always'];

const realGit =
  (env: NodeJS.ProcessEnv): Git =>
  (folder, args, input = '') =>
    new Promise((resolve) => {
      const child = execFile('git', [...args], { cwd: folder, env }, (error, stdout) => {
        const exitCode = error === null ? 0 : error.code;
        resolve(typeof exitCode === 'number' ? { exitCode, stdout } : null);
      });
      child.stdin?.on('error', () => undefined); // git can end without reading its input
      child.stdin?.end(input);
    });

const observation = (id: number, fields: Partial<Observation>): Observation => ({
  id,
  uid: `uid-${id}`,
  sessionId: 1,
  projectId: 1,
  promptNumber: 1,
  type: 'change',
  title: null,
  subtitle: null,
  narrative: null,
  facts: [],
  concepts: [],
  filesRead: [],
  filesModified: [],
  discoveryTokens: 0,
  contentHash: `hash-${id}`,
  source: 'observer',
  provider: 'local',
  model: null,
  agentId: null,
  agentType: null,
  pinned: false,
  supersededBy: null,
  createdAtEpoch: Date.UTC(2026, 10, 1) + id * 60_000,
  updatedAtEpoch: Date.UTC(2026, 10, 1) + id * 60_000,
  ...fields,
});
