import { findSections } from './markup.js';

export type BlockName = 'observation' | 'summary' | 'skipsummary' | 'think';

/** A tag with one of our names, wherever it stands. `start` and `end` are offsets; `end` is exclusive. */
export interface Tag {
  /** Lower case, without `-` and `_`: `next_steps`, `next-steps` and `nextSteps` are one. */
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
};

export const OBSERVATION_FIELDS = [
  'type',
  'title',
  'subtitle',
  'narrative',
  'facts',
  'concepts',
  'filesread',
  'filesmodified',
] as const;

export const SUMMARY_FIELDS = [
  'request',
  'investigated',
  'learned',
  'completed',
  'nextsteps',
  'notes',
  'filesread',
  'filesedited',
  'filesmodified',
] as const;

const ITEMS = ['fact', 'concept', 'file', 'item', 'li'];
const NAMES = new Set<string>([...Object.keys(BLOCKS), ...OBSERVATION_FIELDS, ...SUMMARY_FIELDS, ...ITEMS]);
const FIELDS = new Set<string>([...OBSERVATION_FIELDS, ...SUMMARY_FIELDS]);

/** All tags of our format in a text, in order. Anything else in angle brackets is text, and so are CDATA sections. */
export function findTags(text: string): readonly Tag[] {
  const tags: Tag[] = [];
  const sections = findSections(text).reverse();
  for (const match of text.matchAll(/<(\/?)\s{0,3}([a-z][a-z_-]{1,19})(?=[\s/>])([^<>]*)>/gi)) {
    while ((sections.at(-1)?.end ?? Infinity) <= match.index) sections.pop();
    if (match.index > (sections.at(-1)?.start ?? Infinity)) continue;
    const name = (match[2] ?? '').toLowerCase().replace(/[_-]/g, '');
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
