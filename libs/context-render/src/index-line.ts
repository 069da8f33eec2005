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
import { emojiOf, type TypeEmojis } from './type-emojis.js';

const LONGEST_TITLE = 140;
const LONGEST_PATH = 100;
const LONGEST_DETAIL = 220;
/** Facts that are looked at; a line holds fewer. */
const MOST_PARTS = 12;

/**
 * `| #123 | 14:30 | 🐛 | title | ~45 |`: one record, one line. The last cell is the number of tokens of the complete
 * record. The origin of a saved record and what became of its files are printed beside its type, where no text of the record is
 * printed.
 */
export function indexLine(observation: Observation, time: string, emojis: TypeEmojis): string {
  const title = truncateQuoted(
    removeSavedBy(quoteLineForAgent(informativeTitleOf(observation).slice(0, 2_000))).replaceAll('|', '¦'),
    LONGEST_TITLE,
  );
  const marks = [formatSavedBy(observation.source), freshnessLabel(observation)].filter(
    (mark) => mark !== '',
  );
  const type = `${emojiOf(observation.type, emojis)} ${marks.join(', ')}`.trimEnd();
  return `| #${observation.id} | ${time} | ${type} | ${title} | ~${readingCost(observation)} |`;
}

/** What is known of the files and the branch of a record, for an agent; '' for nothing. Numbers of commits would cost tokens. */
export function freshnessLabel({ freshness }: Pick<Observation, 'freshness'>): string {
  if (freshness === undefined) return '';
  const files = freshness.files.map((file) => ({ ...file, commits: null }));
  return formatFreshness({ ...freshness, files }, (name) => mainFileLine(name).replaceAll('|', '¦'));
}

/**
 * The stored text that an injection contains of a record: its title with its main file in an index, or its title with its detail in
 * a short list.
 */
export function injectedTextOf(observation: Observation, { isIndex }: { isIndex: boolean }): string {
  const title = truncate(informativeTitleOf(observation), LONGEST_TITLE);
  return [title, isIndex ? mainFileOf(observation) : (detailLine(observation) ?? '')].join('\n');
}

/** A second line under the first: what the record says beyond its title; null when it says no more. */
export function detailLine(observation: Observation): string | null {
  const parts = statementsOf(observation, MOST_PARTS).map(({ text, origin }) => ({
    text: text.slice(0, 1_000).replace(/[.;]$/, ''),
    origin,
  }));
  const keys = parts.map(({ text }) => wordsKey(text));
  const titleKey = wordsKey(truncate(informativeTitleOf(observation), LONGEST_TITLE));
  const isSaid = (key: string, at: number) =>
    titleKey.includes(key) ||
    keys.some((other, place) => place !== at && other.includes(key) && (other !== key || place < at));
  const told = parts.filter((_, at) => keys[at] !== '' && !isSaid(keys[at] ?? '', at));
  if (told.length === 0) return null;
  const line = removeSavedBy(quoteLineForAgent(told.slice(0, 4).map(formatFact).join('; ')));
  return `  "${truncateQuoted(line, LONGEST_DETAIL).replaceAll('"', "'")}"`;
}

/** What a record says beside its title. Only facts have an origin. */
function statementsOf({ narrative, facts, subtitle }: Observation, mostFacts = Infinity): Fact[] {
  const own = (text: string | null): Fact => ({ text: text ?? '', origin: null });
  return [own(narrative), ...facts.slice(0, mostFacts), own(subtitle)].map(({ text, origin }) => ({
    text: text.trim(),
    origin,
  }));
}

/** The same for texts of the same words, between spaces: what is within that of another text is a part of it. */
function wordsKey(text: string): string {
  const words = text
    .slice(0, 1_000)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return words === null ? '' : ` ${words.join(' ')} `;
}

/** What stands for the record when it has no title; '' when it has no text at all. */
export function titleOf(observation: Observation): string {
  const { title, subtitle, narrative, facts } = observation;
  const texts = [...toFacts([title ?? '', subtitle ?? '', narrative ?? ''], null), ...facts];
  const found = texts.find(({ text }) => text.trim() !== '');
  return found === undefined ? '' : formatFact({ ...found, text: found.text.trim() });
}

/** `cart.ts changed` or `cart.ts and 2 more changed`. */
const FILE_CHANGED = /^(\S+)(?: and \d+ more)? (?:changed|edited|modified|updated)\.?$/i;

/** The title, and what the record says first where the title only says that a file of it changed: its heading says that as well. */
export function informativeTitleOf(observation: Observation): string {
  const title = titleOf(observation);
  const name = FILE_CHANGED.exec(title.slice(0, 300))?.[1];
  const files = [...observation.filesModified, ...observation.filesRead];
  if (name === undefined || !files.some((file) => `/${file}`.endsWith(`/${name}`))) return title;
  const said = statementsOf(observation).find(({ text }) => text !== '' && text !== title);
  return said === undefined ? title : `${title}: ${formatFact(said)}`;
}

/** The file a record is about: the first it changed, else the first it read. '' when none. */
export function mainFileOf(observation: Observation): string {
  return (observation.filesModified[0] ?? observation.filesRead[0] ?? '').trim();
}

/** The path of a file as a code span: a name such as `## Pinned` is no heading then. */
export function mainFileLine(file: string): string {
  if (file === '') return '(no file)';
  const path = toSingleLine(file.slice(-2_000));
  const end = path.length <= LONGEST_PATH ? path : `…${path.slice(-LONGEST_PATH + 1)}`;
  return formatCodeSpan(quoteLineForAgent(end));
}

/** What reading all of the record costs a model in tokens. */
export function readingCost(observation: Observation): number {
  const { title, subtitle, narrative, facts } = observation;
  const texts = [title, subtitle, narrative, ...facts.map(({ text }) => text)];
  return texts.reduce((sum, text) => sum + estimateTokens(text ?? ''), 0);
}
