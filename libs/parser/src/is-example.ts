import type { ObservationDraft, SummaryDraft } from '@claude-mem/core';
import type { ObserverMode } from './observer-mode.js';
import { slugOf } from './read-values.js';

/** Whether a record repeats an example of the prompt, if only in one of its telling texts. */
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
  a != null && b != null && slugOf(a) === slugOf(b);
