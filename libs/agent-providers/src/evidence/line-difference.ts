const LINE_LIMIT = 4_000;

/** Lines only in one of two texts, in order; equal lines cancel each other wherever they stand. */
export function lineDifference(before: string, after: string): { removed: string[]; added: string[] } {
  const old = before === '' ? [] : before.split('\n').slice(0, LINE_LIMIT);
  const fresh = after === '' ? [] : after.split('\n').slice(0, LINE_LIMIT);
  return { removed: without(old, fresh), added: without(fresh, old) };
}

/** Spacing does not make two lines different: formatters and patches change it. */
export const lineKey = (line: string): string => line.replace(/\s+/g, ' ').trim();

function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(lineKey(line), (left.get(lineKey(line)) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(lineKey(line)) ?? 0;
    if (count > 0) left.set(lineKey(line), count - 1);
    return count === 0 && lineKey(line) !== '';
  });
}
