import { countWords } from './count-words.js';

/** A block of a closing message. */
export interface Block {
  /** `lead` is a long line that introduces the following blocks. Short lead-ins are only in `under`. */
  kind: 'paragraph' | 'item' | 'row' | 'lead' | 'code' | 'quote';
  text: string;
  /** The headings, lead-ins and items above the block, outermost first. The middle of long ones is removed. */
  under: readonly string[];
  /** Nesting depth of an item, from 0. */
  depth: number;
}

const LINE_LIMIT = 600;

interface Frame {
  depth: number;
  text: string;
}

/**
 * Maximum length of each end of a long heading or item in `under`, in UTF-16 code units. The limit keeps the time linear,
 * because every statement below reads the text.
 */
const PARENT_END = 250;

const shortenParent = (text: string): string =>
  text.length <= 2 * PARENT_END ? text : `${text.slice(0, PARENT_END)} … ${text.slice(-PARENT_END)}`;

/**
 * Reads the prose of Markdown: paragraphs, list items, table rows and code. Headings and short lead-ins ("Changes:")
 * are only in `under`. A longer lead-in is also a block.
 */
export function readMarkdown(text: string): Block[] {
  const blocks: Block[] = [];
  let heading: string | null = null;
  let label: string | null = null;
  /** Number of blocks up to the last heading. */
  let atHeading = 0;
  let items: Frame[] = [];
  let paragraph: string[] = [];
  let code: string[] | null = null;
  let quote: string[] = [];
  /** True after the block that the label introduces. The paragraphs after that block do not belong to the label. */
  let isIntroduced = false;
  let columns: readonly string[] = [];
  const under = () =>
    [heading, label, ...items.map((item) => item.text)].filter((line) => line !== null).map(shortenParent);
  const add = (block: Pick<Block, 'kind' | 'text'>, parents = under()) => {
    blocks.push({ ...block, under: parents, depth: block.kind === 'item' ? items.length : 0 });
    isIntroduced ||= block.kind === 'code' || block.kind === 'quote';
  };
  const endQuote = () => {
    if (quote.length > 0) add({ kind: 'quote', text: quote.join('\n') });
    quote = [];
  };
  const endParagraph = () => {
    const joined = paragraph.join(' ').trim();
    paragraph = [];
    if (joined === '') return;
    if (isLabel(joined)) {
      items = [];
      isIntroduced = false;
      label = cleanInline(joined).replace(/\s*[:：]\s*$/, '');
      const content = label.replace(/^.*[:：]\s+(?=\S)/, '');
      if (countWords(content) >= 5)
        add(
          { kind: 'lead', text: label },
          [heading].filter((line) => line !== null),
        );
      return;
    }
    if (heading !== null && blocks.length === atHeading && PLACE.test(joined)) {
      const lead = blocks.at(-1);
      heading = `${heading} (${cleanInline(joined)})`;
      if (lead?.kind === 'lead' && heading.includes(lead.text)) lead.under = [heading];
      return;
    }
    items = [];
    if (isIntroduced) label = null;
    isIntroduced = false;
    const lead = /^(.*(?:[.!?]\**(?=\s)|[。！？]))\s*((?:[^.!?。！？]|[.!?](?=\S)){2,120}[:：]\**)$/.exec(
      joined,
    );
    if (lead) add({ kind: 'paragraph', text: cleanInline(lead[1]!) });
    else add({ kind: 'paragraph', text: cleanInline(joined) });
    label = lead ? cleanInline(lead[2]!).replace(/\s*[:：]\s*$/, '') : null;
    if (label !== null && countWords(label) >= 5)
      add(
        { kind: 'lead', text: label },
        [heading].filter((line) => line !== null),
      );
  };

  for (const raw of text.replace(/\r\n?/g, '\n').split('\n').slice(0, LINE_LIMIT)) {
    // The patterns below take cubic time on long white space and on U+2028, which "." does not match.
    const line = raw.replace(/(?<=\S)\s+/g, ' ');
    if (/^\s*(?:```|~~~)/.test(line)) {
      if (code === null) {
        endParagraph();
        code = [];
      } else {
        add({ kind: 'code', text: code.join('\n') });
        code = null;
      }
      continue;
    }
    if (code !== null) {
      code.push(raw);
      continue;
    }
    if (!/^\s*>/.test(line)) endQuote();
    const title = /^\s*#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1];
    const item = /^(\s*)(?:[-*+•]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/.exec(line);
    if (title !== undefined) {
      endParagraph();
      heading = cleanInline(title).replace(/\s*[:：]\s*$/, '');
      const lead = heading.replace(/^summary\s*[:：-]\s*/i, '');
      if (countWords(lead) >= 4) add({ kind: 'lead', text: lead }, []);
      atHeading = blocks.length;
      label = null;
      items = [];
    } else if (item) {
      endParagraph();
      const depth = item[1]!.replaceAll('\t', '    ').length;
      items = items.filter((frame) => frame.depth < depth);
      const content = cleanInline(item[2]!);
      if (content !== '') add({ kind: 'item', text: content });
      items.push({ depth, text: content.replace(/\s*[:：]\s*$/, '') });
    } else if (/^\s*\|.*\|\s*$/.test(line)) {
      endParagraph();
      if (!/^\s*\|[\s:|-]+\|\s*$/.test(line)) add({ kind: 'row', text: formatRow(cellsOf(line), columns) });
      else columns = blocks.at(-1)?.kind === 'row' ? (blocks.pop()?.text.split(SEPARATOR) ?? []) : [];
    } else if (/^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line) || line.trim() === '') {
      endParagraph();
      columns = [];
      if (line.trim() !== '') label = null;
    } else if (/^\s*>/.test(line)) {
      endParagraph();
      quote.push(line.replace(/^\s*>\s?/, ''));
    } else if (items.length > 0 && /^\s{2,}\S/.test(line) && paragraph.length === 0) {
      const last = blocks.at(-1);
      if (last?.kind === 'item') last.text = `${last.text} ${cleanInline(line.trim())}`;
    } else if (/^\s*\*\*\d{1,2}[.)]\s.*\*\*/.test(line) && line.length < 160) {
      endParagraph();
      items = [];
      label = cleanInline(line);
    } else {
      paragraph.push(line.trim());
    }
  }
  if (code !== null && code.length > 0) add({ kind: 'code', text: code.join('\n') });
  endParagraph();
  endQuote();
  return joinSubItems(blocks);
}

/** Joins an item that ends in a colon with the short items below it, because it is not complete without them. */
function joinSubItems(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  const open = new Set<Block>();
  for (const block of blocks) {
    const parent = joined.at(-1);
    const isBelow =
      parent?.kind === 'item' && block.kind === 'item' && block.under.length > parent.under.length;
    if (isBelow && (open.has(parent) || /[:：]$/.test(parent.text))) {
      const isFirst = /[:：]$/.test(parent.text);
      const text = `${parent.text}${isFirst ? ' ' : '; '}${block.text.replace(/[.;]$/, '')}`;
      if (text.length <= 380) {
        const line = { ...parent, text };
        open.add(line);
        joined[joined.length - 1] = line;
        continue;
      }
    }
    joined.push(block);
  }
  return joined;
}

/** Returns true for a short line that introduces the following text: `**Fixed:**`, `Changes made:`. */
function isLabel(text: string): boolean {
  if (/^(?:\*\*|__)[^*_]+(?:\*\*|__)[:：]?$/.test(text) && text.length < 80 && !/[.!。！]\**$/.test(text))
    return true;
  return /[:：]\**$/.test(text) && text.length < 200 && !/[.!?]\s|[。！？]./.test(text);
}

/** Matches the line below a heading that names the files of the section. */
const PLACE = /^[*_]{0,2}(?:files?|locations?|where)[*_]{0,2}\s*[:：]/i;

const SEPARATOR = ' | ';

const cellsOf = (line: string) =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cleanInline(cell));

/**
 * Formats each cell after the first one with the name of its column. The header row is read before the columns are
 * known.
 */
const formatRow = (cells: readonly string[], columns: readonly string[]) =>
  cells
    .map((cell, at) => (at === 0 || cell === '' || !columns[at] ? cell : `${columns[at]}: ${cell}`))
    .join(SEPARATOR);

const MARKS = /[\u2600-\u27bf\u{1f300}-\u{1faff}\u2b00-\u2bff]\ufe0f?/gu;

/** Removes emphasis, link targets and decoration. Code keeps its backticks. */
export function cleanInline(text: string): string {
  const code: string[] = [];
  const kept = text.replace(/`[^`\n]+`/g, (span) => `\ue000${code.push(span) - 1}\ue000`);
  return withoutMarks(kept).replace(/\ue000(\d+)\ue000/g, (_, index: string) => code[Number(index)]!);
}

function withoutMarks(text: string): string {
  return text
    .replace(/!\[[^\]\n]{0,200}\]\([^)\s]{0,500}\)/g, '')
    .replace(/\[([^\]\n]{1,300})\]\(([^)\s]{0,500})\)/g, (_, shown: string, target: string) =>
      linkText(shown, target),
    )
    .replace(/\*\*\*?|(?<![\w`])__(?=\S)|(?<=\S)__(?![\w`])/g, '')
    .replace(/(?<![\w*`/])\*(?=[^\s*])([^*`\n]{1,200})(?<=\S)\*(?![\w*`/])/g, '$1')
    .replace(/<\/?(?:b|i|em|strong|code|br|kbd|sub|sup)\s*\/?>/gi, '')
    .replace(MARKS, '')
    .replace(/\s+/g, ' ')
    .replace(/(?<=\S) (?=[)\]](?:\s|$))/g, '')
    .trim()
    .replace(/^\d{1,2}[.)]\s+(?=\S)/, '');
}

/** Returns the file of a link to a file, with its line number if the link text does not contain it. */
function linkText(shown: string, target: string): string {
  const place = /^(?:file:\/\/)?(\/?[^\s:#]+\.\w{1,8}):?(?:#L)?(\d+)?$/.exec(target);
  if (!place || /^https?:/.test(target)) return shown;
  return place[2] === undefined || shown.includes(place[2])
    ? `\`${place[1]}\``
    : `\`${place[1]}:${place[2]}\``;
}
