const LINE_LIMIT = 4_000;

/** Returns the lines that occur in only one of two texts, in order. Equal lines cancel each other at any position. */
export function diffLines(before: string, after: string): { removed: string[]; added: string[] } {
  const old = before === '' ? [] : before.split('\n').slice(0, LINE_LIMIT);
  const fresh = after === '' ? [] : after.split('\n').slice(0, LINE_LIMIT);
  const [oldKeys, freshKeys] = [old.map(lineKey), fresh.map(lineKey)];
  return { removed: subtractLines(old, oldKeys, freshKeys), added: subtractLines(fresh, freshKeys, oldKeys) };
}

/** Normalizes white space, because formatters and patches change it. */
export const lineKey = (line: string): string => line.replace(/\s+/g, ' ').trim();

function subtractLines(
  lines: readonly string[],
  keys: readonly string[],
  others: readonly string[],
): string[] {
  const remaining = new Map<string, number>();
  for (const key of others) remaining.set(key, (remaining.get(key) ?? 0) + 1);
  return lines.filter((_line, index) => {
    const key = keys[index]!;
    const count = remaining.get(key) ?? 0;
    if (count > 0) remaining.set(key, count - 1);
    return count === 0 && key !== '';
  });
}
