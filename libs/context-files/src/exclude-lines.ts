import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeFileAtomically } from '@claude-mem/core/write-file';

/** Returns a line for `info/exclude` of git that matches only this file. */
export function excludePattern(path: string): string {
  const escaped = path.replace(/[\\*?[\]]/g, '\\$&').replace(/ $/, '\\ ');
  return Buffer.from(`/${escaped}`, 'utf8').toString('latin1');
}

/**
 * Adds the line. `present`: the line existed before, so it must not be removed later.
 * @throws when the file cannot be written or is a link
 */
export function addExcludeLine(file: string, pattern: string): 'added' | 'present' {
  const text = read(file);
  if (splitLines(text).includes(pattern)) return 'present';
  const needsEnd = text === '' || text.endsWith('\n');
  write(file, text, needsEnd ? `${text}${pattern}\n` : `${text}\n${pattern}`);
  return 'added';
}

export function hasExcludeLine(file: string, pattern: string): boolean {
  try {
    return splitLines(read(file)).includes(pattern);
  } catch {
    // claude-mem adds no line to an unreadable file or a link
    return false;
  }
}

/** Removes the line. Restores the original bytes of the file. */
export function removeExcludeLine(file: string, pattern: string): void {
  const text = read(file);
  const lines = text.split('\n');
  const at = lines.indexOf(pattern);
  if (at === -1) return;
  const rest = lines.filter((_, index) => index !== at).join('\n');
  if (rest === '') rmSync(file, { force: true });
  else write(file, text, rest);
}

const splitLines = (text: string) => text.split('\n').map((line) => line.replace(/\r$/, ''));

function read(file: string): string {
  const folder = dirname(file);
  // git follows links, so the linked folder may be outside of the repository
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) throw new Error(`${folder} is a link`);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return '';
  if (!found.isFile()) throw new Error(`${file} is not a regular file`);
  return readFileSync(file, 'latin1');
}

function write(file: string, before: string, after: string): void {
  const bytes = Buffer.from(after, 'latin1');
  const isDone = writeFileAtomically(file, bytes, { mode: 0o644, onlyIf: () => read(file) === before });
  if (!isDone) throw new Error(`${file} is being changed`);
}
