import type { Summary } from '@claude-mem/core';
import { quoteLineForAgent, truncateQuoted } from '@claude-mem/privacy';
import type { Budget } from './budget.js';
import { isSaid, latestPerSession, openEnds } from './open-ends.js';
import type { ReadableClock } from './readable-clock.js';
import { withoutReferences } from './without-references.js';

const LONGEST = 280;
/** Enough to know what was open. */
const SHORT = 100;

/**
 * What the last session was about and where it stopped, and what earlier ones left open; each with its time.
 * @param provided text that the host reads from a file; its lines are skipped
 */
export function openLines(
  summaries: readonly Summary[],
  { clock, provided }: { clock: ReadableClock; provided: string },
  budget: Budget,
): string[] {
  const [last] = latestPerSession(summaries);
  if (last === undefined) return [];
  const lines: string[] = [];
  const add = (line: string) => {
    const heading = lines.length === 0 ? ['', '## Where it stands'] : [];
    const hasRoom = budget.take([...heading, line, ''].join('\n'));
    if (hasRoom) lines.push(...heading, line);
    return hasRoom;
  };
  const when = (summary: Summary) =>
    `${clock.day(summary.createdAtEpoch)} ${clock.time(summary.createdAtEpoch)}`;
  const inFile = withoutReferences(provided);
  const field = (label: string, text: string | null) => {
    const line = isSaid(text) ? `${label}: "${oneLine(text)}"` : null;
    return line === null || inFile.includes(withoutReferences(line)) ? null : line;
  };

  const fields: [label: string, text: string | null][] = [
    ['last request', last.request],
    ['open then', last.nextSteps],
    ['done', last.completed],
    ['learned', last.learned],
    ['note', last.notes],
  ];
  for (const [label, text] of fields) {
    const line = field(label, text);
    if (line !== null) add(`- ${lines.length === 0 ? `${when(last)} ` : ''}${line}`);
  }
  for (const earlier of openEnds(summaries)) {
    const open = field('open then', earlier.nextSteps);
    if (open === null || lines.some((line) => line.includes(open))) continue;
    const request = isSaid(earlier.request) ? `request: "${oneLine(earlier.request, SHORT)}"; ` : '';
    if (!add(`- ${when(earlier)} ${request}${open}`)) add(`- ${when(earlier)} ${open}`);
  }
  return lines;
}

/** Lists become one line, their items apart by a semicolon. */
function oneLine(text: string, longest = LONGEST): string {
  const items = text
    .slice(0, 4_000)
    .split(/\r?\n/)
    .map((item) => item.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, '').trim())
    .filter((item) => item !== '');
  return truncateQuoted(
    quoteLineForAgent(
      items.map((item, index) => (index < items.length - 1 ? item.replace(/[.;,]$/, '') : item)).join('; '),
    ),
    longest,
  ).replaceAll('"', "'");
}
