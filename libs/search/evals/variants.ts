import { ARM_TRUST } from '../src/fusion/weigh-arms.js';
import { FUSION_WEIGHTS, NEIGHBOUR_WEIGHTS, SESSION_AS_ONE } from '../src/fusion/fusion-weights.js';
import { FILE_TRUST } from '../src/fusion/trust-files.js';
import { FIELD_WEIGHTS, LENGTH_NORMALIZATION } from '@claude-mem/lexical-index';

/** Ranking constants that a variant can change. */
const CONSTANTS = {
  fields: FIELD_WEIGHTS,
  lengths: LENGTH_NORMALIZATION,
  fusion: FUSION_WEIGHTS,
  neighbours: NEIGHBOUR_WEIGHTS,
  sessionAsOne: SESSION_AS_ONE,
  arms: ARM_TRUST,
  files: FILE_TRUST,
};

type Changes<Value> = {
  [Name in keyof Value]?: Value[Name] extends number
    ? number
    : Value[Name] extends readonly number[]
      ? readonly number[]
      : Changes<Value[Name]>;
};

export type ConstantChanges = Changes<typeof CONSTANTS>;

export const PRESENT = 'present';

const LINEAR = { nothing: 0, fine: 1 };
const NEVER = { nothing: 1e9, fine: 2e9 };

/**
 * Alternative values of the ranking constants, by name. `simple` marks variants that would make a constant
 * unnecessary.
 */
export const VARIANTS: Readonly<Record<string, ConstantChanges>> = {
  [PRESENT]: {},
  'title 3': { fields: { title: 3 } },
  'title 5': { fields: { title: 5 } },
  'files 1 (simple)': { fields: { files: 1 } },
  'length 0.45': { lengths: { share: 0.45 } },
  'length 0.75': { lengths: { share: 0.75 } },
  'no length at rest (simple)': { lengths: { atRest: 0 } },
  'session 1 (simple)': { fusion: { session: 1 } },
  'session saturation 1 (simple)': { sessionAsOne: { saturation: 1 } },
  'no recency (simple)': { fusion: { recency: 0 } },
  'neighbours 0.2 and 0.2 (simple)': { neighbours: { before: [0.2], after: [0.2] } },
  'neighbours 0.3 and 0.15 (simple)': { neighbours: { before: [0.3], after: [0.15] } },
  'no neighbours (simple)': { neighbours: { before: [], after: [] } },
  'linear trust of files (simple)': { files: { together: LINEAR, sure: LINEAR, agreement: LINEAR } },
  'no rare words (simple)': { arms: { rareWords: NEVER } },
  'linear agreement of vectors (simple)': { arms: { agreement: LINEAR } },
  'words 0 beside meaning (simple)': { arms: { beside: { words: 0 } } },
};

/** Returns true if the variant affects only semantic search. */
export const affectsOnlyVectors = (variant: string): boolean =>
  Object.keys(VARIANTS[variant] ?? {}).join() === 'arms';

/** Runs `work` with changed constants and restores them afterwards. */
export async function withConstants<Value>(
  changes: ConstantChanges,
  work: () => Promise<Value>,
): Promise<Value> {
  const before = structuredClone(CONSTANTS);
  assign(CONSTANTS, changes);
  try {
    return await work();
  } finally {
    assign(CONSTANTS, before);
  }
}

function assign(target: object, changes: object): void {
  for (const [name, value] of Object.entries(changes) as [keyof typeof target, unknown][]) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) assign(target[name], value);
    else Object.assign(target, { [name]: value });
  }
}
