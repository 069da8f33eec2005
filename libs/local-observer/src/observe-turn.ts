import type { ObservationDraft, ObserverBatch, SummaryDraft } from '@claude-mem/core';
import { runToEnd, type Steps } from '@claude-mem/evidence';
import { selectConcepts } from './select-concepts.js';
import { createFacts } from './create-facts.js';
import { draftDecision } from './draft-decision.js';
import { fileLists } from './file-lists.js';
import { createNarrative } from './create-narrative.js';
import { splitTurn } from './split-turn.js';
import { createSubtitle } from './create-subtitle.js';
import { createSummary } from './create-summary.js';
import { createTitle } from './create-title.js';
import { turnSteps } from './turn-steps.js';
import type { Turn } from './turn.js';
import { selectType } from './select-type.js';
import { needsSummary, hasObservation } from './has-observation.js';

export interface TurnRecords {
  observations: ObservationDraft[];
  summary: SummaryDraft | null;
}

/** Creates the records of one batch. The same batch always gives the same records. */
export function observeTurn(batch: ObserverBatch): TurnRecords {
  return runToEnd(observeSteps(batch));
}

/** Creates the records in short steps, also for a large turn. */
export function* observeSteps(batch: ObserverBatch): Steps<TurnRecords> {
  const turn = yield* turnSteps(batch);
  const observations: ObservationDraft[] = [];
  for (const part of yield* splitTurn(turn)) {
    const observation = hasObservation(part) ? yield* observationOf(part) : null;
    if (observation !== null && observations.every(({ title }) => title !== observation.title))
      observations.push(observation);
  }
  yield;
  const titles = observations.map(({ title }) => title).join('; ');
  const summary =
    batch.closing !== null && needsSummary(turn) ? createSummary(turn, titles === '' ? null : titles) : null;
  const decision = observations.length > 0 ? draftDecision(turn) : null;
  return { observations: decision === null ? observations : [...observations, decision], summary };
}

function* observationOf(turn: Turn): Steps<ObservationDraft | null> {
  const title = createTitle(turn);
  if (title === null) return null;
  yield;
  const facts = createFacts(turn);
  yield;
  const type = selectType(turn);
  yield;
  return {
    type,
    title,
    subtitle: createSubtitle(turn, title),
    narrative: createNarrative(turn, [...facts.map(({ text }) => text), title]),
    facts,
    concepts: selectConcepts(turn, type),
    ...fileLists(turn.evidence),
  };
}
