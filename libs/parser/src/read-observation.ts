import { toSingleLine, toStorableText, truncate, type ObservationDraft } from '@claude-mem/core';
import { LIMITS } from './limits.js';
import {
  readConcepts,
  readFacts,
  readFiles,
  readLine,
  readParagraphs,
  slugOf,
  textOf,
  type Report,
} from './read-values.js';
import type { Block, Field } from './split-blocks.js';
import { isExampleObservation } from './template.js';

/** The observation of a block, or null and the reason in a report. */
export function readObservation(
  block: Block,
  types: readonly string[],
  report: Report,
): ObservationDraft | null {
  const { fields } = block;
  const all = (name: string) => fields.filter((field) => field.name === name);
  const first = <T>(name: string, read: (field: Field) => T | null) => {
    for (const field of all(name)) {
      const value = read(field);
      if (value !== null) return value;
    }
    return null;
  };
  const list = (name: string, read: (field: Field) => readonly string[]) => [
    ...new Set(all(name).flatMap(read)),
  ];

  const draft = {
    title: first('title', (field) => readLine(field, LIMITS.title, report)),
    subtitle: first('subtitle', (field) => readLine(field, LIMITS.subtitle, report)),
    narrative: first('narrative', (field) => readParagraphs(field, LIMITS.narrative, report)),
    facts: list('facts', (field) => readFacts(field, report)),
    concepts: list('concepts', (field) => readConcepts(field, report)),
    filesRead: list('filesread', (field) => readFiles(field, report)),
    filesModified: list('filesmodified', (field) => readFiles(field, report)),
  };
  const hasBody = draft.narrative !== null || draft.facts.length > 0;

  // At the end of the reply only the last words are missing; before another block, nobody knows how much.
  const isUsable = block.end === 'text' && draft.title !== null && hasBody;
  if (isCutInField(block) && !isUsable) {
    report('cut-off', 'An observation was cut off and is not kept.', block.offset);
    return null;
  }
  if (draft.title === null && draft.subtitle === null && !hasBody) {
    const prose = block.end === 'closed' ? proseOf(block.prose) : '';
    if (prose === '') {
      report('empty-block', 'An observation said nothing.', block.offset);
      return null;
    }
    report('prose-block', 'An observation had no fields; its text became the narrative.', block.offset);
    draft.title = titleOf(prose);
    draft.narrative = truncate(prose, LIMITS.narrative);
  } else if (block.end !== 'closed' || fields.some(({ isEnded }) => !isEnded)) {
    report('missing-end', 'An end tag is missing in an observation.', block.offset);
  }
  const observation = { type: typeOf(block, types, report), ...draft };
  if (!isExampleObservation(observation)) return observation;
  report('template-echo', 'The reply repeats the example of the prompt.', block.offset);
  return null;
}

/** The next block or the end of the text came before the end of a field, or before any field. */
export function isCutInField(block: Block): boolean {
  const last = block.fields.at(-1);
  return block.end !== 'closed' && (last === undefined || !last.isEnded);
}

function typeOf(block: Block, types: readonly string[], report: Report): string {
  const field = block.fields.find(({ name }) => name === 'type');
  const attribute = /\btype\s*=\s*["']?([^"'\s/>]{1,60})/i.exec(block.attributes)?.[1];
  const given = truncate(toSingleLine(field ? textOf(field.markup) : (attribute ?? '')), LIMITS.concept);
  if (given === '') {
    report('missing-type', 'An observation has no type; it is kept as discovery.', block.offset);
    return 'discovery';
  }
  const plain = (text: string) => slugOf(text).replaceAll('-', '');
  const known = types.find((type) => type === given) ?? types.find((type) => plain(type) === plain(given));
  if (known !== undefined) return known;
  report(
    'unknown-type',
    `The type "${given}" is not known; the observation is kept as discovery.`,
    block.offset,
  );
  return 'discovery';
}

/** Prose of a block without its code fences and the remains of other markup at its edges. */
export function proseOf(markup: string): string {
  const lines = textOf(markup)
    .split('\n')
    .filter((line) => !/^\s*```\w*\s*$/.test(line));
  const prose = lines.join('\n').replace(/\n{3,}/g, '\n\n').trim(); // prettier-ignore
  return /[\p{L}\p{N}]/u.test(prose) ? prose : '';
}

function titleOf(prose: string): string {
  const line = toSingleLine(prose);
  const sentence = /^.{10,120}?[.!?。！？](?=\s|$)/u.exec(line)?.[0] ?? line;
  return truncate(toStorableText(sentence).replace(/[.。]$/, ''), 120);
}
