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
  return { kind: 'one', start, end, text: unixLines(file.slice(start, end)).trimEnd() };
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

/** The file without the block, and without what we put before it. */
export function removeBlock(file: FileText, block: { start: number; end: number }, before: string): FileText {
  const start = file.slice(0, block.start).endsWith(before) ? block.start - before.length : block.start;
  return file.slice(0, start) + file.slice(block.end);
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
