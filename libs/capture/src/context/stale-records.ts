import type { Observation } from '@claude-mem/core';

/** Returns true unless all files of the record were deleted and the text names none of them. */
export function isInjectable({ freshness }: Observation, text: string): boolean {
  if (freshness?.verdict !== 'gone') return true;
  return freshness.files.some(({ path }) => namesFile(text, path));
}

/** Moves records with changed files to the end. */
export function staleLast(records: readonly Observation[]): Observation[] {
  const isStale = ({ freshness }: Observation) => (freshness?.staleCount ?? 0) > 0;
  return [...records.filter((one) => !isStale(one)), ...records.filter(isStale)];
}

/** Returns true if the text contains the path, or a file name with an extension. */
function namesFile(text: string, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const names = name.includes('.', 1) ? [path, name] : [path];
  return names.some((one) => isNamed(text, one));
}

/** Returns true if the text contains the name, but not as a part of a longer name. */
function isNamed(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text.slice(Math.max(0, at - 1), at), text.slice(at + name.length)];
    if (!/[\p{L}\p{N}_-]/u.test(before) && !/^(?:[\p{L}\p{N}_-]|\.[\p{L}\p{N}])/u.test(after)) return true;
  }
  return false;
}
