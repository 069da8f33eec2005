import { OBSERVATION_FIELDS, plainName, SUMMARY_FIELDS, type Block, type Field, type Item } from './block.js';
import { getBlockName, findCertainBlocks, getItemName, type Tag } from './find-tags.js';
import { decodeMarkup } from './markup.js';

/** Splits a reply into blocks and their fields in one pass. Text between blocks is dropped. */
export function splitXml(text: string, tags: readonly Tag[]): readonly Block[] {
  const sureBlocks = findCertainBlocks(text, tags);
  const blocks: Block[] = [];
  /** Number of blocks in a thought whose start is not marked. */
  let thoughts = 0;
  let index = 0;
  while (index < tags.length) {
    const tag = tags[index] as Tag;
    const name = getBlockName(tag);
    index += 1;
    if (name === 'think') {
      if (tag.kind === 'close') thoughts = blocks.length;
      else if (tag.closedBy !== -1) index = tag.closedBy + 1;
    } else if (!name || tag.kind === 'close') continue;
    else if (name === 'skipsummary') {
      const close = tag.kind === 'open' && tags[index]?.name === tag.name ? tags[index] : undefined;
      const prose = close ? decodeMarkup(text.slice(tag.end, close.start)) : '';
      blocks.push({ name, offset: tag.start, fields: readAttributes(tag), prose, end: 'closed' });
    } else if (tag.kind === 'empty') {
      blocks.push({ name, offset: tag.start, fields: readAttributes(tag), prose: '', end: 'closed' });
    } else {
      const { block, next } = readBlock(text, tags, sureBlocks, index - 1);
      blocks.push(block);
      index = next;
    }
  }
  return blocks.length > thoughts ? blocks.slice(thoughts) : blocks;
}

function readBlock(
  text: string,
  tags: readonly Tag[],
  sureBlocks: readonly number[],
  opening: number,
): { block: Block; next: number } {
  const blockTag = tags[opening] as Tag;
  const name = getBlockName(blockTag) as 'observation' | 'summary';
  const fieldNames = name === 'observation' ? OBSERVATION_FIELDS : SUMMARY_FIELDS;
  const fields: Field[] = [];
  let prose = '';
  let at = blockTag.end;
  let index = opening + 1;
  const finish = (end: Block['end'], limit: number, next: number) => {
    prose += text.slice(at, limit);
    const all = [...readAttributes(blockTag), ...fields];
    return { block: { name, offset: blockTag.start, fields: all, prose: decodeMarkup(prose), end }, next };
  };

  while (index < tags.length) {
    const tag = tags[index] as Tag;
    if (tag.kind === 'close' && tag.name === blockTag.name) return finish('closed', tag.start, index + 1);
    const inner = getBlockName(tag);
    if (tag.kind !== 'close' && inner !== undefined && inner !== 'think')
      return finish('next', tag.start, index);
    if (tag.kind === 'close' || !fieldNames.has(tag.name)) {
      index += 1;
      continue;
    }
    prose += `${text.slice(at, tag.start)}\n`;
    if (tag.kind === 'empty') {
      fields.push(...readAttributeValue(tag));
      index += 1;
      at = tag.end;
      continue;
    }
    const last = findFieldEnd(tags, sureBlocks, index, fieldNames, blockTag.name);
    const isEnded = last === tag.closedBy;
    const limit = tags[last]?.start ?? text.length;
    const markup = text.slice(tag.end, limit);
    const items = readItems(text, tags.slice(index + 1, last), getItemName(tag.name), limit);
    fields.push({ name: tag.name, text: decodeMarkup(markup), items, offset: tag.end, isEnded });
    index = isEnded ? last + 1 : last;
    at = isEnded ? (tags[last]?.end ?? limit) : limit;
  }
  return finish('text', text.length, tags.length);
}

/**
 * Returns the index of the tag at which a field ends. This is its closing tag, unless another block certainly begins
 * before it. Otherwise it is the next field, the end of the block or the next block.
 */
function findFieldEnd(
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
    if (tag.kind === 'close' ? tag.name === blockTag : fieldNames.has(tag.name) || getBlockName(tag)) break;
  }
  return index;
}

/** Reads the elements of a list, also without end tags or with their text in an attribute. */
function readItems(text: string, tags: readonly Tag[], item: string, limit: number): readonly Item[] | null {
  for (const name of [item, 'item', 'li']) {
    const own = tags.filter((tag) => tag.name === name);
    if (!own.some(({ kind }) => kind !== 'close')) continue;
    return own.flatMap((tag, index) => {
      if (tag.kind === 'close') return [];
      const origin = readAttributes(tag).find((field) => field.name === 'origin')?.text ?? null;
      if (tag.kind === 'empty') return readAttributeValue(tag).map((field) => ({ text: field.text, origin }));
      return [{ text: decodeMarkup(text.slice(tag.end, own[index + 1]?.start ?? limit)), origin }];
    });
  }
  return null;
}

/** Reads `<title value="…"/>`: an element with its text in the first attribute other than `origin`. */
function readAttributeValue(tag: Tag): readonly Field[] {
  const value = readAttributes(tag).find(({ name }) => name !== 'origin');
  return value === undefined ? [] : [{ ...value, name: tag.name }];
}

function readAttributes({ attributes, end }: Tag): readonly Field[] {
  const offset = end - attributes.length - 1;
  return Array.from(
    attributes.matchAll(/([a-z][\w-]{0,30})\s{0,3}=\s{0,3}(?:"([^"]*)"|'([^']*)'|([^\s"'/]+))/gi),
    ({ index, 1: name = '', 2: double, 3: single, 4: bare }) => ({
      name: plainName(name),
      text: decodeMarkup(double ?? single ?? bare ?? ''),
      items: null,
      offset: offset + index,
      isEnded: true,
    }),
  );
}
