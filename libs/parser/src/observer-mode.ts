import type { ObservationDraft, SummaryDraft } from '@claude-mem/core';

/** Record types, concepts, instructions and examples for the observer. */
export interface ObserverMode {
  name: string;
  types: readonly { id: string; meaning: string }[];
  /** The type of an observation without a type or with a type that is not in `types`. */
  neutralType: string;
  concepts: readonly { id: string; meaning: string }[];
  guidance: string;
  /** Examples in the instructions. A reply that repeats one is not a record. */
  examples: { observations: readonly ObservationDraft[]; summary: SummaryDraft };
}
