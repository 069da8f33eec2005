import { existsSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { messageOf, noopLogger, pause, type Clock, type HostName, type Logger } from '@claude-mem/core';
import type { AlreadyProvided } from '@claude-mem/context-render';
import { blockAsWritten } from './block-as-written.js';
import type { ChangeOutcome } from './change-file.js';
import { readSnapshot } from './file-snapshot.js';
import { openCheckout, type Git, type GitKnowledge } from './git.js';
import { keepFile, takeAway, type KeepingOptions } from './keep-file.js';
import { readLedger, writeLedger, type ContextFileKind, type Ledger, type LedgerEntry } from './ledger.js';
import { reasonOf } from './reason-of.js';
import { RULES_PATH } from './rules-frame.js';
import {
  breathe,
  isBareRepository,
  wantedFiles,
  type ContextFileStore,
  type ContextFileOptions,
  type WantedFile,
} from './wanted-files.js';

export interface CreateContextFilesOptions {
  store: ContextFileStore;
  /** Returns the current settings of the files. */
  fileOptions: () => ContextFileOptions;
  /** The checkout that a folder lies in, and its project; null where nothing may be kept (no project, excluded, switched off). */
  placeOf: (folder: string) => { root: string; projectKey: string } | null;
  git: Git;
  /** Whether Cursor is on this machine. */
  isCursorInstalled: () => boolean;
  /** Where it is written down what was done to which file. */
  ledgerFile: string;
  clock: Clock;
  logger?: Logger;
  signal: AbortSignal;
}

/** One file that we keep, kept, or leave alone. */
export interface ContextFileReport {
  /** Relative to the root, with `/`. */
  path: string;
  kind: ContextFileKind;
  /** `away`: taken out by a person, and not written again. `left`: not touched, for a reason. */
  state: 'kept' | 'away' | 'left';
  records: number;
  tokens: number;
  reason: string | null;
}

export interface ContextFiles {
  /** The files of a checkout are looked at soon; what comes in quick succession is one look. */
  wake(folder: string): void;
  /** The same for where a session works, for all checkouts of a project, and for every one that has files of ours. */
  wakeSession(sessionId: number): Promise<void>;
  wakeProject(projectId: number): Promise<void>;
  wakeAll(): void;
  /** Does the work until aborted. */
  run(): Promise<void>;
  /** Resolves when there is nothing to look at. */
  settled(): Promise<void>;
  report(folder: string): ContextFileReport[];
  /** Takes all of ours out of a checkout, and keeps it out. */
  remove(folder: string): Promise<ContextFileReport[]>;
  /** A person wants again what was taken out. */
  restore(folder: string): Promise<ContextFileReport[]>;
  /** What a file that the host reads by itself already tells a session there; null when there is none. */
  providedTo(host: HostName, folder: string): AlreadyProvided | null;
  /** Sentences on files that are left alone. */
  problems(): readonly string[];
}

const GATHER_MS = 400;
const RETRY_MS = 1_000;
const MOST_TRIES = 20;
const MOST_PATIENCE = 4;

/** Keeps what is remembered in the files that hosts read by themselves. One writer, one checkout after the other. */
export function createContextFiles(options: CreateContextFilesOptions): ContextFiles {
  const { store, fileOptions, placeOf, git, ledgerFile, clock, signal, logger = noopLogger } = options;
  /** Checkouts to look at, and how often that was tried. */
  const due = new Map<string, number>();
  const complaints = new Map<string, { root: string; reason: string }>();
  const ownWrites = new Map<string, number>();
  const waiting: (() => void)[] = [];
  let isLooking = false;
  let wakeUp: () => void = () => undefined;
  let turn: Promise<unknown> = Promise.resolve();

  /** One at a time: also what a person asks for waits for its turn. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  };
  const wake = (root: string, tries = 0) => {
    if (!due.has(root)) due.set(root, tries);
    wakeUp();
  };
  const rootOf = (folder: string) => placeOf(folder)?.root ?? folder;

  /** @param isLast nobody looks again where somebody is at work on a file */
  async function look(root: string, { isLast = false } = {}): Promise<ChangeOutcome> {
    for (const [path, { root: of }] of complaints) if (of === root) complaints.delete(path);
    const ledger = readLedger(ledgerFile);
    if (!existsSync(root)) return leaveMissing(root, ledger);
    if (realpathSync.native(root) !== root) return followLink(root, ledger);
    const wanted = await wantedIn(root, ledger);
    const keeping = keepingIn(root, ledger, wanted.files);
    const attempt = async (path: string, work: () => Promise<ChangeOutcome>) => {
      const outcome = await guarded(path, keeping, work);
      if (outcome === 'busy' && isLast) keeping.complain(path, 'another program saves it again and again');
      return outcome;
    };
    const ours = new Set(wanted.files.map((file) => join(root, file.path)));
    const others = [...ledger.files].filter(([path, entry]) => entry.root === root && !ours.has(path));
    const taken = await sideBySide(others, ([path, entry]) => {
      // what a person took out stays so as long as its setting is on
      const state = entry.state === 'away' && wanted.isOn(entry.kind) ? 'away' : 'forgotten';
      return attempt(path, () => takeAway(path, { state }, keeping));
    });
    const kept = await sideBySide(wanted.files, (file) =>
      attempt(join(root, file.path), () => keepFile(file, keeping)),
    );
    return [...taken, ...kept].includes('busy') ? 'busy' : 'done';
  }

  /** A checkout that is not there may come back; of a worktree that was removed, the repository still has our line. */
  async function leaveMissing(root: string, ledger: Ledger): Promise<ChangeOutcome> {
    for (const [path, entry] of [...ledger.files])
      if (entry.root === root && entry.exclude !== null && existsSync(entry.exclude.file))
        await takeAway(path, { state: 'forgotten' }, keepingIn(root, ledger));
    return 'done';
  }

  /** A checkout that was moved, with a link where it was: what is known of its files holds where they are now. */
  function followLink(root: string, ledger: Ledger): ChangeOutcome {
    const target = realpathSync.native(root);
    const moved = (path: string) => (path.startsWith(root + sep) ? join(target, relative(root, path)) : path);
    for (const [path, entry] of [...ledger.files]) {
      if (entry.root !== root) continue;
      ledger.files.delete(path);
      const known = ledger.files.get(moved(path));
      const isItsOwn =
        known === undefined
          ? blockAsWritten(readSnapshot(moved(path)), entry) === null
          : known.isNew || known.before !== '';
      if (!isItsOwn) ledger.files.set(moved(path), movedEntry(entry, target, moved));
    }
    writeLedger(ledgerFile, ledger);
    wake(target);
    return 'done';
  }

  async function wantedIn(root: string, ledger: Ledger) {
    const nothing = { files: [], isOn: () => false };
    const place = placeOf(root);
    if (place?.root !== root || !isRealFolder(root) || isBareRepository(root)) return nothing;
    const project = await store.findProject(place.projectKey);
    if (project === null) return nothing;
    const current = fileOptions();
    const isOn = (kind: ContextFileKind) => isSwitchedOn(kind, current);
    if (ledger.awayRoots.has(root)) return { files: [], isOn };
    const checkout = openCheckout(root, git);
    const files = await wantedFiles({ ...options, project, root, fileOptions: current, checkout });
    return { files: files.filter(({ kind }) => !ledger.awayKinds.has(kind)), isOn };
  }

  /** One file that the system refuses stops no other. */
  async function guarded(
    path: string,
    keeping: KeepingOptions,
    work: () => Promise<ChangeOutcome>,
  ): Promise<ChangeOutcome> {
    try {
      return await work();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      keeping.complain(path, reasonOf(error));
      return 'done';
    }
  }

  function keepingIn(root: string, ledger: Ledger, files: readonly WantedFile[] = []): KeepingOptions {
    const checkout = openCheckout(root, git);
    let answer: Promise<GitKnowledge | null> | null = null;
    return {
      root,
      ledger,
      // once for all files, and only when there is a new one
      askGit: checkout && (() => (answer ??= checkout.about(files.map(({ path }) => path)))),
      save() {
        // what was uninstalled meanwhile stays so
        ledger.awayKinds = readLedger(ledgerFile).awayKinds;
        writeLedger(ledgerFile, ledger);
      },
      complain(path, reason) {
        if (complaints.get(path)?.reason !== reason) said(path, reason);
        complaints.set(path, { root, reason });
      },
      ownWrites,
      clock,
      logger,
      signal,
    };
  }

  /** What a person asked for waits a little for a file that was just saved. */
  async function patiently(work: () => Promise<ChangeOutcome>): Promise<void> {
    for (let tries = 0; tries < MOST_PATIENCE && !signal.aborted; tries += 1) {
      if ((await work()) === 'done') return;
      await pause(clock, RETRY_MS, signal);
    }
  }

  const told = new Set<string>();
  const said = (path: string, reason: string) => {
    const key = `${path}\0${reason}`;
    if (!told.has(key)) logger.warn({ path, reason }, 'A context file is left alone');
    told.add(key);
  };

  async function round(): Promise<void> {
    const roots = [...due];
    due.clear();
    for (const [root, tries] of roots) {
      if (signal.aborted) return;
      try {
        const outcome = await inTurn(() => look(root, { isLast: tries === MOST_TRIES }));
        if (outcome === 'busy' && tries < MOST_TRIES) due.set(root, tries + 1);
      } catch (error) {
        if (signal.aborted) return;
        logger.warn({ error, root }, 'The context files of a project could not be kept');
      }
    }
  }

  /** For who only looks: neither a session nor forgetting fails with it. */
  const ledgerNow = (): Ledger => {
    try {
      return readLedger(ledgerFile);
    } catch (error) {
      said(ledgerFile, messageOf(error));
      return { files: new Map(), awayRoots: new Set(), awayKinds: new Set() };
    }
  };
  const report = (folder: string) => reportOf(rootOf(folder), ledgerNow(), complaints);
  const allRoots = () => new Set([...ledgerNow().files.values()].map(({ root }) => root));

  return {
    wake: (folder) => wake(rootOf(folder)),
    async wakeSession(sessionId) {
      const session = await store.getSession(sessionId);
      if (session === null || session.cwd === null) return;
      const place = placeOf(session.cwd);
      const project = await store.getProject(session.projectId);
      if (place !== null && place.projectKey === project?.key) wake(place.root);
    },
    async wakeProject(projectId) {
      const project = await store.getProject(projectId);
      if (project === null) return;
      if (placeOf(project.key)?.projectKey === project.key) wake(rootOf(project.key));
      for (const root of allRoots()) if (placeOf(root)?.projectKey === project.key) wake(root);
    },
    wakeAll() {
      for (const root of allRoots()) wake(root);
    },
    async run() {
      signal.addEventListener('abort', () => wakeUp(), { once: true });
      while (!signal.aborted) {
        if (due.size === 0) await new Promise<void>((resolve) => void (wakeUp = resolve));
        const isRetry = [...due.values()].some((tries) => tries > 0);
        await pause(clock, isRetry ? RETRY_MS : GATHER_MS, signal);
        isLooking = true;
        await round();
        isLooking = false;
        if (due.size === 0 || signal.aborted) for (const resolve of waiting.splice(0)) resolve();
      }
    },
    settled: () =>
      new Promise((resolve) => {
        if ((due.size === 0 && !isLooking) || signal.aborted) resolve();
        else waiting.push(resolve);
      }),
    report,
    remove: (folder) =>
      inTurn(async () => {
        const root = rootOf(folder);
        const ledger = readLedger(ledgerFile);
        const keeping = keepingIn(root, ledger);
        ledger.awayRoots.add(root);
        keeping.save();
        await patiently(async () => {
          const outcomes: ChangeOutcome[] = [];
          for (const [path, entry] of [...ledger.files])
            if (entry.root === root)
              outcomes.push(await guarded(path, keeping, () => takeAway(path, { state: 'away' }, keeping)));
          return outcomes.includes('busy') ? 'busy' : 'done';
        });
        return report(root);
      }),
    restore: (folder) =>
      inTurn(async () => {
        const root = rootOf(folder);
        const ledger = readLedger(ledgerFile);
        ledger.awayRoots.delete(root);
        for (const [path, entry] of [...ledger.files])
          if (entry.root === root && entry.state === 'away') ledger.files.delete(path);
        writeLedger(ledgerFile, ledger);
        await patiently(() => look(root));
        return report(root);
      }),
    providedTo(host, folder) {
      const kind = READ_BY[host];
      if (kind === undefined || !isSwitchedOn(kind, fileOptions())) return null;
      const root = rootOf(folder);
      for (const [path, entry] of ledgerNow().files) {
        if (entry.root !== root || entry.kind !== kind || entry.state !== 'kept') continue;
        const text = blockAsWritten(readSnapshot(path), entry);
        if (text !== null) return { shown: entry.shown, tokens: entry.tokens, text };
      }
      return null;
    },
    problems: () =>
      [...complaints].map(([path, { reason }]) => `The context file ${path} is left alone: ${reason}.`),
  };
}

/** Begun one after the other, so that hooks get their turn; each then waits a little for who may be in the middle of saving its file. */
async function sideBySide<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<ChangeOutcome>,
): Promise<ChangeOutcome[]> {
  const begun: Promise<ChangeOutcome>[] = [];
  let turn = Promise.resolve();
  for (const item of items) {
    turn = turn.then(breathe);
    begun.push(turn.then(() => work(item)));
  }
  const ended = await Promise.allSettled(begun);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return Promise.all(begun);
}

/** What each host reads by itself at the start of a session. */
const READ_BY: Partial<Record<HostName, ContextFileKind>> = {
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

const movedEntry = (entry: LedgerEntry, root: string, moved: (path: string) => string): LedgerEntry => ({
  ...entry,
  root,
  exclude: entry.exclude && { ...entry.exclude, file: moved(entry.exclude.file) },
  madeFolders: entry.madeFolders.map(moved),
});

function isRealFolder(root: string): boolean {
  try {
    return realpathSync.native(root) === root;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}

function kindOf(path: string): ContextFileKind {
  if (path === RULES_PATH) return 'cursor-rules';
  return path === 'CLAUDE.md' ? 'claude-md' : 'claude-md-folder';
}

function reportOf(
  root: string,
  ledger: Ledger,
  complaints: ReadonlyMap<string, { root: string; reason: string }>,
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
  for (const [path, { root: of, reason }] of complaints) {
    if (of !== root) continue;
    const inRoot = relative(root, path);
    const known = reports.get(path) ?? { path: inRoot, kind: kindOf(inRoot), records: 0, tokens: 0 };
    reports.set(path, { ...known, state: 'left', reason });
  }
  return [...reports.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
