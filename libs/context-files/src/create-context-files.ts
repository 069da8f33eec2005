import { existsSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import {
  messageOf,
  noopLogger,
  pause,
  type Clock,
  type HostName,
  type Logger,
  yieldToEventLoop,
} from '@claude-mem/core';
import type { AlreadyProvided } from '@claude-mem/context-render';
import { findWrittenBlock } from './find-written-block.js';
import type { ChangeOutcome } from './change-file.js';
import { readSnapshot } from './file-snapshot.js';
import { openCheckout, type Git, type GitPathInfo } from './git.js';
import { syncFile, removeContextFile, type SyncOptions } from './sync-file.js';
import { readLedger, writeLedger, type ContextFileKind, type Ledger, type LedgerEntry } from './ledger.js';
import { formatReason } from './format-reason.js';
import { RULES_PATH } from './rules-frame.js';
import {
  isBareRepository,
  renderContextFiles,
  type ContextFileStore,
  type ContextFileOptions,
  type RenderedFile,
} from './render-context-files.js';

export interface CreateContextFilesOptions {
  store: ContextFileStore;
  /** Returns the current settings of the files. */
  fileOptions: () => ContextFileOptions;
  /** Returns the checkout of a folder and its project. Null when files are not allowed: no project, excluded or disabled. */
  resolveCheckout: (folder: string) => { root: string; projectKey: string } | null;
  git: Git;
  /** Whether Cursor is installed on this machine. */
  isCursorInstalled: () => boolean;
  /** Path of the ledger, which records the changes of each file. */
  ledgerFile: string;
  clock: Clock;
  logger?: Logger;
  signal: AbortSignal;
}

/** State of a context file. */
export interface ContextFileReport {
  /** Relative to the root, with `/`. */
  path: string;
  kind: ContextFileKind;
  /** `kept`: maintained. `away`: removed by the user and not written again. `left`: skipped for `reason`. */
  state: 'kept' | 'away' | 'left';
  records: number;
  tokens: number;
  reason: string | null;
}

export interface ContextFiles {
  /** Schedules an update of the files of a checkout. Calls in quick succession cause one update. */
  wake(folder: string): void;
  /** Schedule the same for the folder of a session, for all checkouts of a project, and for all checkouts with context files. */
  wakeSession(sessionId: number): Promise<void>;
  wakeProject(projectId: number): Promise<void>;
  wakeAll(): void;
  /** Runs scheduled updates until `signal` is aborted. */
  run(): Promise<void>;
  /** Resolves when no update is scheduled or running. */
  settled(): Promise<void>;
  /** Lists the context files of a checkout. */
  report(folder: string): ContextFileReport[];
  /** Removes all context files of a checkout until `restore`. */
  remove(folder: string): Promise<ContextFileReport[]>;
  /** Writes removed files again. */
  restore(folder: string): Promise<ContextFileReport[]>;
  /** Returns the context that the host already reads from a file, or null. */
  findProvided(host: HostName, folder: string): AlreadyProvided | null;
  /** Returns one sentence for each skipped file. */
  problems(): readonly string[];
}

const BATCH_MS = 400;
const RETRY_MS = 1_000;
const MAX_ATTEMPTS = 20;
const MAX_MANUAL_ATTEMPTS = 4;

/** Creates the service that maintains context files. Processes one checkout at a time. */
export function createContextFiles(options: CreateContextFilesOptions): ContextFiles {
  const {
    store,
    fileOptions,
    resolveCheckout,
    git,
    ledgerFile,
    clock,
    signal,
    logger = noopLogger,
  } = options;
  /** Scheduled checkouts with their number of earlier attempts. */
  const due = new Map<string, number>();
  const problemsByPath = new Map<string, { root: string; reason: string }>();
  const ownWrites = new Map<string, number>();
  const waiting: (() => void)[] = [];
  let isRunning = false;
  let wakeUp: () => void = () => undefined;
  let turn: Promise<unknown> = Promise.resolve();

  /** Runs one operation at a time, including commands of the user. */
  const enqueue = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  };
  const wake = (root: string, tries = 0) => {
    if (!due.has(root)) due.set(root, tries);
    wakeUp();
  };
  const findRoot = (folder: string) => resolveCheckout(folder)?.root ?? folder;

  /** @param isLast true for the last attempt. A busy file is then reported as a problem */
  async function syncCheckout(root: string, { isLast = false } = {}): Promise<ChangeOutcome> {
    for (const [path, { root: of }] of problemsByPath) if (of === root) problemsByPath.delete(path);
    const ledger = readLedger(ledgerFile);
    if (!existsSync(root)) return cleanMissingCheckout(root, ledger);
    if (realpathSync.native(root) !== root) return followLink(root, ledger);
    const targets = await listTargets(root, ledger);
    const syncOptions = createSyncOptions(root, ledger, targets.files);
    const attempt = async (path: string, work: () => Promise<ChangeOutcome>) => {
      const outcome = await runGuarded(path, syncOptions, work);
      if (outcome === 'busy' && isLast)
        syncOptions.reportProblem(path, 'another program saves it repeatedly');
      return outcome;
    };
    const targetPaths = new Set(targets.files.map((file) => join(root, file.path)));
    const others = [...ledger.files].filter(([path, entry]) => entry.root === root && !targetPaths.has(path));
    const removed = await runStaggered(others, ([path, entry]) => {
      // a file that the user removed stays removed while its setting is on
      const state = entry.state === 'away' && targets.isOn(entry.kind) ? 'away' : 'forgotten';
      return attempt(path, () => removeContextFile(path, { state }, syncOptions));
    });
    const synced = await runStaggered(targets.files, (file) =>
      attempt(join(root, file.path), () => syncFile(file, syncOptions)),
    );
    return [...removed, ...synced].includes('busy') ? 'busy' : 'done';
  }

  /** Keeps the entries of a missing checkout, which can return. Removes exclude lines of a deleted worktree from its repository. */
  async function cleanMissingCheckout(root: string, ledger: Ledger): Promise<ChangeOutcome> {
    for (const [path, entry] of [...ledger.files])
      if (entry.root === root && entry.exclude !== null && existsSync(entry.exclude.file))
        await removeContextFile(path, { state: 'forgotten' }, createSyncOptions(root, ledger));
    return 'done';
  }

  /** Moves the ledger entries of a checkout that was replaced by a link to its new path. */
  function followLink(root: string, ledger: Ledger): ChangeOutcome {
    const target = realpathSync.native(root);
    const toNewPath = (path: string) =>
      path.startsWith(root + sep) ? join(target, relative(root, path)) : path;
    for (const [path, entry] of [...ledger.files]) {
      if (entry.root !== root) continue;
      ledger.files.delete(path);
      const known = ledger.files.get(toNewPath(path));
      const isOtherFile =
        known === undefined
          ? findWrittenBlock(readSnapshot(toNewPath(path)), entry) === null
          : known.isNew || known.before !== '';
      if (!isOtherFile) ledger.files.set(toNewPath(path), moveEntry(entry, target, toNewPath));
    }
    writeLedger(ledgerFile, ledger);
    wake(target);
    return 'done';
  }

  async function listTargets(root: string, ledger: Ledger) {
    const nothing = { files: [], isOn: () => false };
    const resolved = resolveCheckout(root);
    if (resolved?.root !== root || !isRealFolder(root) || isBareRepository(root)) return nothing;
    const project = await store.findProject(resolved.projectKey);
    if (project === null) return nothing;
    const current = fileOptions();
    const isOn = (kind: ContextFileKind) => isSwitchedOn(kind, current);
    if (ledger.awayRoots.has(root)) return { files: [], isOn };
    const checkout = openCheckout(root, git);
    const files = await renderContextFiles({ ...options, project, root, fileOptions: current, checkout });
    return { files: files.filter(({ kind }) => !ledger.awayKinds.has(kind)), isOn };
  }

  /** Reports a file system error as a problem of this file, so that the other files are processed. */
  async function runGuarded(
    path: string,
    syncOptions: SyncOptions,
    work: () => Promise<ChangeOutcome>,
  ): Promise<ChangeOutcome> {
    try {
      return await work();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      syncOptions.reportProblem(path, formatReason(error));
      return 'done';
    }
  }

  function createSyncOptions(root: string, ledger: Ledger, files: readonly RenderedFile[] = []): SyncOptions {
    const checkout = openCheckout(root, git);
    let answer: Promise<GitPathInfo | null> | null = null;
    return {
      root,
      ledger,
      // git runs only when needed, once for all files
      inspectGit: checkout && (() => (answer ??= checkout.inspect(files.map(({ path }) => path)))),
      save() {
        // an uninstallation may have changed the list since the ledger was read
        ledger.awayKinds = readLedger(ledgerFile).awayKinds;
        writeLedger(ledgerFile, ledger);
      },
      reportProblem(path, reason) {
        if (problemsByPath.get(path)?.reason !== reason) reportOnce(path, reason);
        problemsByPath.set(path, { root, reason });
      },
      ownWrites,
      clock,
      logger,
      signal,
    };
  }

  /** Repeats a command of the user while a file is being saved. */
  async function retryWhileBusy(work: () => Promise<ChangeOutcome>): Promise<void> {
    for (let tries = 0; tries < MAX_MANUAL_ATTEMPTS && !signal.aborted; tries += 1) {
      if ((await work()) === 'done') return;
      await pause(clock, RETRY_MS, signal);
    }
  }

  const reported = new Set<string>();
  const reportOnce = (path: string, reason: string) => {
    const key = `${path}\0${reason}`;
    if (!reported.has(key)) logger.warn({ path, reason }, 'Skipped a context file');
    reported.add(key);
  };

  async function runRound(): Promise<void> {
    const roots = [...due];
    due.clear();
    for (const [root, tries] of roots) {
      if (signal.aborted) return;
      try {
        const outcome = await enqueue(() => syncCheckout(root, { isLast: tries === MAX_ATTEMPTS }));
        if (outcome === 'busy' && tries < MAX_ATTEMPTS) due.set(root, tries + 1);
      } catch (error) {
        if (signal.aborted) return;
        logger.warn({ error, root }, 'Could not update the context files of a project');
      }
    }
  }

  /** Returns an empty ledger when it cannot be read, so that readers do not fail. */
  const readLedgerSafely = (): Ledger => {
    try {
      return readLedger(ledgerFile);
    } catch (error) {
      reportOnce(ledgerFile, messageOf(error));
      return { files: new Map(), awayRoots: new Set(), awayKinds: new Set() };
    }
  };
  const report = (folder: string) => createReport(findRoot(folder), readLedgerSafely(), problemsByPath);
  const allRoots = () => new Set([...readLedgerSafely().files.values()].map(({ root }) => root));

  return {
    wake: (folder) => wake(findRoot(folder)),
    async wakeSession(sessionId) {
      const session = await store.getSession(sessionId);
      if (session === null || session.cwd === null) return;
      const checkout = resolveCheckout(session.cwd);
      const project = await store.getProject(session.projectId);
      if (checkout !== null && checkout.projectKey === project?.key) wake(checkout.root);
    },
    async wakeProject(projectId) {
      const project = await store.getProject(projectId);
      if (project === null) return;
      if (resolveCheckout(project.key)?.projectKey === project.key) wake(findRoot(project.key));
      for (const root of allRoots()) if (resolveCheckout(root)?.projectKey === project.key) wake(root);
    },
    wakeAll() {
      for (const root of allRoots()) wake(root);
    },
    async run() {
      signal.addEventListener('abort', () => wakeUp(), { once: true });
      while (!signal.aborted) {
        if (due.size === 0) await new Promise<void>((resolve) => void (wakeUp = resolve));
        const isRetry = [...due.values()].some((tries) => tries > 0);
        await pause(clock, isRetry ? RETRY_MS : BATCH_MS, signal);
        isRunning = true;
        await runRound();
        isRunning = false;
        if (due.size === 0 || signal.aborted) for (const resolve of waiting.splice(0)) resolve();
      }
    },
    settled: () =>
      new Promise((resolve) => {
        if ((due.size === 0 && !isRunning) || signal.aborted) resolve();
        else waiting.push(resolve);
      }),
    report,
    remove: (folder) =>
      enqueue(async () => {
        const root = findRoot(folder);
        const ledger = readLedger(ledgerFile);
        const syncOptions = createSyncOptions(root, ledger);
        ledger.awayRoots.add(root);
        syncOptions.save();
        await retryWhileBusy(async () => {
          const outcomes: ChangeOutcome[] = [];
          for (const [path, entry] of [...ledger.files])
            if (entry.root === root)
              outcomes.push(
                await runGuarded(path, syncOptions, () =>
                  removeContextFile(path, { state: 'away' }, syncOptions),
                ),
              );
          return outcomes.includes('busy') ? 'busy' : 'done';
        });
        return report(root);
      }),
    restore: (folder) =>
      enqueue(async () => {
        const root = findRoot(folder);
        const ledger = readLedger(ledgerFile);
        ledger.awayRoots.delete(root);
        for (const [path, entry] of [...ledger.files])
          if (entry.root === root && entry.state === 'away') ledger.files.delete(path);
        writeLedger(ledgerFile, ledger);
        await retryWhileBusy(() => syncCheckout(root));
        return report(root);
      }),
    findProvided(host, folder) {
      const kind = KIND_BY_HOST[host];
      if (kind === undefined || !isSwitchedOn(kind, fileOptions())) return null;
      const root = findRoot(folder);
      for (const [path, entry] of readLedgerSafely().files) {
        if (entry.root !== root || entry.kind !== kind || entry.state !== 'kept') continue;
        const text = findWrittenBlock(readSnapshot(path), entry);
        if (text !== null) return { shown: entry.shown, tokens: entry.tokens, text };
      }
      return null;
    },
    problems: () =>
      [...problemsByPath].map(([path, { reason }]) => `The context file ${path} was skipped: ${reason}.`),
  };
}

/** Starts the work for one item after the other and yields to hooks in between. The waits of the items overlap. */
async function runStaggered<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<ChangeOutcome>,
): Promise<ChangeOutcome[]> {
  const started: Promise<ChangeOutcome>[] = [];
  let turn = Promise.resolve();
  for (const item of items) {
    turn = turn.then(yieldToEventLoop);
    started.push(turn.then(() => work(item)));
  }
  const ended = await Promise.allSettled(started);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return Promise.all(started);
}

/** The context file that each host reads at a session start. */
const KIND_BY_HOST: Partial<Record<HostName, ContextFileKind>> = {
  'claude-code': 'claude-md',
  cursor: 'cursor-rules',
};

function isSwitchedOn(
  kind: ContextFileKind,
  { claudeMd, claudeMdFolders, cursorRules }: ContextFileOptions,
): boolean {
  if (kind === 'claude-md') return claudeMd;
  return kind === 'claude-md-folder' ? claudeMdFolders : cursorRules !== 'false';
}

const moveEntry = (entry: LedgerEntry, root: string, toNewPath: (path: string) => string): LedgerEntry => ({
  ...entry,
  root,
  exclude: entry.exclude && { ...entry.exclude, file: toNewPath(entry.exclude.file) },
  madeFolders: entry.madeFolders.map(toNewPath),
});

function isRealFolder(root: string): boolean {
  try {
    return realpathSync.native(root) === root;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}

function toKind(path: string): ContextFileKind {
  if (path === RULES_PATH) return 'cursor-rules';
  return path === 'CLAUDE.md' ? 'claude-md' : 'claude-md-folder';
}

function createReport(
  root: string,
  ledger: Ledger,
  problemsByPath: ReadonlyMap<string, { root: string; reason: string }>,
): ContextFileReport[] {
  const reports = new Map<string, ContextFileReport>();
  for (const [path, { root: of, kind, state, block, shown, tokens }] of ledger.files)
    if (of === root && (state === 'away' || block !== ''))
      reports.set(path, {
        path: relative(root, path),
        kind,
        state,
        records: shown.length,
        tokens,
        reason: null,
      });
  for (const [path, { root: of, reason }] of problemsByPath) {
    if (of !== root) continue;
    const inRoot = relative(root, path);
    const known = reports.get(path) ?? { path: inRoot, kind: toKind(inRoot), records: 0, tokens: 0 };
    reports.set(path, { ...known, state: 'left', reason });
  }
  return [...reports.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
