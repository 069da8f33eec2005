import { estimateTokens, truncate, type Observation } from '@claude-mem/core';
import { quoteLineForAgent } from '@claude-mem/privacy';
import { emojiOf, type TypeEmojis } from './type-emojis.js';

const LONGEST_TITLE = 140;
const LONGEST_PATH = 100;
const LONGEST_DETAIL = 220;

/** `| #123 | 14:30 | 🐛 | title | ~45 |`: one record, one line. The last cell is what reading it all costs in tokens. */
export function indexLine(observation: Observation, time: string, emojis: TypeEmojis): string {
  const title = truncate(
    quoteLineForAgent(titleOf(observation).slice(0, 2_000)).replaceAll('|', '¦'),
    LONGEST_TITLE,
  );
  return `| #${observation.id} | ${time} | ${emojiOf(observation.type, emojis)} | ${title} | ~${readingCost(observation)} |`;
}

/** A second line under the first: what the record says beyond its title; null when it says no more. */
export function detailLine(observation: Observation): string | null {
  const title = titleOf(observation);
  const texts = [observation.narrative, ...observation.facts, observation.subtitle].map((text) =>
    (text ?? '').trim(),
  );
  const told = texts
    .filter((text) => text !== '' && text !== title)
    .map((text) => text.slice(0, 1_000).replace(/[.;]$/, ''))
    .filter((text, place, all) => !all.slice(0, place).some((before) => before.includes(text)));
  if (told.length === 0) return null;
  const line = quoteLineForAgent(told.slice(0, 4).join('; '));
  return `  "${truncate(line, LONGEST_DETAIL).replaceAll('"', "'")}"`;
}

/** What stands for the record when it has no title; '' when it has no text at all. */
export function titleOf(observation: Observation): string {
  const texts = [observation.title, observation.subtitle, observation.narrative, ...observation.facts];
  return texts.find((text) => text !== null && text.trim() !== '')?.trim() ?? '';
}

/** The file a record is about: the first it changed, else the first it read. '' when none. */
export function mainFileOf(observation: Observation): string {
  return (observation.filesModified[0] ?? observation.filesRead[0] ?? '').trim();
}

export function mainFileLine(file: string): string {
  if (file === '') return '(no file)';
  const path = quoteLineForAgent(file.slice(-2_000));
  return path.length <= LONGEST_PATH ? path : `…${path.slice(-LONGEST_PATH + 1).toWellFormed()}`;
}

/** What reading all of the record costs a model in tokens. */
export function readingCost(observation: Observation): number {
  const texts = [observation.title, observation.subtitle, observation.narrative, ...observation.facts];
  return texts.reduce((sum, text) => sum + estimateTokens(text ?? ''), 0);
}
