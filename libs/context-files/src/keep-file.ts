import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pause, type Logger } from '@claude-mem/core';
import { blockAsWritten } from './block-as-written.js';
import { changeFile, type Change, type ChangeOptions, type ChangeOutcome } from './change-file.js';
import { addExcludeLine, excludePattern, hasExcludeLine } from './exclude-lines.js';
import { isLarge, isSame, readSnapshot, TOO_LARGE, type FileSnapshot } from './file-snapshot.js';
import type { GitKnowledge } from './git.js';
import { appendBlock, asFound, digestOf, findBlock, removeBlock, replaceBlock, toFile } from './our-block.js';
import type { Ledger, LedgerEntry } from './ledger.js';
import { reasonOf } from './reason-of.js';
import { RULES_FRAME } from './rules-frame.js';
import { clearAround, isOnlyFrame, releaseExclude, withoutBlock } from './take-away.js';
import { obstacleTo, type WantedFile } from './wanted-files.js';

export interface KeepingOptions extends ChangeOptions {
  root: string;
  /** About the files that are wanted; null where there is no git. */
  askGit: (() => Promise<GitKnowledge | null>) | null;
  ledger: Ledger;
  /** Called after each change of the ledger. */
  save(): void;
  /** Says why a file is left alone. */
  complain(path: string, reason: string): void;
  logger: Logger;
}

/** Brings one file to what it should say, unless a person took it, or our block, away. */
export async function keepFile(wanted: WantedFile, options: KeepingOptions): Promise<ChangeOutcome> {
  const { root, ledger, complain } = options;
  const path = join(root, wanted.path);
  const entry = ledger.files.get(path);
  const current = readSnapshot(path);
  const block = current.kind === 'text' ? findBlock(current.text) : NO_BLOCK;
  // a block that is back (undone, unstashed, on another branch) is wanted again
  if (entry?.state === 'away' && block.kind !== 'one') return 'done';
  if (current.kind === 'unfit') return left(current.reason);
  if (block.kind === 'broken') return left(block.reason);
  if (entry !== undefined && entry.block !== '' && block.kind === 'none')
    return markAway(path, entry, current, options);
  if (block.kind === 'one') {
    const isOurs = entry !== undefined && blockAsWritten(current, entry) !== null;
    const reason = isOurs ? null : await reasonAgainstRulesFile(wanted, options);
    return reason !== null ? left(reason) : update(wanted, path, entry, options);
  }
  if (current.kind === 'text' && wanted.kind === 'cursor-rules')
    return left('there is a file of this name that is not ours');
  if (current.kind === 'text') return isLarge(current.text) ? left(TOO_LARGE) : append(wanted, path, options);
  const obstacle = obstacleTo(wanted.kind, root) ?? (await hideFromGit(wanted, path, options));
  if (obstacle !== null) return left(obstacle);
  return ledger.files.get(path)?.state === 'kept' ? create(wanted, path, options) : 'done';

  function left(reason: string): ChangeOutcome {
    complain(path, reason);
    return 'done';
  }
}

const GIT_UNANSWERED = 'git could not be asked about it';

/**
 * A repository can contain a rules file with the claude-mem tags, and rules files are written without a setting of the user.
 * @returns why the file is not changed, or null
 */
async function reasonAgainstRulesFile(
  { kind, path }: WantedFile,
  { askGit }: KeepingOptions,
): Promise<string | null> {
  if (kind !== 'cursor-rules' || askGit === null) return null;
  const known = await askGit();
  if (known === null) return GIT_UNANSWERED;
  return known.tracked.has(path) ? 'git has it, so others would see the records' : null;
}

const NO_BLOCK = { kind: 'none' } as const;
/** Some editors move a file away, or empty it, before they write it anew. */
const SAVING_MS = 300;

/** Takes our block out of a file, or the file away; `state` says what is remembered of it. */
export async function takeAway(
  path: string,
  { state }: { state: 'away' | 'forgotten' },
  options: KeepingOptions,
): Promise<ChangeOutcome> {
  const { ledger, save, complain } = options;
  const entry = ledger.files.get(path);
  if (entry === undefined) return 'done';
  const found = readSnapshot(path);
  const isThere = entry.state === 'kept' || blockAsWritten(found, entry) !== null;
  if (!isThere && state === 'away') return 'done';
  if (isThere) {
    const block = found.kind === 'text' ? findBlock(found.text) : NO_BLOCK;
    const reason = found.kind === 'unfit' ? found.reason : block.kind === 'broken' ? block.reason : null;
    if (reason !== null) {
      complain(path, reason);
      return 'done';
    }
    const outcome = await changeFile(path, (current) => withoutBlock(current, entry), options);
    if (outcome === 'busy') return 'busy';
    const trouble = existsSync(path) ? releaseExclude(ledger, path, entry) : clearAround(ledger, path, entry);
    if (trouble !== null) complain(path, trouble);
  }
  if (state === 'forgotten') ledger.files.delete(path);
  else ledger.files.set(path, awayFrom(entry));
  save();
  return 'done';
}

const awayFrom = (entry: LedgerEntry): LedgerEntry => ({
  ...entry,
  state: 'away',
  exclude: null,
  shown: [],
  tokens: 0,
});

/** A person took it out, unless they are just saving the file. What is left is theirs. */
async function markAway(
  path: string,
  entry: LedgerEntry,
  current: FileSnapshot,
  { ledger, save, logger, complain, clock, signal }: KeepingOptions,
): Promise<ChangeOutcome> {
  await pause(clock, SAVING_MS, signal);
  if (signal.aborted || !isSame(readSnapshot(path), current)) return 'busy';
  const trouble =
    current.kind === 'missing' ? clearAround(ledger, path, entry) : releaseExclude(ledger, path, entry);
  if (trouble !== null) complain(path, trouble);
  // the folder went, not the file
  if (current.kind === 'missing' && !existsSync(dirname(path))) ledger.files.delete(path);
  else ledger.files.set(path, awayFrom(entry));
  save();
  logger.info(
    { path },
    'Somebody removed a context file, or the claude-mem block in it. claude-mem does not write it again',
  );
  return 'done';
}

async function update(
  wanted: WantedFile,
  path: string,
  entry: LedgerEntry | undefined,
  options: KeepingOptions,
): Promise<ChangeOutcome> {
  const known = entry ?? newEntry(wanted, options.root);
  let isOnlyOurs = false;
  const outcome = await changeFile(path, change, options);
  if (outcome === 'busy') return outcome;
  // what a person wrote into our file is for git to see
  if (!isOnlyOurs && known.exclude !== null) {
    const trouble = releaseExclude(options.ledger, path, known);
    if (trouble !== null) options.complain(path, trouble);
  }
  const isNew = entry === undefined ? isOnlyOurs : known.isNew;
  const isBack = isOnlyOurs && isNew && entry?.state !== 'kept';
  const line = isBack ? await ownLine(wanted, options) : known.exclude;
  remember(wanted, path, { ...known, isNew, exclude: isOnlyOurs ? line : null }, options);
  return outcome;

  function change(current: FileSnapshot): Change {
    const block = current.kind === 'text' ? findBlock(current.text) : NO_BLOCK;
    if (current.kind !== 'text' || block.kind !== 'one') return undefined;
    isOnlyOurs = isOnlyFrame(removeBlock(current.text, block, known.before));
    if (block.text === asFound(wanted.rendered.text)) return undefined;
    return replaceBlock(current.text, block, wanted.rendered.text);
  }
}

/**
 * The line for git of a file of ours that is there and was not kept: it is back after it was deleted, the project was moved or copied,
 * or the ledger is gone. Null when there is none, as where another rule hides it.
 */
async function ownLine(
  { path }: WantedFile,
  { root, askGit, complain }: KeepingOptions,
): Promise<LedgerEntry['exclude']> {
  const known = (await askGit?.()) ?? null;
  if (known === null || known.tracked.has(path) || known.shown.has(path)) return null;
  const exclude = { file: known.excludeFile, pattern: excludePattern(path) };
  if (known.ignored.has(path)) return hasExcludeLine(exclude.file, exclude.pattern) ? exclude : null;
  try {
    addExcludeLine(exclude.file, exclude.pattern);
    return exclude;
  } catch (error) {
    complain(join(root, path), `git cannot be told to leave it alone: ${reasonOf(error)}`);
    return null;
  }
}

async function append(wanted: WantedFile, path: string, options: KeepingOptions): Promise<ChangeOutcome> {
  let before: string | null = null;
  const outcome = await changeFile(
    path,
    (current) => {
      if (current.kind !== 'text' || findBlock(current.text).kind !== 'none') return undefined;
      const appended = appendBlock(current.text, wanted.rendered.text);
      before = appended.before;
      // first, so that a crash behind the write cannot lose how the file was
      options.ledger.files.set(path, { ...newEntry(wanted, options.root), before });
      options.save();
      return appended.file;
    },
    options,
  );
  if (outcome === 'done' && before !== null)
    remember(wanted, path, { ...newEntry(wanted, options.root), before }, options);
  return outcome;
}

/** The file does not exist yet; `hideFromGit` has already said so to git. */
async function create(wanted: WantedFile, path: string, options: KeepingOptions): Promise<ChangeOutcome> {
  const frame = wanted.kind === 'cursor-rules' ? RULES_FRAME : '';
  const entry = options.ledger.files.get(path) ?? newEntry(wanted, options.root);
  const text = `${toFile(`${frame}${wanted.rendered.text}`, '')}\n`;
  try {
    if (entry.kind === 'cursor-rules' && existsSync(options.root))
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const outcome = await changeFile(
      path,
      (current) => (current.kind === 'missing' ? text : undefined),
      options,
    );
    if (outcome === 'done') remember(wanted, path, { ...entry, isNew: true }, options);
    return outcome;
  } catch (error) {
    options.ledger.files.delete(path);
    releaseExclude(options.ledger, path, entry);
    options.save();
    throw error;
  }
}

/**
 * Says to git, before there is a file, that it is to be left alone, so that it is not in anybody's way for a moment.
 * @returns why there must be no file; null when there may be one, or when it was deleted and stays so
 */
async function hideFromGit(
  wanted: WantedFile,
  path: string,
  { root, askGit, ledger, save }: KeepingOptions,
): Promise<string | null> {
  const entry: LedgerEntry = {
    ...newEntry(wanted, root),
    isNew: true,
    madeFolders: missingFolders(root, wanted.path),
  };
  const note = (noted: LedgerEntry) => {
    ledger.files.set(path, noted);
    save();
    return null;
  };
  if (askGit === null) return note(entry);
  const known = await askGit();
  if (known === null) return GIT_UNANSWERED;
  if (known.tracked.has(wanted.path)) return note(awayFrom(entry));
  if (known.shown.has(wanted.path)) return 'a .gitignore has git show it';
  const exclude = { file: known.excludeFile, pattern: excludePattern(wanted.path) };
  const isOurLine = [...ledger.files.values()].some(
    ({ exclude: line }) => line?.file === exclude.file && line.pattern === exclude.pattern,
  );
  if (known.ignored.has(wanted.path)) return note(isOurLine ? { ...entry, exclude } : entry);
  // first, so that a crash behind it leaves no line that nobody knows
  note({ ...entry, exclude });
  try {
    if (addExcludeLine(exclude.file, exclude.pattern) === 'present' && !isOurLine) note(entry);
    return null;
  } catch (error) {
    ledger.files.delete(path);
    save();
    return `git cannot be told to leave it alone: ${reasonOf(error)}`;
  }
}

function missingFolders(root: string, path: string): string[] {
  const missing: string[] = [];
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder))
    if (!existsSync(join(root, folder))) missing.push(join(root, folder));
  return missing;
}

const newEntry = ({ kind }: WantedFile, root: string): LedgerEntry => ({
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

function remember(
  { rendered }: WantedFile,
  path: string,
  entry: LedgerEntry,
  { ledger, save }: KeepingOptions,
): void {
  const block = digestOf(asFound(rendered.text));
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
