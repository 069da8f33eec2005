import { formatFact, type Observation } from '@claude-mem/core';
import { quoteLineForAgent, truncateQuoted } from '@claude-mem/privacy';
import type { Budget } from './budget.js';
import { byNewest } from './by-newest.js';
import type { ReadableClock } from './readable-clock.js';

const HEADING = '## Decided in earlier conversations, newest first';
const MAX_RECORDS = 3;
const MAX_FACTS = 4;
const MAX_LENGTH = 300;

/** Renders the newest conversation records as one line each, with the facts that the user stated or accepted. */
export function decisionLines(
  decisions: readonly Observation[],
  clock: ReadableClock,
  budget: Budget,
): { lines: string[]; shown: number[] } {
  const lines: string[] = [];
  const shown: number[] = [];
  for (const { id, facts, createdAtEpoch } of [...decisions].sort(byNewest)) {
    if (shown.length >= MAX_RECORDS) break;
    const stated = facts.filter(({ origin }) => origin === 'user' || origin === 'agreed').slice(0, MAX_FACTS);
    const text = stated
      .map(formatFact)
      .map((fact, index) => (index < stated.length - 1 ? fact.replace(/[.;,]$/, '') : fact))
      .join('; ');
    if (text === '') continue;
    const quoted = truncateQuoted(quoteLineForAgent(text.slice(0, 4_000)), MAX_LENGTH).replaceAll('"', "'");
    const added = [
      ...(shown.length === 0 ? ['', HEADING] : []),
      `- #${id}, ${clock.day(createdAtEpoch)}: "${quoted}"`,
    ];
    if (!budget.take([...added, ''].join('\n'))) continue;
    lines.push(...added);
    shown.push(id);
  }
  return { lines, shown };
}
