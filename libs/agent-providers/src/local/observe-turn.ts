import type { ObservationDraft, ObserverBatch, SummaryDraft } from '@claude-mem/core';
import { toSingleLine, truncate } from '@claude-mem/core';
import { evidenceOf } from '../evidence/evidence-of.js';

export interface TurnRecords {
  observations: ObservationDraft[];
  summary: SummaryDraft | null;
}

/** Everything worth keeping of one batch. */
export function observeTurn(batch: ObserverBatch): TurnRecords {
  const evidence = evidenceOf(batch);
  if (evidence.filesModified.length === 0) return { observations: [], summary: null };
  const closing = batch.closing?.lastAssistantMessage ?? null;
  const title = truncate(toSingleLine(closing ?? `${evidence.filesModified[0]} changed`), 80);
  return {
    observations: [
      {
        type: 'change',
        title,
        subtitle: null,
        narrative: closing,
        facts: [],
        concepts: ['what-changed'],
        filesRead: evidence.filesRead,
        filesModified: evidence.filesModified,
      },
    ],
    summary: batch.closing && {
      request: batch.prompt,
      investigated: null,
      learned: null,
      completed: closing,
      nextSteps: null,
      notes: null,
      filesRead: evidence.filesRead,
      filesEdited: evidence.filesModified,
    },
  };
}
