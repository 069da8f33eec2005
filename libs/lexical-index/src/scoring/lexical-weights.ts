import type { Field } from '../analysis/analyze-record.js';

/** How much a word counts in each field. */
export const FIELD_WEIGHTS: Readonly<Record<Field, number>> = {
  title: 4,
  narrative: 1,
  facts: 1,
  labels: 1,
  files: 1.5,
};

/** How soon it stops mattering that a word stands there once more. */
export const SATURATION = 1;

export const LENGTH_NORMALIZATION = {
  /** How much the length of a field or of a session counts against it: 0 not at all, 1 fully. */
  share: 0.6,
  /** Words that every field is taken to be longer, so that the lengths of short texts, which differ by chance, say less. */
  atRest: 15,
} as const;
