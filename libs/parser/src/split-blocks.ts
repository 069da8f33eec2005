import {
  blockOf,
  findSureBlocks,
  findTags,
  OBSERVATION_FIELDS,
  SUMMARY_FIELDS,
  type Tag,
} from './find-tags.js';
import { decodeMarkup } from './markup.js';

export interface Field {
  name: string;
  /** Between its tags, as written. */
  markup: string;
  /** Offset of `markup` in the reply. */
  offset: number;
  /** Our tags inside it. */
  tags: readonly Tag[];
  isEnded: boolean;
}

export interface Block {
  name: 'observation' | 'summary' | 'skipsummary';
  offset: number;
  attributes: string;
  fields: readonly Field[];
  /** What stands in the block outside of its fields. */
  prose: string;
  /** `closed` by its own end tag, or where the `next` block or the `text` ends it. */
  end: 'closed' | 'next' | 'text';
}

const FIELDS_OF: Readonly<Record<string, ReadonlySet<string>>> = {
  observation: new Set(OBSERVATION_FIELDS),
  summary: new Set(SUMMARY_FIELDS),
};

/** Cuts a reply into blocks and their fields, in one pass. What stands between blocks is dropped. */
export function splitBlocks(text: string): readonly Block[] {
  const tags = findTags(text);
  const sureBlocks = findSureBlocks(text, tags);
  const blocks: Block[] = [];
  let index = 0;
  while (index < tags.length) {
    const tag = tags[index] as Tag;
    const name = blockOf(tag);
    index += 1;
    if (!name || tag.kind === 'close') continue;
    if (name === 'think') {
      if (tag.closedBy !== -1) index = tag.closedBy + 1;
    } else if (name === 'skipsummary') {
      const close = tag.kind === 'open' && tags[index]?.name === tag.name ? tags[index] : undefined;
      const prose = close ? decodeMarkup(text.slice(tag.end, close.start)) : '';
      blocks.push({ name, offset: tag.start, attributes: tag.attributes, fields: [], prose, end: 'closed' });
    } else if (tag.kind === 'open') {
      const { block, next } = readBlock(text, tags, sureBlocks, index - 1);
      blocks.push(block);
      index = next;
    }
  }
  return blocks;
}

function readBlock(
  text: string,
  tags: readonly Tag[],
  sureBlocks: readonly number[],
  opening: number,
): { block: Block; next: number } {
  const { name: tagName, start: offset, end: contentStart, attributes } = tags[opening] as Tag;
  const name = blockOf(tags[opening]) as 'observation' | 'summary';
  const fieldNames = FIELDS_OF[name] as ReadonlySet<string>;
  const fields: Field[] = [];
  let prose = '';
  let at = contentStart;
  let index = opening + 1;
  const finish = (end: Block['end'], stop: number, next: number) => {
    prose += text.slice(at, stop);
    return { block: { name, offset, attributes, fields, prose, end }, next };
  };

  while (index < tags.length) {
    const tag = tags[index] as Tag;
    if (tag.kind === 'close' && tag.name === tagName) return finish('closed', tag.start, index + 1);
    const inner = blockOf(tag);
    if (tag.kind !== 'close' && inner !== undefined && inner !== 'think')
      return finish('next', tag.start, index);
    if (tag.kind === 'close' || !fieldNames.has(tag.name)) {
      index += 1;
      continue;
    }
    prose += `${text.slice(at, tag.start)}\n`;
    const last = tag.kind === 'empty' ? index : endOfField(tags, sureBlocks, index, fieldNames, tagName);
    const isEnded = last === index || last === tag.closedBy;
    const stop = last === index ? tag.end : (tags[last]?.start ?? text.length);
    fields.push({
      name: tag.name,
      markup: text.slice(tag.end, stop),
      offset: tag.end,
      tags: tags.slice(index + 1, last),
      isEnded,
    });
    index = isEnded ? last + 1 : last;
    at = isEnded ? (tags[last]?.end ?? stop) : stop;
  }
  return finish('text', text.length, tags.length);
}

/**
 * Index of the tag where a field ends: its closing tag, if no other block surely begins before it; else the next field of
 * the same block, the end of the block or the next block.
 */
function endOfField(
  tags: readonly Tag[],
  sureBlocks: readonly number[],
  opening: number,
  fieldNames: ReadonlySet<string>,
  blockTag: string,
): number {
  const { closedBy } = tags[opening] as Tag;
  if (closedBy !== -1 && (sureBlocks[opening + 1] as number) > closedBy) return closedBy;
  let index = opening + 1;
  for (; index < tags.length; index += 1) {
    const tag = tags[index] as Tag;
    if (tag.kind === 'close' ? tag.name === blockTag : fieldNames.has(tag.name) || blockOf(tag)) break;
  }
  return index;
}
