import type { ObservationDraft, SummaryDraft } from '@claude-mem/core';
import { detectLatinLanguage, latinLanguageTerm, latinStemTerms, latinWords } from './latin-languages.js';
import { fileTerms, labelTerm } from './marker-terms.js';
import { scanText, type TextSink } from './scan-text.js';

/** Incremented whenever the same text has other terms. An index of another version is rebuilt. */
export const ANALYSIS_VERSION = 4;

/** The fields of a record, each with its own weight and average length. */
export const FIELDS = ['title', 'narrative', 'facts', 'labels', 'files'] as const;
export type Field = (typeof FIELDS)[number];

const PROSE: readonly Field[] = ['title', 'narrative', 'facts'];

export type IndexableRecord =
  | ({ kind: 'observation' } & ObservationDraft)
  | ({ kind: 'summary' } & SummaryDraft)
  | { kind: 'prompt'; promptText: string };

export interface AnalyzedRecord {
  /** Number of words in each field, in the order of FIELDS. */
  lengths: readonly number[];
  /** Occurrences of each term in each field, in the order of FIELDS. In facts of the user, it counts twice. */
  terms: ReadonlyMap<string, readonly number[]>;
  /** Words of each field, for phrases. */
  words: Readonly<Record<Field, readonly string[]>>;
}

const NONE = FIELDS.map(() => 0);

/** Weight of a term in a fact of the user. In any other text it counts once. */
const USER_FACT_COUNT = 2;

/** Returns the searchable terms of a record. */
export function analyzeRecord(record: IndexableRecord): AnalyzedRecord {
  const terms = new Map<string, number[]>();
  const language = detectLatinLanguage(PROSE.flatMap((field) => textsOf(record, field)).join('\n'));
  const userFacts = userFactsOf(record);
  const words = FIELDS.map((field, place) => {
    const inOrder: string[] = [];
    let times = 1;
    const count = (term: string) => {
      let counts = terms.get(term);
      if (counts === undefined) terms.set(term, (counts = NONE.slice()));
      counts[place] = (counts[place] as number) + times;
    };
    const sink: TextSink = {
      word(term) {
        inOrder.push(term);
        count(term);
      },
      compound: count,
      piece: count,
    };
    const isStemmed = language !== null && PROSE.includes(field);
    if (isStemmed) count(latinLanguageTerm(language));
    for (const text of textsOf(record, field)) {
      times = field === 'facts' && userFacts.has(text) ? USER_FACT_COUNT : 1;
      scanText(text, sink);
      if (isStemmed)
        for (const word of latinWords(text)) for (const term of latinStemTerms(language, word)) count(term);
    }
    times = 1;
    for (const term of markersOf(record, field)) count(term);
    return inOrder;
  });
  return {
    lengths: words.map(({ length }) => length),
    terms,
    words: Object.fromEntries(FIELDS.map((field, place) => [field, words[place]])) as Record<Field, string[]>,
  };
}

function markersOf(record: IndexableRecord, field: Field): readonly string[] {
  if (field === 'files')
    return textsOf(record, field).flatMap((path) => {
      const { complete, reversed, folders } = fileTerms(path);
      return [complete, reversed, ...folders];
    });
  return field === 'labels' && record.kind === 'observation' ? record.concepts.map(labelTerm) : [];
}

function userFactsOf(record: IndexableRecord): ReadonlySet<string> {
  const facts = record.kind === 'observation' ? record.facts : [];
  return new Set(facts.filter(({ origin }) => origin === 'user').map(({ text }) => text));
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
  if (field === 'facts') return record.facts.map(({ text }) => text);
  return field === 'labels'
    ? [record.type, ...record.concepts]
    : [...record.filesModified, ...record.filesRead];
}
