import type { ObservationDraft, SummaryDraft } from '@claude-mem/core';

/** What is worth remembering, the words for it, and how an answer looks. */
export interface ObserverMode {
  name: string;
  types: readonly { id: string; meaning: string }[];
  /** The type of an observation that came without one, or with one that is not in `types`. */
  neutralType: string;
  concepts: readonly { id: string; meaning: string }[];
  guidance: string;
  /** Shown to the observer; an answer that repeats one has said nothing. */
  examples: { observations: readonly ObservationDraft[]; summary: SummaryDraft };
}
