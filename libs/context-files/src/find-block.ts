import { createHash } from 'node:crypto';

/**
 * Content of a file as a `latin1` string with one character per byte, so that all bytes of the user are kept in any encoding. Only
 * the claude-mem block is UTF-8.
 */
export type FileText = string;

export type FoundBlock =
  | { kind: 'none' }
  /** The markers do not form one block, so the text between them can be text of the user. */
  | { kind: 'broken'; reason: string }
  /** `end` is after the line end of the last marker. `text` uses `\n` and has no line end at its end. */
  | { kind: 'one'; start: number; end: number; text: string };

const MARKER = /^(?:\xef\xbb\xbf)?(<(\/?)claude-mem-context>)[ \t]*(?:\r?\n|\r?$(?![\s\S]))/gm;

/** Finds the block between two lines that contain only the tags. A tag within a line is text of the user. */
export function findBlock(file: FileText): FoundBlock {
  const markers = [...file.matchAll(MARKER)];
  if (markers.length === 0) return { kind: 'none' };
  const [first, last] = markers;
  if (markers.length !== 2 || first?.[2] !== '' || last?.[2] !== '/')
    return {
      kind: 'broken',
      reason: 'the marker lines of the claude-mem block are incomplete or duplicated',
    };
  const start = first.index + first[0].indexOf('<');
  const end = last.index + last[0].length;
  const text = toUnixLineEnds(file.slice(start, end)).trimEnd();
  if (CONFLICT.test(text))
    return { kind: 'broken', reason: 'the claude-mem block contains an unresolved merge conflict' };
  if (isFenced(file, { start, end }))
    return { kind: 'broken', reason: 'the marker lines of the claude-mem block are inside a code block' };
  return { kind: 'one', start, end, text };
}

const CONFLICT = /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/m;
const FENCE = /^ {0,3}(`{3,}|~{3,})([^\r\n]*)/gm;

/** Whether the block is inside a Markdown code block, which is an example of the user. An unclosed code block does not count. */
function isFenced(file: FileText, { start, end }: { start: number; end: number }): boolean {
  let open: string | null = null;
  const ends = (fence: string, info: string) => open !== null && fence.startsWith(open) && info.trim() === '';
  for (const [, fence = '', info = ''] of file.slice(0, start).matchAll(FENCE)) {
    if (open === null) open = fence.startsWith('`') && info.includes('`') ? null : fence;
    else if (ends(fence, info)) open = null;
  }
  return [...file.slice(end).matchAll(FENCE)].some(([, fence = '', info = '']) => ends(fence, info));
}

/** Returns the file with a new block. All other bytes stay. */
export function replaceBlock(file: FileText, block: { start: number; end: number }, text: string): FileText {
  const isLast = block.end === file.length && !file.endsWith('\n');
  const end = isLast ? '' : detectLineEnd(file);
  return file.slice(0, block.start) + toFile(text, file) + end + file.slice(block.end);
}

/** Returns the file with the block at its end, and the line ends that were added before the block. */
export function appendBlock(file: FileText, text: string): { file: FileText; before: string } {
  const end = detectLineEnd(file);
  const isEmpty = file === '' || file === BOM;
  const before = isEmpty ? '' : file.endsWith('\n') ? end : end + end;
  return { file: file + before + toFile(text, file) + end, before };
}

/** Returns the file without the block and without the line ends that were added before it, even if their type changed. */
export function removeBlock(file: FileText, block: { start: number; end: number }, before: string): FileText {
  const head = file.slice(0, block.start);
  const unix = toUnixLineEnds(before);
  const inserted = [unix.replaceAll('\n', '\r\n'), unix].find((ends) => head.endsWith(ends)) ?? '';
  return head.slice(0, head.length - inserted.length) + file.slice(block.end);
}

/** Encodes a text as UTF-8 with the line ends of the file. */
export const toFile = (text: string, file: FileText): FileText =>
  Buffer.from(text.replaceAll('\n', detectLineEnd(file)), 'utf8').toString('latin1');

/** Returns a text in the form in which `findBlock` returns it. */
export const normalizeBlock = (text: string): string => toFile(text, '').trimEnd();

/** Identifies a block without storing its text. */
export const computeDigest = (found: string): string =>
  createHash('sha256').update(found, 'latin1').digest('hex');

const BOM = '\xef\xbb\xbf';

const toUnixLineEnds = (text: string) => text.replaceAll('\r\n', '\n');

/** Returns the line end of most lines of the file. */
function detectLineEnd(file: FileText): string {
  const all = file.split('\n').length - 1;
  const windows = file.split('\r\n').length - 1;
  return windows * 2 > all ? '\r\n' : '\n';
}
