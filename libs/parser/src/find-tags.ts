import { OBSERVATION_FIELDS, plainName, SUMMARY_FIELDS } from './block.js';
import { findSections } from './markup.js';

export type BlockName = 'observation' | 'summary' | 'skipsummary' | 'think';

/** A tag of the reply format. `start` and `end` are offsets in UTF-16 code units; `end` is exclusive. */
export interface Tag {
  /** Tag name, normalized by `plainName`. */
  name: string;
  kind: 'open' | 'close' | 'empty';
  start: number;
  end: number;
  attributes: string;
  /** For an opening tag: index of the next closing tag with the same name, or -1. */
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

/** Returns the name of the elements of a list. */
export const getItemName = (list: string) =>
  list === 'facts' ? 'fact' : list === 'concepts' ? 'concept' : 'file';

const ITEMS = ['fact', 'concept', 'file', 'item', 'li'];
const FIELDS = new Set<string>([...OBSERVATION_FIELDS, ...SUMMARY_FIELDS]);
const NAMES = new Set<string>([...Object.keys(BLOCKS), ...FIELDS, ...ITEMS]);

/** Matches a name of the format, optionally numbered, with attributes. Quoted attribute values can contain `>`. */
const TAG =
  /<(\/?)\s{0,3}([a-z][a-z_-]{1,19}?)(?:[_-]?\d{1,2})?(?=[\s/>])((?:[^<>"']|"[^"<]*"|'[^'<]*')*|[^<>]*)>/gi;

/** Finds all tags of the format in order. Other angle brackets and CDATA sections are text. */
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

export const getBlockName = (tag: Tag | undefined): BlockName | undefined => tag && BLOCKS[tag.name];

/**
 * For each tag, returns the index of the next tag (including itself) that certainly begins a block, because a field
 * follows directly. A mention of the format in prose never looks like this.
 */
export function findCertainBlocks(text: string, tags: readonly Tag[]): readonly number[] {
  const certain: number[] = new Array<number>(tags.length + 1).fill(Infinity);
  for (let index = tags.length - 1; index >= 0; index -= 1) {
    const tag = tags[index] as Tag;
    const next = tags[index + 1];
    const isCertain =
      tag.kind === 'open' &&
      (getBlockName(tag) === 'observation' || getBlockName(tag) === 'summary') &&
      next !== undefined &&
      next.kind !== 'close' &&
      FIELDS.has(next.name) &&
      next.start - tag.end < 200 &&
      text.slice(tag.end, next.start).trim() === '';
    certain[index] = isCertain ? index : (certain[index + 1] as number);
  }
  return certain;
}
