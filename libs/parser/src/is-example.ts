import type { ObservationDraft, SummaryDraft } from '@claude-mem/core';
import type { ObserverMode } from './observer-mode.js';
import { toSlug } from './read-values.js';

/** Returns true when the title, the narrative or the first fact repeats an example of the prompt. */
export const isExampleObservation = (draft: ObservationDraft, { examples }: ObserverMode): boolean =>
  examples.observations.some(
    (example) =>
      isSame(draft.title, example.title) ||
      isSame(draft.narrative, example.narrative) ||
      isSame(draft.facts[0]?.text, example.facts[0]?.text),
  );

export const isExampleSummary = (draft: SummaryDraft, { examples: { summary } }: ObserverMode): boolean =>
  isSame(draft.request, summary.request) ||
  isSame(draft.completed, summary.completed) ||
  isSame(draft.learned, summary.learned);

const isSame = (a: string | null | undefined, b: string | null | undefined) =>
  a != null && b != null && toSlug(a) === toSlug(b);
