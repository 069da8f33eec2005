import {
  estimateTokens,
  formatCodeSpan,
  formatFact,
  formatFreshness,
  formatSavedBy,
  removeSavedBy,
  toFacts,
  toSingleLine,
  truncate,
  type Fact,
  type Observation,
} from '@claude-mem/core';
import { quoteLineForAgent, truncateQuoted } from '@claude-mem/privacy';
import { findEmoji, type TypeEmojis } from './type-emojis.js';

const MAX_TITLE_LENGTH = 140;
const MAX_PATH_LENGTH = 100;
const MAX_DETAIL_LENGTH = 220;
/** Maximum number of facts that are compared. A line contains fewer. */
const MAX_STATEMENTS = 12;

/**
 * Renders a record as one line: `| #123 | 14:30 | 🐛 | title | ~45 |`. The last cell is the number of tokens of the complete
 * record. The type cell also contains the origin and the freshness, because stored text cannot appear in this cell.
 */
export function indexLine(observation: Observation, time: string, emojis: TypeEmojis): string {
  const title = truncateQuoted(
    removeSavedBy(quoteLineForAgent(formatInformativeTitle(observation).slice(0, 2_000))).replaceAll(
      '|',
      '¦',
    ),
    MAX_TITLE_LENGTH,
  );
  const marks = [formatSavedBy(observation.source), freshnessLabel(observation)].filter(
    (mark) => mark !== '',
  );
  const type = `${findEmoji(observation.type, emojis)} ${marks.join(', ')}`.trimEnd();
  return `| #${observation.id} | ${time} | ${type} | ${title} | ~${countRecordTokens(observation)} |`;
}

/** Formats the freshness of a record for an agent, without numbers of commits. Empty when nothing is known. */
export function freshnessLabel({ freshness }: Pick<Observation, 'freshness'>): string {
  if (freshness === undefined) return '';
  const files = freshness.files.map((file) => ({ ...file, commits: null }));
  return formatFreshness({ ...freshness, files }, (name) => formatMainFile(name).replaceAll('|', '¦'));
}

/**
 * Returns the stored text of a record that an injection contains: its title with its main file in an index, or its title with its
 * detail in a short list.
 */
export function formatInjectedText(observation: Observation, { isIndex }: { isIndex: boolean }): string {
  const title = truncate(formatInformativeTitle(observation), MAX_TITLE_LENGTH);
  return [title, isIndex ? findMainFile(observation) : (detailLine(observation) ?? '')].join('\n');
}

/** Renders a second line with statements that the title does not contain. Null when there are none. */
export function detailLine(observation: Observation): string | null {
  const parts = listStatements(observation, MAX_STATEMENTS).map(({ text, origin }) => ({
    text: text.slice(0, 1_000).replace(/[.;]$/, ''),
    origin,
  }));
  const keys = parts.map(({ text }) => wordsKey(text));
  const titleKey = wordsKey(truncate(formatInformativeTitle(observation), MAX_TITLE_LENGTH));
  const isRepeated = (key: string, at: number) =>
    titleKey.includes(key) ||
    keys.some((other, otherAt) => otherAt !== at && other.includes(key) && (other !== key || otherAt < at));
  const distinct = parts.filter((_, at) => keys[at] !== '' && !isRepeated(keys[at] ?? '', at));
  if (distinct.length === 0) return null;
  const line = removeSavedBy(quoteLineForAgent(distinct.slice(0, 4).map(formatFact).join('; ')));
  return `  "${truncateQuoted(line, MAX_DETAIL_LENGTH).replaceAll('"', "'")}"`;
}

/** Lists narrative, facts and subtitle. Only facts have an origin. */
function listStatements({ narrative, facts, subtitle }: Observation, mostFacts = Infinity): Fact[] {
  const withoutOrigin = (text: string | null): Fact => ({ text: text ?? '', origin: null });
  return [withoutOrigin(narrative), ...facts.slice(0, mostFacts), withoutOrigin(subtitle)].map(
    ({ text, origin }) => ({
      text: text.trim(),
      origin,
    }),
  );
}

/** Normalizes a text to lower-case words between spaces. A text whose key is in the key of another text repeats a part of it. */
function wordsKey(text: string): string {
  const words = text
    .slice(0, 1_000)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return words === null ? '' : ` ${words.join(' ')} `;
}

/** Returns the title, or the first other text when the record has no title. Empty when the record has no text. */
export function formatTitle(observation: Observation): string {
  const { title, subtitle, narrative, facts } = observation;
  const texts = [...toFacts([title ?? '', subtitle ?? '', narrative ?? ''], null), ...facts];
  const found = texts.find(({ text }) => text.trim() !== '');
  return found === undefined ? '' : formatFact({ ...found, text: found.text.trim() });
}

/** `cart.ts changed` or `cart.ts and 2 more changed`. */
const FILE_CHANGED = /^(\S+)(?: and \d+ more)? (?:changed|edited|modified|updated)\.?$/i;

/** Returns the title. Appends the first statement when the title only reports a changed file, which the heading contains already. */
export function formatInformativeTitle(observation: Observation): string {
  const title = formatTitle(observation);
  const name = FILE_CHANGED.exec(title.slice(0, 300))?.[1];
  const files = [...observation.filesModified, ...observation.filesRead];
  if (name === undefined || !files.some((file) => `/${file}`.endsWith(`/${name}`))) return title;
  const statement = listStatements(observation).find(({ text }) => text !== '' && text !== title);
  return statement === undefined ? title : `${title}: ${formatFact(statement)}`;
}

/** Returns the first modified file, or the first read file. Empty when the record has no files. */
export function findMainFile(observation: Observation): string {
  return (observation.filesModified[0] ?? observation.filesRead[0] ?? '').trim();
}

/** Formats a path as a code span, so that a name such as `## Pinned` does not become a heading. */
export function formatMainFile(file: string): string {
  if (file === '') return '(no file)';
  const path = toSingleLine(file.slice(-2_000));
  const end = path.length <= MAX_PATH_LENGTH ? path : `…${path.slice(-MAX_PATH_LENGTH + 1)}`;
  return formatCodeSpan(quoteLineForAgent(end));
}

/** Returns the estimated tokens of the complete record. */
export function countRecordTokens(observation: Observation): number {
  const { title, subtitle, narrative, facts } = observation;
  const texts = [title, subtitle, narrative, ...facts.map(({ text }) => text)];
  return texts.reduce((sum, text) => sum + estimateTokens(text ?? ''), 0);
}
