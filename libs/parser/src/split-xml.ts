import { OBSERVATION_FIELDS, plainName, SUMMARY_FIELDS, type Block, type Field, type Item } from './block.js';
import { blockOf, findSureBlocks, itemOf, type Tag } from './find-tags.js';
import { decodeMarkup } from './markup.js';

/** Cuts a reply into blocks and their fields, in one pass. What stands between blocks is dropped. */
export function splitXml(text: string, tags: readonly Tag[]): readonly Block[] {
  const sureBlocks = findSureBlocks(text, tags);
  const blocks: Block[] = [];
  /** How many blocks belong to a thought of which only the end is marked. */
  let thoughts = 0;
  let index = 0;
  while (index < tags.length) {
    const tag = tags[index] as Tag;
    const name = blockOf(tag);
    index += 1;
    if (name === 'think') {
      if (tag.kind === 'close') thoughts = blocks.length;
      else if (tag.closedBy !== -1) index = tag.closedBy + 1;
    } else if (!name || tag.kind === 'close') continue;
    else if (name === 'skipsummary') {
      const close = tag.kind === 'open' && tags[index]?.name === tag.name ? tags[index] : undefined;
      const prose = close ? decodeMarkup(text.slice(tag.end, close.start)) : '';
      blocks.push({ name, offset: tag.start, fields: attributesOf(tag), prose, end: 'closed' });
    } else if (tag.kind === 'empty') {
      blocks.push({ name, offset: tag.start, fields: attributesOf(tag), prose: '', end: 'closed' });
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
  const name = blockOf(blockTag) as 'observation' | 'summary';
  const fieldNames = name === 'observation' ? OBSERVATION_FIELDS : SUMMARY_FIELDS;
  const fields: Field[] = [];
  let prose = '';
  let at = blockTag.end;
  let index = opening + 1;
  const finish = (end: Block['end'], stop: number, next: number) => {
    prose += text.slice(at, stop);
    const all = [...attributesOf(blockTag), ...fields];
    return { block: { name, offset: blockTag.start, fields: all, prose: decodeMarkup(prose), end }, next };
  };

  while (index < tags.length) {
    const tag = tags[index] as Tag;
    if (tag.kind === 'close' && tag.name === blockTag.name) return finish('closed', tag.start, index + 1);
    const inner = blockOf(tag);
    if (tag.kind !== 'close' && inner !== undefined && inner !== 'think')
      return finish('next', tag.start, index);
    if (tag.kind === 'close' || !fieldNames.has(tag.name)) {
      index += 1;
      continue;
    }
    prose += `${text.slice(at, tag.start)}\n`;
    if (tag.kind === 'empty') {
      fields.push(...valueOf(tag));
      index += 1;
      at = tag.end;
      continue;
    }
    const last = endOfField(tags, sureBlocks, index, fieldNames, blockTag.name);
    const isEnded = last === tag.closedBy;
    const stop = tags[last]?.start ?? text.length;
    const markup = text.slice(tag.end, stop);
    const items = itemsOf(text, tags.slice(index + 1, last), itemOf(tag.name), stop);
    fields.push({ name: tag.name, text: decodeMarkup(markup), items, offset: tag.end, isEnded });
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

/** The elements of a list, also those without an end, or with their text in an attribute. */
function itemsOf(text: string, tags: readonly Tag[], item: string, stop: number): readonly Item[] | null {
  for (const name of [item, 'item', 'li']) {
    const own = tags.filter((tag) => tag.name === name);
    if (!own.some(({ kind }) => kind !== 'close')) continue;
    return own.flatMap((tag, index) => {
      if (tag.kind === 'close') return [];
      const origin = attributesOf(tag).find((field) => field.name === 'origin')?.text ?? null;
      if (tag.kind === 'empty') return valueOf(tag).map((field) => ({ text: field.text, origin }));
      return [{ text: decodeMarkup(text.slice(tag.end, own[index + 1]?.start ?? stop)), origin }];
    });
  }
  return null;
}

/** `<title value="…"/>`: an element that holds its text in its first attribute apart from `origin`. */
function valueOf(tag: Tag): readonly Field[] {
  const value = attributesOf(tag).find(({ name }) => name !== 'origin');
  return value === undefined ? [] : [{ ...value, name: tag.name }];
}

function attributesOf({ attributes, end }: Tag): readonly Field[] {
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
