import { FIELDS } from '../analysis/analyze-record.js';
import { lengthOfByte } from '../tables/field-length.js';
import { FIELD_WEIGHTS, LENGTH_NORMALIZATION } from './lexical-weights.js';

/** Weight of one occurrence in a field by its length: `weights[field * 256 + encoded length]`. */
export interface FieldLengths {
  readonly weights: Float64Array;
  /** Changes whenever the weights change. */
  readonly version: number;
  add(lengths: Uint8Array, slot: number): void;
  remove(lengths: Uint8Array, slot: number): void;
  /** Updates the weights. */
  settle(): void;
  reset(): void;
}

/** Averages change in steps of about 4 %, so that cached values remain valid while records are added one by one. */
const STEPS_PER_DOUBLING = 16;

export function createFieldLengths(): FieldLengths {
  const totals = new Float64Array(FIELDS.length);
  const documents = new Float64Array(FIELDS.length);
  const weights = new Float64Array(FIELDS.length * 256);
  let steps: readonly number[] = [];
  let version = 0;

  function count(lengths: Uint8Array, slot: number, sign: 1 | -1): void {
    for (let field = 0; field < FIELDS.length; field += 1) {
      const byte = lengths[slot * FIELDS.length + field] ?? 0;
      if (byte === 0) continue;
      totals[field] = (totals[field] ?? 0) + sign * lengthOfByte(byte);
      documents[field] = (documents[field] ?? 0) + sign;
    }
  }

  return {
    weights,
    get version() {
      return version;
    },
    add: (lengths, slot) => count(lengths, slot, 1),
    remove: (lengths, slot) => count(lengths, slot, -1),
    reset() {
      totals.fill(0);
      documents.fill(0);
    },
    settle() {
      const now = FIELDS.map((_, field) => {
        const average = (totals[field] ?? 0) / Math.max(1, documents[field] ?? 0);
        return Math.round(Math.log2(Math.max(1, average)) * STEPS_PER_DOUBLING);
      });
      if (now.length === steps.length && now.every((step, field) => step === steps[field])) return;
      steps = now;
      version += 1;
      FIELDS.forEach((field, place) => {
        const weight = FIELD_WEIGHTS[field];
        const { share, atRest } = LENGTH_NORMALIZATION;
        const average = 2 ** ((now[place] ?? 0) / STEPS_PER_DOUBLING);
        for (let byte = 0; byte < 256; byte += 1) {
          const length = (lengthOfByte(byte) + atRest) / (average + atRest);
          weights[place * 256 + byte] = weight / (1 - share + share * length);
        }
      });
    },
  };
}
