/** Lines around a changed place that are shown with it. */
const CONTEXT = 2;

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
  const middle = changedLines(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  const around = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
  return [
    ...around(now.slice(Math.max(0, head - CONTEXT), head)),
    ...middle,
    ...around(now.slice(now.length - tail).slice(0, CONTEXT)),
  ].join('\n');
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
