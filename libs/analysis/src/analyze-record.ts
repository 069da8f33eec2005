import type { ObservationDraft, SummaryDraft } from '@claude-mem/core';
import { wordsOf } from './words-of.js';

/** Changes whenever the same text gives other terms: an index made with another version is built anew. */
export const ANALYSIS_VERSION = 1;

/** Where a term can stand in a record; each has its own weight and usual length. */
export const FIELDS = ['title', 'narrative', 'facts', 'labels', 'files'] as const;
export type Field = (typeof FIELDS)[number];

export type IndexableRecord =
  | ({ kind: 'observation' } & ObservationDraft)
  | ({ kind: 'summary' } & SummaryDraft)
  | { kind: 'prompt'; promptText: string };

export interface AnalyzedRecord {
  /** Words in each field, in the order of FIELDS. */
  lengths: readonly number[];
  /** For each term how often it stands in each field, in the order of FIELDS. */
  terms: ReadonlyMap<string, readonly number[]>;
  /** Words of each field, for phrases. */
  words: Readonly<Record<Field, readonly string[]>>;
}

/** What of a record can be found, and by which terms. */
export function analyzeRecord(record: IndexableRecord): AnalyzedRecord {
  const words = Object.fromEntries(
    FIELDS.map((field) => [field, textsOf(record, field).flatMap((text) => wordsOf(text))]),
  ) as unknown as Record<Field, readonly string[]>;
  const terms = new Map<string, number[]>();
  FIELDS.forEach((field, place) => {
    for (const word of words[field]) {
      const counts = terms.get(word) ?? FIELDS.map(() => 0);
      counts[place] = (counts[place] ?? 0) + 1;
      terms.set(word, counts);
    }
  });
  return { lengths: FIELDS.map((field) => words[field].length), terms, words };
}

function textsOf(record: IndexableRecord, field: Field): readonly string[] {
  const present = (...texts: (string | null)[]) => texts.filter((text) => text !== null);
  if (record.kind === 'prompt') return field === 'narrative' ? [record.promptText] : [];
  if (record.kind === 'summary') {
    if (field === 'title') return present(record.request);
    if (field === 'narrative')
      return present(record.investigated, record.learned, record.completed, record.nextSteps, record.notes);
    return field === 'files' ? [...record.filesEdited, ...record.filesRead] : [];
  }
  if (field === 'title') return present(record.title, record.subtitle);
  if (field === 'narrative') return present(record.narrative);
  if (field === 'facts') return record.facts;
  return field === 'labels'
    ? [record.type, ...record.concepts]
    : [...record.filesModified, ...record.filesRead];
}
