import {
  toFacts,
  toSingleLine,
  toStorableText,
  truncate,
  withoutUndefined,
  type ObservationDraft,
  type ObservationInput,
} from '@claude-mem/core';
import { createTextScrubber, scrubText } from '@claude-mem/privacy';
import type { ObservationChange, RememberRequest } from '@claude-mem/worker-protocol';
import { notesOnLimits } from './notes-on-limits.js';
import { readType } from './read-type.js';
import { scrubTogether } from './scrub-together.js';

/** The stored fields of a request, and the notes for the user. */
export interface ReadDraft<Draft> {
  draft: Draft;
  notes: string[];
}

const TITLE_LENGTH = 120;
const REMOVED_NOTE = 'Private text and secrets were removed.';

/**
 * Without a title, the first line of the text is the title. A text with only this line is removed.
 * @param types those of all modes
 * @throws WorkerError for another type
 */
export function readDraft(
  given: RememberRequest,
  { types }: { types: readonly string[] },
): ReadDraft<ObservationDraft> {
  const request = makeStorable(given);
  // Before the title is cut from the text, because half a secret is not recognized.
  const clean = scrubInTurn(request);
  const text = (clean.text ?? '').trim();
  const [first = '', ...others] = text.split(/\r?\n/);
  const ownTitle = toSingleLine(clean.title ?? '');
  const title = ownTitle || truncate(toSingleLine(first), TITLE_LENGTH);
  const isFullText = ownTitle === '' && others.length === 0 && title === toSingleLine(first);
  const { draft, notes } = scrubbed({
    type: readType(request.type ?? '', types) || 'discovery',
    title: title || null,
    subtitle: toSingleLine(clean.subtitle ?? '') || null,
    narrative: text === '' || isFullText ? null : text,
    facts: withText(clean.facts ?? []),
    concepts: withText(clean.concepts ?? []),
    filesRead: withText(clean.files ?? []),
    filesModified: [],
  });
  const facts = toFacts(draft.facts, given.savedBy === 'agent' ? 'agent' : 'user');
  return { draft: { ...draft, facts }, notes: withNote(notes, { isScrubbed: !isSame(clean, request) }) };
}

/**
 * Omitted fields stay omitted.
 * @param types those of all modes
 * @throws WorkerError for another type
 */
export function readChange(
  change: ObservationChange,
  { types }: { types: readonly string[] },
): ReadDraft<Partial<ObservationDraft>> {
  const { pinned: _, supersededBy: __, ifUpdatedAtEpoch: ___, ...fields } = change;
  const given = makeStorable(fields);
  const draft = scrubInTurn(given);
  const lines = (texts: readonly string[] | undefined) => texts && withText(texts);
  const line = (text: string | null | undefined) => (text ? toSingleLine(text) || null : text);
  const type = draft.type === undefined ? undefined : readType(draft.type, types);
  const { draft: stored, notes: scrubNotes } = scrubbed(
    withoutUndefined({
      ...draft,
      type: type || undefined,
      title: line(draft.title),
      subtitle: line(draft.subtitle),
      narrative: draft.narrative === undefined ? undefined : draft.narrative?.trim() || null,
      facts: lines(draft.facts),
      concepts: lines(draft.concepts),
      filesRead: lines(draft.filesRead),
      filesModified: lines(draft.filesModified),
    }),
  );
  const notes = withNote(scrubNotes, { isScrubbed: !isSame(draft, given) });
  if (type === '') notes.push('A type needs a word: it stays as it was.');
  const facts = stored.facts && toFacts(stored.facts, 'user');
  return { draft: withoutUndefined({ ...stored, facts }), notes };
}

/** In reading order. */
const TEXTS = [
  'title',
  'subtitle',
  'text',
  'narrative',
  'facts',
  'concepts',
  'files',
  'filesRead',
  'filesModified',
] as const;

/** A private block may begin in one field and end in another. */
function scrubInTurn<Fields extends RememberRequest | ObservationChange>(fields: Fields): Fields {
  const scrub = createTextScrubber();
  return mapTexts(fields, (text) => scrub(text).text);
}

/** Scrubbing normalizes characters too. Normalizing first keeps that from being reported as a removed secret. */
const makeStorable = <Fields extends RememberRequest | ObservationChange>(fields: Fields): Fields =>
  mapTexts(fields, (text) => toStorableText(text.replace(/^\ufeff/, '')));

function mapTexts<Fields extends RememberRequest | ObservationChange>(
  fields: Fields,
  map: (text: string) => string,
): Fields {
  const given: Readonly<Record<string, unknown>> = fields;
  const mapValue = (value: unknown): unknown => {
    if (typeof value === 'string') return map(value);
    return Array.isArray(value) ? value.map(mapValue) : value;
  };
  const texts = TEXTS.filter((name) => name in given).map((name) => [name, mapValue(given[name])]);
  return { ...fields, ...(Object.fromEntries(texts) as Partial<Fields>) };
}

const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);

const withNote = (notes: readonly string[], { isScrubbed }: { isScrubbed: boolean }): string[] =>
  isScrubbed && !notes.includes(REMOVED_NOTE) ? [REMOVED_NOTE, ...notes] : [...notes];

function scrubbed<Draft extends Partial<ObservationInput>>(draft: Draft): ReadDraft<Draft> {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return scrubText(value).text;
    return Array.isArray(value) ? value.map(clean).filter((text) => text !== '') : value;
  };
  const scrubbedAlone = Object.fromEntries(
    Object.entries(draft).map(([name, value]) => [name, clean(value)]),
  ) as Draft;
  const result = scrubTogether(scrubbedAlone);
  const isChanged = !isSame(result, draft);
  return { draft: result, notes: [...(isChanged ? [REMOVED_NOTE] : []), ...notesOnLimits(result)] };
}

const withText = (texts: readonly string[]) => texts.map(toSingleLine).filter((text) => text !== '');
