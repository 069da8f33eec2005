import { toSingleLine, toStorableText, truncate, type ObservationDraft } from '@claude-mem/core';
import type { Block, Field } from './block.js';
import { LIMITS } from './limits.js';
import { isExampleObservation } from './is-example.js';
import type { ObserverMode } from './observer-mode.js';
import {
  readConcepts,
  readFacts,
  readFiles,
  readLine,
  readParagraphs,
  slugOf,
  uniqueByText,
  type Report,
} from './read-values.js';

/** The observation of a block, or null and the reason in a report. */
export function readObservation(block: Block, mode: ObserverMode, report: Report): ObservationDraft | null {
  const { fields } = block;
  const all = (names: readonly string[]) => fields.filter(({ name }) => names.includes(name));
  const first = <T>(names: readonly string[], read: (field: Field) => T | null) => {
    for (const field of all(names)) {
      const value = read(field);
      if (value !== null) return value;
    }
    return null;
  };
  const list = (names: readonly string[], read: (field: Field) => readonly string[]) => [
    ...new Set(all(names).flatMap(read)),
  ];

  const draft = {
    title: first(['title'], (field) => readLine(field, LIMITS.title, report)),
    subtitle: first(['subtitle'], (field) => readLine(field, LIMITS.subtitle, report)),
    narrative: first(['narrative', 'description'], (field) =>
      readParagraphs(field, LIMITS.narrative, report),
    ),
    facts: uniqueByText(all(['facts']).flatMap((field) => readFacts(field, report))),
    concepts: list(['concepts'], (field) => readConcepts(field, mode.concepts, report)),
    filesRead: list(['filesread'], (field) => readFiles(field, report)),
    filesModified: list(['filesmodified', 'filesedited'], (field) => readFiles(field, report)),
  };
  const hasBody = draft.narrative !== null || draft.facts.length > 0;

  // At the end of the reply only the last words are missing; before another block, nobody knows how much.
  const isUsable = block.end === 'text' && draft.title !== null && hasBody;
  if (isCutInField(block) && !isUsable) {
    report('cut-off', 'An observation was cut off and is not kept.', block.offset);
    return null;
  }
  const isEmpty = draft.title === null && draft.subtitle === null && !hasBody;
  const prose = !hasBody && (block.end === 'closed' || !isEmpty) ? proseOf(block.prose) : '';
  if (isEmpty && prose === '') {
    report('empty-block', 'An observation said nothing.', block.offset);
    return null;
  }
  if (prose !== '') {
    report('prose-block', 'An observation lacked fields; its text became the narrative.', block.offset);
    draft.title ??= titleOf(prose);
    draft.narrative = truncate(prose, LIMITS.narrative);
  } else if (block.end !== 'closed' || fields.some(({ isEnded }) => !isEnded)) {
    report('missing-end', 'An end tag is missing in an observation.', block.offset);
  }
  const observation = { type: typeOf(block, mode, report), ...draft };
  if (!isExampleObservation(observation, mode)) return observation;
  report('template-echo', 'The reply repeats the example of the prompt.', block.offset);
  return null;
}

/** The next block or the end of the text came before the end of a field, or before any field. */
export function isCutInField(block: Block): boolean {
  const last = block.fields.at(-1);
  return block.end !== 'closed' && (last === undefined || !last.isEnded);
}

function typeOf({ fields, offset }: Block, { types, neutralType }: ObserverMode, report: Report): string {
  const texts = fields
    .filter(({ name }) => name === 'type')
    .map(({ text }) => toSingleLine(toStorableText(text)));
  const given = truncate(texts.find((text) => text !== '') ?? '', LIMITS.concept);
  if (given === '') {
    report('missing-type', `An observation has no type; it is kept as ${neutralType}.`, offset);
    return neutralType;
  }
  const plain = (text: string) => slugOf(text).replaceAll('-', '');
  const known = types.find(({ id }) => id === given) ?? types.find(({ id }) => plain(id) === plain(given));
  if (known !== undefined) return known.id;
  report(
    'unknown-type',
    `The type "${given}" is not known; the observation is kept as ${neutralType}.`,
    offset,
  );
  return neutralType;
}

/** Prose of a block without its code fences and the remains of other markup at its edges. */
export function proseOf(text: string): string {
  const lines = toStorableText(text)
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
