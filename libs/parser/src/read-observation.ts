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
  toSlug,
  uniqueByText,
  type Report,
} from './read-values.js';

/** Reads the observation of a block. Returns null and reports an issue when the block contains none. */
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

  // At the end of the reply, only the last words are missing. Before another block, the length of the missing text is
  // unknown.
  const isUsable = block.end === 'text' && draft.title !== null && hasBody;
  if (isCutInField(block) && !isUsable) {
    report('cut-off', 'An observation is truncated and was skipped.', block.offset);
    return null;
  }
  const isEmpty = draft.title === null && draft.subtitle === null && !hasBody;
  const prose = !hasBody && (block.end === 'closed' || !isEmpty) ? cleanProse(block.prose) : '';
  if (isEmpty && prose === '') {
    report('empty-block', 'An observation has no content and was skipped.', block.offset);
    return null;
  }
  if (prose !== '') {
    report(
      'prose-block',
      'An observation has no body fields. Its text is used as the narrative.',
      block.offset,
    );
    draft.title ??= createTitle(prose);
    draft.narrative = truncate(prose, LIMITS.narrative);
  } else if (block.end !== 'closed' || fields.some(({ isEnded }) => !isEnded)) {
    report('missing-end', 'An observation has no end tag.', block.offset);
  }
  const observation = { type: readType(block, mode, report), ...draft };
  if (!isExampleObservation(observation, mode)) return observation;
  report('template-echo', 'An observation repeats an example of the prompt and was skipped.', block.offset);
  return null;
}

/** Returns true when the next block or the end of the text comes before the end of a field or before any field. */
export function isCutInField(block: Block): boolean {
  const last = block.fields.at(-1);
  return block.end !== 'closed' && (last === undefined || !last.isEnded);
}

function readType({ fields, offset }: Block, { types, neutralType }: ObserverMode, report: Report): string {
  const texts = fields
    .filter(({ name }) => name === 'type')
    .map(({ text }) => toSingleLine(toStorableText(text)));
  const reportedType = truncate(texts.find((text) => text !== '') ?? '', LIMITS.concept);
  if (reportedType === '') {
    report('missing-type', `An observation has no type. It is stored as ${neutralType}.`, offset);
    return neutralType;
  }
  const plain = (text: string) => toSlug(text).replaceAll('-', '');
  const known =
    types.find(({ id }) => id === reportedType) ?? types.find(({ id }) => plain(id) === plain(reportedType));
  if (known !== undefined) return known.id;
  report(
    'unknown-type',
    `The type "${reportedType}" is not known. The observation is stored as ${neutralType}.`,
    offset,
  );
  return neutralType;
}

/** Returns the prose of a block without code fences and without remains of other markup at its edges. */
export function cleanProse(text: string): string {
  const lines = toStorableText(text)
    .split('\n')
    .filter((line) => !/^\s*```\w*\s*$/.test(line));
  const prose = lines.join('\n').replace(/\n{3,}/g, '\n\n').trim(); // prettier-ignore
  return /[\p{L}\p{N}]/u.test(prose) ? prose : '';
}

function createTitle(prose: string): string {
  const line = toSingleLine(prose);
  const sentence = /^.{10,120}?[.!?。！？](?=\s|$)/u.exec(line)?.[0] ?? line;
  return truncate(toStorableText(sentence).replace(/[.。]$/, ''), 120);
}
