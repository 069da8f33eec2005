import { truncate } from '@claude-mem/core';

/** Lines around a changed place that are shown with it. */
const CONTEXT = 2;

/** So much of a long line is shown on either side of what changed in it, and of what changed. */
const ASIDE = 40;
const LONGEST = 300;

/**
 * What lines two texts differ in, as `-` and `+` lines with a little around them; null is no file. Between the first and the last
 * difference the lines that are in both in the same order are told from the rest.
 */
export function textOfChange(before: string | null, after: string | null): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < Math.min(old.length, now.length) && old[head] === now[head]) head += 1;
  let tail = 0;
  while (
    tail < Math.min(old.length, now.length) - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  )
    tail += 1;
  const middle = changedLines(
    ...withoutSameEnds(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
  );
  const around = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
  return [
    ...around(now.slice(Math.max(0, head - CONTEXT), head)),
    ...middle,
    ...around(now.slice(now.length - tail).slice(0, CONTEXT)),
  ]
    .map((line) => truncate(line, LONGEST))
    .join('\n');
}

/** Of one line that became another only the part in which they differ: a whole file may be one line. */
function withoutSameEnds(
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
    const [from, to] = [Math.max(0, head - ASIDE), line.length - Math.max(0, tail - ASIDE)];
    return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`;
  };
  return [[part(before)], [part(after)]];
}

/** Kept lines are found greedily: enough for texts of which one is the other with something put in. */
function changedLines(old: readonly string[], now: readonly string[]): string[] {
  const lines: string[] = [];
  let at = 0;
  for (const [index, line] of now.entries()) {
    // a lone bracket is found everywhere
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

function linesOf(text: string | null): string[] {
  if (text === null || text === '') return [];
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}
