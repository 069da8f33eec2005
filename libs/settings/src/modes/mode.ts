import type { ObservationDraft, SummaryDraft } from '@claude-mem/core';

/** Record types, concepts and instructions for the observer, for one kind of work. */
export interface Mode {
  name: string;
  /** The emoji replaces the name of the type in one-line formats. */
  types: readonly { id: string; emoji: string; meaning: string }[];
  /** Type of an observation whose type is missing or not in `types`. */
  neutralType: string;
  concepts: readonly { id: string; meaning: string }[];
  /** Instructions for the observer. */
  guidance: string;
  /** Example of a response for the observer. Never stored. */
  examples: { observations: readonly ObservationDraft[]; summary: SummaryDraft };
}
