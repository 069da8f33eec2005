import type { ObservationDraft, SummaryDraft } from '@claude-mem/core';
import { slugOf } from './read-values.js';

/** The example in every prompt. A reply that repeats it has said nothing. */
export const EXAMPLE_OBSERVATION: ObservationDraft = {
  type: 'bugfix',
  title: 'Receipt totals no longer drift by one cent',
  subtitle: 'Rounding moved from each line to the sum',
  narrative:
    'Totals differed from the bank by a cent because each line was rounded before adding. The sum is now kept in integer cents and rounded once. Receipts stored earlier still hold the old totals.',
  facts: [
    'sumLines() in billing/receipt.ts works in integer cents',
    '`pnpm test receipt` failed with "expected 10.01 to be 10" and passes now',
  ],
  concepts: ['problem-solution', 'gotcha'],
  filesRead: ['billing/tax.ts'],
  filesModified: ['billing/receipt.ts'],
};

export const EXAMPLE_SUMMARY: SummaryDraft = {
  request: 'Find out why receipt totals are a cent off.',
  investigated: 'How lines, tax and totals are rounded.',
  learned: 'Each line was rounded before the sum.',
  completed: 'Rounding happens once, in receipt.ts; tests pass.',
  nextSteps: 'Stored receipts are not corrected yet.',
  notes: null,
  filesRead: [],
  filesEdited: [],
};

const same = (a: string | null, b: string | null) => a !== null && b !== null && slugOf(a) === slugOf(b);

export function isExampleObservation(draft: ObservationDraft): boolean {
  return (
    same(draft.title, EXAMPLE_OBSERVATION.title) ||
    same(draft.narrative, EXAMPLE_OBSERVATION.narrative) ||
    same(draft.facts[0] ?? null, EXAMPLE_OBSERVATION.facts[0] ?? null)
  );
}

export function isExampleSummary(draft: SummaryDraft): boolean {
  return (
    same(draft.request, EXAMPLE_SUMMARY.request) ||
    same(draft.completed, EXAMPLE_SUMMARY.completed) ||
    same(draft.learned, EXAMPLE_SUMMARY.learned)
  );
}
