const LINE_LIMIT = 4_000;

/** Lines only in one of two texts, in order; equal lines cancel each other wherever they stand. */
export function lineDifference(before: string, after: string): { removed: string[]; added: string[] } {
  const old = before === '' ? [] : before.split('\n').slice(0, LINE_LIMIT);
  const fresh = after === '' ? [] : after.split('\n').slice(0, LINE_LIMIT);
  const [oldKeys, freshKeys] = [old.map(lineKey), fresh.map(lineKey)];
  return { removed: without(old, oldKeys, freshKeys), added: without(fresh, freshKeys, oldKeys) };
}

/** Spacing does not make two lines different: formatters and patches change it. */
export const lineKey = (line: string): string => line.replace(/\s+/g, ' ').trim();

function without(lines: readonly string[], keys: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const key of others) left.set(key, (left.get(key) ?? 0) + 1);
  return lines.filter((_line, index) => {
    const key = keys[index]!;
    const count = left.get(key) ?? 0;
    if (count > 0) left.set(key, count - 1);
    return count === 0 && key !== '';
  });
}
