import type { CheckoutHead, FileState, FreshnessVerdict } from '@claude-mem/core';
import type { History, HistoryEntry } from './create-history.js';
import type { FileContent } from './read-file-content.js';

/** The verdict on one file. */
export interface FileVerdict {
  verdict: FreshnessVerdict;
  commits: number | null;
  movedTo: string | null;
}

/** The current state of a checkout. */
export interface CheckoutState {
  content(path: string): Promise<FileContent>;
  /** The commit that is checked out; null outside of git and before the first commit. */
  history: History | null;
}

/** Maximum number of moves that are followed. A file with more moves is reported as unknown. */
const MAX_MOVES = 5;

const verdict = (
  kind: FreshnessVerdict,
  { commits = null, movedTo = null }: Partial<Pick<FileVerdict, 'commits' | 'movedTo'>> = {},
): FileVerdict => ({ verdict: kind, commits, movedTo });

const UNKNOWN = verdict('unknown');

/**
 * Compares a file with its state when the record was stored. Different content alone proves nothing, because another
 * branch may be checked out. The history must contain the recorded content, or the recorded commit and a later
 * change.
 * @param head commit that was checked out when the record was stored; null when it is unknown
 */
export async function judgeFile(
  { path, role, blob }: FileState,
  head: CheckoutHead | null,
  { content: readContent, history }: CheckoutState,
): Promise<FileVerdict> {
  const content = await readContent(path);
  if (role === 'moved-from' || content.kind === 'unknown') return UNKNOWN;
  if (role === 'deleted' && content.kind === 'missing') return verdict('fresh');
  if (role !== 'deleted' && blob === null) return UNKNOWN;
  if (content.kind === 'blob' && content.ids.includes(blob ?? '')) return verdict('fresh');
  if (history === null) {
    const hadHistory = head !== null && head.commit !== null;
    return hadHistory ? UNKNOWN : verdict(content.kind === 'missing' ? 'gone' : 'changed');
  }
  const found = history.find(path);
  if (found === null) return UNKNOWN;
  const { entries, isComplete, inHead } = found;
  // The history contains no content of files in submodules or behind links.
  if (content.kind === 'blob' && inHead !== 'file') return UNKNOWN;
  const recordedAt = role === 'deleted' ? -1 : entries.findIndex((entry) => entry.blob === blob);
  if (recordedAt === -1 && !isComplete) return UNKNOWN;
  const later = recordedAt === -1 ? await history.since(entries, head) : entries.slice(0, recordedAt);
  if (later === null) return UNKNOWN;
  const deletion = later.find((entry) => entry.blob === null);
  if (role === 'deleted') return deletion === undefined ? UNKNOWN : verdict('changed');
  if (content.kind === 'missing') {
    // A deletion that is not committed can be part of a move, or a result of a sparse checkout.
    if (deletion === undefined || inHead !== 'nothing') return UNKNOWN;
    return judgeDeletion(deletion, path, { content: readContent, history });
  }
  if (recordedAt !== -1) {
    const isOnce = isComplete && entries.filter((entry) => entry.blob === blob).length === 1;
    return verdict('changed', { commits: isOnce && later.length > 0 ? later.length : null });
  }
  const isEarlierContent =
    later.length === 0 && entries.some(({ blob: one }) => one !== null && content.ids.includes(one));
  return isEarlierContent ? UNKNOWN : verdict('changed');
}

/** Follows a moved file, also through several moves. */
async function judgeDeletion(
  first: HistoryEntry,
  path: string,
  { content: readContent, history }: { content: CheckoutState['content']; history: History },
): Promise<FileVerdict> {
  let [deletion, from] = [first, path];
  for (let move = 0; move < MAX_MOVES; move += 1) {
    const to = await history.findMoved(deletion.commit, from);
    if (to === undefined) return UNKNOWN;
    if (to === null) return verdict('gone');
    const content = await readContent(to);
    if (content.kind === 'blob') return verdict('moved', { movedTo: to });
    const found = history.find(to);
    const next = found?.entries.find((entry) => entry.blob === null);
    if (content.kind === 'unknown' || next === undefined || found?.inHead !== 'nothing') return UNKNOWN;
    [deletion, from] = [next, to];
  }
  return UNKNOWN;
}
