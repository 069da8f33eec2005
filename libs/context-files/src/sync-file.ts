import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pause, type Logger } from '@claude-mem/core';
import { findWrittenBlock } from './find-written-block.js';
import { changeFile, type Change, type ChangeOptions, type ChangeOutcome } from './change-file.js';
import { addExcludeLine, excludePattern, hasExcludeLine } from './exclude-lines.js';
import { isLarge, isSame, readSnapshot, TOO_LARGE, type FileSnapshot } from './file-snapshot.js';
import type { GitPathInfo } from './git.js';
import {
  appendBlock,
  normalizeBlock,
  computeDigest,
  findBlock,
  removeBlock,
  replaceBlock,
  toFile,
} from './find-block.js';
import type { Ledger, LedgerEntry } from './ledger.js';
import { formatReason } from './format-reason.js';
import { RULES_FRAME } from './rules-frame.js';
import { cleanUpAfterFile, isOnlyFrame, releaseExclude, withoutBlock } from './without-block.js';
import { findObstacle, type RenderedFile } from './render-context-files.js';

export interface SyncOptions extends ChangeOptions {
  root: string;
  /** Returns the git status of all files to write. Null when there is no repository. */
  inspectGit: (() => Promise<GitPathInfo | null>) | null;
  ledger: Ledger;
  /** Called after each change of the ledger. */
  save(): void;
  /** Reports why a file was skipped. */
  reportProblem(path: string, reason: string): void;
  logger: Logger;
}

/** Writes or updates one context file, unless the user removed the file or the block. */
export async function syncFile(target: RenderedFile, options: SyncOptions): Promise<ChangeOutcome> {
  const { root, ledger, reportProblem } = options;
  const path = join(root, target.path);
  const entry = ledger.files.get(path);
  const current = readSnapshot(path);
  const block = current.kind === 'text' ? findBlock(current.text) : NO_BLOCK;
  // the user can restore a removed block, with undo, git stash or another branch
  if (entry?.state === 'away' && block.kind !== 'one') return 'done';
  if (current.kind === 'unfit') return skip(current.reason);
  if (block.kind === 'broken') return skip(block.reason);
  if (entry !== undefined && entry.block !== '' && block.kind === 'none')
    return markAway(path, entry, current, options);
  if (block.kind === 'one') {
    const isOurs = entry !== undefined && findWrittenBlock(current, entry) !== null;
    const reason = isOurs ? null : await findRulesFileProblem(target, options);
    return reason !== null ? skip(reason) : update(target, path, entry, options);
  }
  if (current.kind === 'text' && target.kind === 'cursor-rules')
    return skip('a file with this name exists that claude-mem did not create');
  if (current.kind === 'text') return isLarge(current.text) ? skip(TOO_LARGE) : append(target, path, options);
  const obstacle = findObstacle(target.kind, root) ?? (await hideFromGit(target, path, options));
  if (obstacle !== null) return skip(obstacle);
  return ledger.files.get(path)?.state === 'kept' ? create(target, path, options) : 'done';

  function skip(reason: string): ChangeOutcome {
    reportProblem(path, reason);
    return 'done';
  }
}

const GIT_FAILED = 'git failed';

/**
 * A repository can contain a rules file with the claude-mem tags, and rules files are written without a setting of the user.
 * @returns why the file is not changed, or null
 */
async function findRulesFileProblem(
  { kind, path }: RenderedFile,
  { inspectGit }: SyncOptions,
): Promise<string | null> {
  if (kind !== 'cursor-rules' || inspectGit === null) return null;
  const known = await inspectGit();
  if (known === null) return GIT_FAILED;
  return known.tracked.has(path) ? 'git tracks it, so others would see the records' : null;
}

const NO_BLOCK = { kind: 'none' } as const;
/** Some editors rename or truncate a file before they write it. */
const SAVING_MS = 300;

/** Removes the block from a file, or the file if it contains nothing else. `state`: new state of the ledger entry. */
export async function removeContextFile(
  path: string,
  { state }: { state: 'away' | 'forgotten' },
  options: SyncOptions,
): Promise<ChangeOutcome> {
  const { ledger, save, reportProblem } = options;
  const entry = ledger.files.get(path);
  if (entry === undefined) return 'done';
  const found = readSnapshot(path);
  const isPresent = entry.state === 'kept' || findWrittenBlock(found, entry) !== null;
  if (!isPresent && state === 'away') return 'done';
  if (isPresent) {
    const block = found.kind === 'text' ? findBlock(found.text) : NO_BLOCK;
    const reason = found.kind === 'unfit' ? found.reason : block.kind === 'broken' ? block.reason : null;
    if (reason !== null) {
      reportProblem(path, reason);
      return 'done';
    }
    const outcome = await changeFile(path, (current) => withoutBlock(current, entry), options);
    if (outcome === 'busy') return 'busy';
    const problem = existsSync(path)
      ? releaseExclude(ledger, path, entry)
      : cleanUpAfterFile(ledger, path, entry);
    if (problem !== null) reportProblem(path, problem);
  }
  if (state === 'forgotten') ledger.files.delete(path);
  else ledger.files.set(path, toAwayEntry(entry));
  save();
  return 'done';
}

const toAwayEntry = (entry: LedgerEntry): LedgerEntry => ({
  ...entry,
  state: 'away',
  exclude: null,
  shown: [],
  tokens: 0,
});

/** Records that the user removed the file or the block, unless the file is just being saved. */
async function markAway(
  path: string,
  entry: LedgerEntry,
  current: FileSnapshot,
  { ledger, save, logger, reportProblem, clock, signal }: SyncOptions,
): Promise<ChangeOutcome> {
  await pause(clock, SAVING_MS, signal);
  if (signal.aborted || !isSame(readSnapshot(path), current)) return 'busy';
  const problem =
    current.kind === 'missing' ? cleanUpAfterFile(ledger, path, entry) : releaseExclude(ledger, path, entry);
  if (problem !== null) reportProblem(path, problem);
  // when the user deleted the complete folder, the file may be written again later
  if (current.kind === 'missing' && !existsSync(dirname(path))) ledger.files.delete(path);
  else ledger.files.set(path, toAwayEntry(entry));
  save();
  logger.info(
    { path },
    'A context file or its block was removed by the user or another program and is not written again',
  );
  return 'done';
}

async function update(
  target: RenderedFile,
  path: string,
  entry: LedgerEntry | undefined,
  options: SyncOptions,
): Promise<ChangeOutcome> {
  const known = entry ?? newEntry(target, options.root);
  let isOnlyOwnText = false;
  const outcome = await changeFile(path, change, options);
  if (outcome === 'busy') return outcome;
  // git must show a file that contains text of the user
  if (!isOnlyOwnText && known.exclude !== null) {
    const problem = releaseExclude(options.ledger, path, known);
    if (problem !== null) options.reportProblem(path, problem);
  }
  const isNew = entry === undefined ? isOnlyOwnText : known.isNew;
  const isRestored = isOnlyOwnText && isNew && entry?.state !== 'kept';
  const line = isRestored ? await ensureExcludeLine(target, options) : known.exclude;
  recordWrite(target, path, { ...known, isNew, exclude: isOnlyOwnText ? line : null }, options);
  return outcome;

  function change(current: FileSnapshot): Change {
    const block = current.kind === 'text' ? findBlock(current.text) : NO_BLOCK;
    if (current.kind !== 'text' || block.kind !== 'one') return undefined;
    isOnlyOwnText = isOnlyFrame(removeBlock(current.text, block, known.before));
    if (block.text === normalizeBlock(target.rendered.text)) return undefined;
    return replaceBlock(current.text, block, target.rendered.text);
  }
}

/**
 * Returns the exclude line of an existing file that the ledger does not list as maintained, and adds the line if needed. The file was
 * restored, the project was moved, or the ledger was lost. Null when git tracks or shows the file, or another rule hides it.
 */
async function ensureExcludeLine(
  { path }: RenderedFile,
  { root, inspectGit, reportProblem }: SyncOptions,
): Promise<LedgerEntry['exclude']> {
  const known = (await inspectGit?.()) ?? null;
  if (known === null || known.tracked.has(path) || known.shown.has(path)) return null;
  const exclude = { file: known.excludeFile, pattern: excludePattern(path) };
  if (known.ignored.has(path)) return hasExcludeLine(exclude.file, exclude.pattern) ? exclude : null;
  try {
    addExcludeLine(exclude.file, exclude.pattern);
    return exclude;
  } catch (error) {
    reportProblem(join(root, path), `it cannot be added to the exclude file of git: ${formatReason(error)}`);
    return null;
  }
}

async function append(target: RenderedFile, path: string, options: SyncOptions): Promise<ChangeOutcome> {
  let before: string | null = null;
  const outcome = await changeFile(
    path,
    (current) => {
      if (current.kind !== 'text' || findBlock(current.text).kind !== 'none') return undefined;
      const appended = appendBlock(current.text, target.rendered.text);
      before = appended.before;
      // stored before the write, so that a crash cannot lose the original line end
      options.ledger.files.set(path, { ...newEntry(target, options.root), before });
      options.save();
      return appended.file;
    },
    options,
  );
  if (outcome === 'done' && before !== null)
    recordWrite(target, path, { ...newEntry(target, options.root), before }, options);
  return outcome;
}

/** Creates the file. `hideFromGit` must run before. */
async function create(target: RenderedFile, path: string, options: SyncOptions): Promise<ChangeOutcome> {
  const frame = target.kind === 'cursor-rules' ? RULES_FRAME : '';
  const entry = options.ledger.files.get(path) ?? newEntry(target, options.root);
  const text = `${toFile(`${frame}${target.rendered.text}`, '')}\n`;
  try {
    if (entry.kind === 'cursor-rules' && existsSync(options.root))
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const outcome = await changeFile(
      path,
      (current) => (current.kind === 'missing' ? text : undefined),
      options,
    );
    if (outcome === 'done') recordWrite(target, path, { ...entry, isNew: true }, options);
    return outcome;
  } catch (error) {
    options.ledger.files.delete(path);
    releaseExclude(options.ledger, path, entry);
    options.save();
    throw error;
  }
}

/**
 * Adds the file to `info/exclude` before it is created, so that git never shows it.
 * @returns why the file must not be created, or null. Sets the ledger state to `away` when the user deleted a tracked file
 */
async function hideFromGit(
  target: RenderedFile,
  path: string,
  { root, inspectGit, ledger, save }: SyncOptions,
): Promise<string | null> {
  const entry: LedgerEntry = {
    ...newEntry(target, root),
    isNew: true,
    madeFolders: missingFolders(root, target.path),
  };
  const storeEntry = (stored: LedgerEntry) => {
    ledger.files.set(path, stored);
    save();
    return null;
  };
  if (inspectGit === null) return storeEntry(entry);
  const known = await inspectGit();
  if (known === null) return GIT_FAILED;
  if (known.tracked.has(target.path)) return storeEntry(toAwayEntry(entry));
  if (known.shown.has(target.path)) return 'a .gitignore rule includes it';
  const exclude = { file: known.excludeFile, pattern: excludePattern(target.path) };
  const isOurLine = [...ledger.files.values()].some(
    ({ exclude: line }) => line?.file === exclude.file && line.pattern === exclude.pattern,
  );
  if (known.ignored.has(target.path)) return storeEntry(isOurLine ? { ...entry, exclude } : entry);
  // stored before the line is added, so that a crash cannot leave an unknown line
  storeEntry({ ...entry, exclude });
  try {
    if (addExcludeLine(exclude.file, exclude.pattern) === 'present' && !isOurLine) storeEntry(entry);
    return null;
  } catch (error) {
    ledger.files.delete(path);
    save();
    return `it cannot be added to the exclude file of git: ${formatReason(error)}`;
  }
}

function missingFolders(root: string, path: string): string[] {
  const missing: string[] = [];
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder))
    if (!existsSync(join(root, folder))) missing.push(join(root, folder));
  return missing;
}

const newEntry = ({ kind }: RenderedFile, root: string): LedgerEntry => ({
  kind,
  root,
  state: 'kept',
  isNew: false,
  before: '',
  exclude: null,
  madeFolders: [],
  block: '',
  shown: [],
  tokens: 0,
});

function recordWrite(
  { rendered }: RenderedFile,
  path: string,
  entry: LedgerEntry,
  { ledger, save }: SyncOptions,
): void {
  const block = computeDigest(normalizeBlock(rendered.text));
  const known = ledger.files.get(path);
  const { shown, tokens } = rendered;
  const isKnown =
    known?.state === 'kept' &&
    known.block === block &&
    known.exclude === entry.exclude &&
    known.isNew === entry.isNew;
  if (isKnown) return;
  ledger.files.set(path, { ...entry, state: 'kept', block, shown, tokens });
  save();
}
