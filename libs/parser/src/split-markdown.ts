import {
  isListField,
  OBSERVATION_FIELDS,
  plainName,
  SUMMARY_FIELDS,
  type Block,
  type Field,
} from './block.js';
import { decodeMarkup } from './markup.js';

/** Matches `## Observation 1: a title` and `**Summary**`. */
const HEADING =
  /^\s{0,3}(?:#{1,6}\s*|\*\*\s*|\d{1,2}[.)]\s+){1,3}(observation|summary|session summary)\b\s{0,3}#?\d{0,3}(?:\*\*)?\s{0,3}(?:[:–—-]\s{0,3}(.*))?$/i;
/** Matches `- **Title:** text`, `Title: text` and `### Narrative`. */
const LABEL =
  /^\s{0,8}(?:[-*+]\s{1,3})?(?:#{2,6}\s{1,3})?(?:\*\*|__|`)?([a-z][a-z _-]{2,18}?)(?:\*\*|__|`)?\s{0,3}(?:[:：](?:\*\*|__)?\s{0,3}(.*))?$/i;
const DECORATION = /^\s*(?:```\w*|-{3,}|\*{3,}|={3,})\s*$/;
const BULLET = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/;

interface OpenBlock {
  name: 'observation' | 'summary';
  offset: number;
  fields: OpenField[];
}

interface OpenField {
  name: string;
  lines: string[];
  offset: number;
}

/** Reads the records of a Markdown reply: lines with labels, usually under headings. */
export function splitMarkdown(text: string, from: number): readonly Block[] {
  const blocks: OpenBlock[] = [];
  let at = from;
  for (const line of text.slice(from).split('\n')) {
    const offset = at;
    at += line.length + 1;
    const heading = HEADING.exec(line);
    if (heading) {
      const name = /summary/i.test(heading[1] ?? '') ? 'summary' : 'observation';
      const title = stripEmphasis(heading[2] ?? '');
      const fields =
        name === 'observation' && title !== '' ? [{ name: 'title', lines: [title], offset }] : [];
      blocks.push({ name, offset, fields });
      continue;
    }
    const label = LABEL.exec(line);
    const name = plainName(label?.[1] ?? '');
    const isHeadingLike = label?.[2] !== undefined || /^\s{0,3}(?:#|\*\*|__)/.test(line);
    if (label && isHeadingLike && (OBSERVATION_FIELDS.has(name) || SUMMARY_FIELDS.has(name))) {
      const value = stripEmphasis(label[2] ?? '');
      blockFor(name, offset, blocks).fields.push({ name, lines: value === '' ? [] : [value], offset });
    } else if (!DECORATION.test(line)) blocks.at(-1)?.fields.at(-1)?.lines.push(line);
  }
  return blocks.filter(isRecordLike).map(close);
}

/** Returns the block for a field. A field that the last block cannot have, or already has, begins a new block. */
function blockFor(name: string, offset: number, blocks: OpenBlock[]): OpenBlock {
  const last = blocks.at(-1);
  const acceptsField = last?.name === 'summary' ? SUMMARY_FIELDS : OBSERVATION_FIELDS;
  if (last && acceptsField.has(name) && !last.fields.some((field) => field.name === name)) return last;
  const block: OpenBlock = {
    name: OBSERVATION_FIELDS.has(name) ? 'observation' : 'summary',
    offset,
    fields: [],
  };
  blocks.push(block);
  return block;
}

/** Returns false for text that only contains a line such as `Type: …`. */
function isRecordLike({ name, fields }: OpenBlock): boolean {
  const has = (...names: string[]) => fields.some((field) => names.includes(field.name));
  if (name === 'summary') return fields.length >= 2;
  return has('title') && has('narrative', 'description', 'facts');
}

function close({ name, offset, fields }: OpenBlock): Block {
  return { name, offset, fields: fields.map(closeField), prose: '', end: 'closed' };
}

/** A title ends with its line, and a bullet list with its last bullet. The text after it belongs to no field. */
function closeField({ name, lines, offset }: OpenField): Field {
  const bullets = lines.filter((line) => BULLET.test(line));
  const isLine = name === 'title' || name === 'subtitle' || name === 'type';
  const own = isLine ? lines.slice(0, 1) : isListField(name) && bullets.length > 0 ? bullets : lines;
  return { name, text: decodeMarkup(own.join('\n')), items: null, offset, isEnded: true };
}

/** Removes the emphasis around a text. */
const stripEmphasis = (text: string) => text.trim().replace(/^(\*\*|__|`)(.*)\1$/, '$2').trim(); // prettier-ignore
