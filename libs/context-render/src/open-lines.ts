import type { Summary } from '@claude-mem/core';
import { quoteLineForAgent, truncateQuoted } from '@claude-mem/privacy';
import type { Budget } from './budget.js';
import { hasContent, latestPerSession, listOpenSummaries } from './list-open-summaries.js';
import type { ReadableClock } from './readable-clock.js';
import { escapeReferences } from './escape-references.js';

const MAX_LENGTH = 280;
/** Maximum length of a request in UTF-16 code units. */
const MAX_REQUEST_LENGTH = 100;

/**
 * Renders the request, next steps and results of the last session, and the next steps of earlier sessions, each with its time.
 * @param provided text that the host reads from a file. Lines of this text are skipped
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
  const providedText = escapeReferences(provided);
  const field = (label: string, text: string | null) => {
    const line = hasContent(text) ? `${label}: "${toOneLine(text)}"` : null;
    return line === null || providedText.includes(escapeReferences(line)) ? null : line;
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
  for (const earlier of listOpenSummaries(summaries)) {
    const open = field('open then', earlier.nextSteps);
    if (open === null || lines.some((line) => line.includes(open))) continue;
    const request = hasContent(earlier.request)
      ? `request: "${toOneLine(earlier.request, MAX_REQUEST_LENGTH)}"; `
      : '';
    if (!add(`- ${when(earlier)} ${request}${open}`)) add(`- ${when(earlier)} ${open}`);
  }
  return lines;
}

/** Joins the items of a list with semicolons. */
function toOneLine(text: string, maxLength = MAX_LENGTH): string {
  const items = text
    .slice(0, 4_000)
    .split(/\r?\n/)
    .map((item) => item.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, '').trim())
    .filter((item) => item !== '');
  return truncateQuoted(
    quoteLineForAgent(
      items.map((item, index) => (index < items.length - 1 ? item.replace(/[.;,]$/, '') : item)).join('; '),
    ),
    maxLength,
  ).replaceAll('"', "'");
}
