import type { Field } from '../analysis/analyze-record.js';

/** Weight of a word in each field. */
export const FIELD_WEIGHTS: Readonly<Record<Field, number>> = {
  title: 4,
  narrative: 1,
  facts: 1,
  labels: 1,
  files: 1.5,
};

/** How fast repeated occurrences of a word saturate. */
export const SATURATION = 1;

export const LENGTH_NORMALIZATION = {
  /** Length normalization of fields and sessions: 0 none, 1 full. */
  share: 0.6,
  /**
   * Number of words that is added to the length of every field, so that random differences of short texts have less
   * effect.
   */
  atRest: 15,
} as const;
