import { OBSERVATION_FIELDS, plainName, SUMMARY_FIELDS } from './block.js';
import { findSections } from './markup.js';

export type BlockName = 'observation' | 'summary' | 'skipsummary' | 'think';

/** A tag with one of our names, wherever it stands. `start` and `end` are offsets; `end` is exclusive. */
export interface Tag {
  /** As `plainName` writes it. */
  name: string;
  kind: 'open' | 'close' | 'empty';
  start: number;
  end: number;
  attributes: string;
  /** For an opening tag: index of the next closing tag of its name, or -1. */
  closedBy: number;
}

const BLOCKS: Readonly<Record<string, BlockName>> = {
  observation: 'observation',
  summary: 'summary',
  sessionsummary: 'summary',
  skipsummary: 'skipsummary',
  think: 'think',
  thinking: 'think',
  thought: 'think',
  reasoning: 'think',
};

/** The name of the elements of a list. */
export const itemOf = (list: string) =>
  list === 'facts' ? 'fact' : list === 'concepts' ? 'concept' : 'file';

const ITEMS = ['fact', 'concept', 'file', 'item', 'li'];
const FIELDS = new Set<string>([...OBSERVATION_FIELDS, ...SUMMARY_FIELDS]);
const NAMES = new Set<string>([...Object.keys(BLOCKS), ...FIELDS, ...ITEMS]);

/** A name of ours, perhaps numbered, and attributes whose quoted values may hold `>`. */
const TAG =
  /<(\/?)\s{0,3}([a-z][a-z_-]{1,19}?)(?:[_-]?\d{1,2})?(?=[\s/>])((?:[^<>"']|"[^"<]*"|'[^'<]*')*|[^<>]*)>/gi;

/** All tags of our format in a text, in order. Anything else in angle brackets is text, and so are CDATA sections. */
export function findTags(text: string): readonly Tag[] {
  const tags: Tag[] = [];
  const sections = findSections(text).reverse();
  for (const match of text.matchAll(TAG)) {
    while ((sections.at(-1)?.end ?? Infinity) <= match.index) sections.pop();
    if (match.index > (sections.at(-1)?.start ?? Infinity)) continue;
    const name = plainName(match[2] ?? '');
    if (!NAMES.has(name)) continue;
    const attributes = match[3] ?? '';
    const kind = match[1] === '/' ? 'close' : attributes.endsWith('/') ? 'empty' : 'open';
    const end = match.index + match[0].length;
    tags.push({ name, kind, start: match.index, end, attributes, closedBy: -1 });
  }
  const nextClose = new Map<string, number>();
  for (let index = tags.length - 1; index >= 0; index -= 1) {
    const tag = tags[index] as Tag;
    if (tag.kind === 'close') nextClose.set(tag.name, index);
    else tag.closedBy = nextClose.get(tag.name) ?? -1;
  }
  return tags;
}

export const blockOf = (tag: Tag | undefined): BlockName | undefined => tag && BLOCKS[tag.name];

/**
 * For each tag, the index of the next one (itself included) that surely begins a block, because a field follows at
 * once. Such a beginning is never mere text that speaks of the format.
 */
export function findSureBlocks(text: string, tags: readonly Tag[]): readonly number[] {
  const sure: number[] = new Array<number>(tags.length + 1).fill(Infinity);
  for (let index = tags.length - 1; index >= 0; index -= 1) {
    const tag = tags[index] as Tag;
    const next = tags[index + 1];
    const isSure =
      tag.kind === 'open' &&
      (blockOf(tag) === 'observation' || blockOf(tag) === 'summary') &&
      next !== undefined &&
      next.kind !== 'close' &&
      FIELDS.has(next.name) &&
      next.start - tag.end < 200 &&
      text.slice(tag.end, next.start).trim() === '';
    sure[index] = isSure ? index : (sure[index + 1] as number);
  }
  return sure;
}
