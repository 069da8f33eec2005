import type { Field } from '@claude-mem/analysis';

export interface FieldWeight {
  /** How much a word counts in this field. */
  weight: number;
  /** How much the length of the field counts against it: 0 not at all, 1 fully. */
  b: number;
}

export const FIELD_WEIGHTS: Readonly<Record<Field, FieldWeight>> = {
  title: { weight: 4, b: 0.6 },
  narrative: { weight: 1, b: 0.6 },
  facts: { weight: 1, b: 0.6 },
  labels: { weight: 1, b: 0.2 },
  files: { weight: 1.5, b: 0.3 },
};

/** How soon it stops mattering that a word stands there once more. */
export const SATURATION = 1;

/** Words that every field is taken to be longer, so that the lengths of short texts, which differ by chance, say less. */
export const LENGTH_AT_REST = 15;
