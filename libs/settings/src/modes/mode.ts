import type { ObservationDraft, SummaryDraft } from '@claude-mem/core';

/** What is worth remembering in one kind of work, and the words for it. */
export interface Mode {
  name: string;
  /** The emoji stands for the type where a record is one line. */
  types: readonly { id: string; emoji: string; meaning: string }[];
  /** The type of an observation that came without one, or with one that is not in `types`. */
  neutralType: string;
  concepts: readonly { id: string; meaning: string }[];
  /** What the observer is told about choosing and wording. */
  guidance: string;
  /** Shown to the observer as the form of an answer; never stored. */
  examples: { observations: readonly ObservationDraft[]; summary: SummaryDraft };
}
