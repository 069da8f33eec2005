import { truncate } from '@claude-mem/core';

/** Number of unchanged lines that are shown before and after a change. */
const CONTEXT = 2;

/** Characters that are shown on both sides of a change in a single line, and the maximum length of a printed line. */
const LINE_CONTEXT = 40;
const MAX_LINE_LENGTH = 300;

/**
 * Formats the difference of two texts as `-` and `+` lines with context lines. Null is a missing file. Unchanged lines between
 * the first and the last difference are printed without a sign.
 */
export function formatDiff(before: string | null, after: string | null): string {
  const [old, now] = [splitLines(before), splitLines(after)];
  let head = 0;
  while (head < Math.min(old.length, now.length) && old[head] === now[head]) head += 1;
  let tail = 0;
  while (
    tail < Math.min(old.length, now.length) - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  )
    tail += 1;
  const middle = changedLines(
    ...shortenSingleLine(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
  );
  const around = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
  return [
    ...around(now.slice(Math.max(0, head - CONTEXT), head)),
    ...middle,
    ...around(now.slice(now.length - tail).slice(0, CONTEXT)),
  ]
    .map((line) => truncate(line, MAX_LINE_LENGTH))
    .join('\n');
}

/** Shortens a changed single line to the differing part, because a complete file can be one line. */
function shortenSingleLine(
  old: readonly string[],
  now: readonly string[],
): [readonly string[], readonly string[]] {
  const [[before = ''], [after = '']] = [old, now];
  if (old.length !== 1 || now.length !== 1) return [old, now];
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const part = (line: string) => {
    const [from, to] = [Math.max(0, head - LINE_CONTEXT), line.length - Math.max(0, tail - LINE_CONTEXT)];
    return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`;
  };
  return [[part(before)], [part(after)]];
}

/** Finds unchanged lines greedily, which is enough when one text is the other with additions. */
function changedLines(old: readonly string[], now: readonly string[]): string[] {
  const lines: string[] = [];
  let at = 0;
  for (const [index, line] of now.entries()) {
    // a line with only a bracket matches too many lines
    const found = line.trim().length < 3 ? -1 : old.indexOf(line, at);
    const rest = now.slice(index);
    while (at < old.length && (found === -1 ? !rest.includes(old[at] ?? '') : at < found)) {
      lines.push(`- ${old[at]}`);
      at += 1;
    }
    if (found !== -1) at += 1;
    lines.push(`${found === -1 ? '+' : ' '} ${line}`);
  }
  return [...lines, ...old.slice(at).map((gone) => `- ${gone}`)];
}

function splitLines(text: string | null): string[] {
  if (text === null || text === '') return [];
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}
