import { createHash } from 'node:crypto';

/**
 * Files of unknown encoding are handled as `latin1` strings, one character per byte: whatever a person wrote comes back byte by
 * byte. Only our own block is UTF-8 in it.
 */
export type FileText = string;

export type FoundBlock =
  | { kind: 'none' }
  /** The markers do not make one block: who knows what stands between them. */
  | { kind: 'broken'; reason: string }
  /** `end` is behind its line end; `text` has `\n` as line ends, and none at its end. */
  | { kind: 'one'; start: number; end: number; text: string };

const MARKER = /^(?:\xef\xbb\xbf)?(<(\/?)claude-mem-context>)[ \t]*(?:\r?\n|\r?$(?![\s\S]))/gm;

/** Our block is what stands between two lines with nothing but its tags. A tag in the middle of a line is a person's words. */
export function findBlock(file: FileText): FoundBlock {
  const markers = [...file.matchAll(MARKER)];
  if (markers.length === 0) return { kind: 'none' };
  const [first, last] = markers;
  if (markers.length !== 2 || first?.[2] !== '' || last?.[2] !== '/')
    return { kind: 'broken', reason: 'the lines that mark our block are incomplete or doubled' };
  const start = first.index + first[0].indexOf('<');
  const end = last.index + last[0].length;
  const text = unixLines(file.slice(start, end)).trimEnd();
  if (CONFLICT.test(text)) return { kind: 'broken', reason: 'a merge in our block is not resolved' };
  if (isFenced(file, { start, end }))
    return { kind: 'broken', reason: 'the lines that mark our block stand in a code block' };
  return { kind: 'one', start, end, text };
}

const CONFLICT = /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/m;
const FENCE = /^ {0,3}(`{3,}|~{3,})([^\r\n]*)/gm;

/** Whether a code block of Markdown begins before and ends behind: a person's example. One that never ends is a slip. */
function isFenced(file: FileText, { start, end }: { start: number; end: number }): boolean {
  let open: string | null = null;
  const ends = (fence: string, info: string) => open !== null && fence.startsWith(open) && info.trim() === '';
  for (const [, fence = '', info = ''] of file.slice(0, start).matchAll(FENCE)) {
    if (open === null) open = fence.startsWith('`') && info.includes('`') ? null : fence;
    else if (ends(fence, info)) open = null;
  }
  return [...file.slice(end).matchAll(FENCE)].some(([, fence = '', info = '']) => ends(fence, info));
}

/** The file with its block replaced; all around it stays. */
export function replaceBlock(file: FileText, block: { start: number; end: number }, text: string): FileText {
  const isLast = block.end === file.length && !file.endsWith('\n');
  const end = isLast ? '' : lineEndOf(file);
  return file.slice(0, block.start) + toFile(text, file) + end + file.slice(block.end);
}

/** The file with the block behind all else, and what had to be put before it to stand apart. */
export function appendBlock(file: FileText, text: string): { file: FileText; before: string } {
  const end = lineEndOf(file);
  const isEmpty = file === '' || file === BOM;
  const before = isEmpty ? '' : file.endsWith('\n') ? end : end + end;
  return { file: file + before + toFile(text, file) + end, before };
}

/** The file without the block, and without what we put before it, also when its line ends were changed since. */
export function removeBlock(file: FileText, block: { start: number; end: number }, before: string): FileText {
  const head = file.slice(0, block.start);
  const unix = unixLines(before);
  const ours = [unix.replaceAll('\n', '\r\n'), unix].find((ends) => head.endsWith(ends)) ?? '';
  return head.slice(0, head.length - ours.length) + file.slice(block.end);
}

/** A text of ours as it stands in a file. */
export const toFile = (text: string, file: FileText): FileText =>
  Buffer.from(text.replaceAll('\n', lineEndOf(file)), 'utf8').toString('latin1');

/** The same text as `findBlock` gives it. */
export const asFound = (text: string): string => toFile(text, '').trimEnd();

/** What a block is known by again, without a word of what it says. */
export const digestOf = (found: string): string => createHash('sha256').update(found, 'latin1').digest('hex');

const BOM = '\xef\xbb\xbf';

const unixLines = (text: string) => text.replaceAll('\r\n', '\n');

/** Of most lines of the file. */
function lineEndOf(file: FileText): string {
  const all = file.split('\n').length - 1;
  const windows = file.split('\r\n').length - 1;
  return windows * 2 > all ? '\r\n' : '\n';
}
