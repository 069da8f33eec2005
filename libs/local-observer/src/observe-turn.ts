import type { ObservationDraft, ObserverBatch, SummaryDraft } from '@claude-mem/core';
import { runToEnd, type Steps } from '@claude-mem/evidence';
import { conceptsOfTurn } from './concepts-of-turn.js';
import { factsOfTurn } from './facts-of-turn.js';
import { decisionOf } from './decision-of-turn.js';
import { fileLists } from './file-lists.js';
import { narrativeOfTurn } from './narrative-of-turn.js';
import { splitTurn } from './split-turn.js';
import { subtitleOfTurn } from './subtitle-of-turn.js';
import { summaryOfTurn } from './summary-of-turn.js';
import { titleOfTurn } from './title-of-turn.js';
import { turnSteps, type Turn } from './turn.js';
import { typeOfTurn } from './type-of-turn.js';
import { hasNews, hasObservation } from './worth.js';

export interface TurnRecords {
  observations: ObservationDraft[];
  summary: SummaryDraft | null;
}

/** Everything worth keeping of one batch. Pure: the same batch gives the same records. */
export function observeTurn(batch: ObserverBatch): TurnRecords {
  return runToEnd(observeSteps(batch));
}

/** The same in pieces that are short even in a huge turn. */
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
    batch.closing !== null && hasNews(turn) ? summaryOfTurn(turn, titles === '' ? null : titles) : null;
  const decision = observations.length > 0 ? decisionOf(turn) : null;
  return { observations: decision === null ? observations : [...observations, decision], summary };
}

function* observationOf(turn: Turn): Steps<ObservationDraft | null> {
  const title = titleOfTurn(turn);
  if (title === null) return null;
  yield;
  const facts = factsOfTurn(turn);
  yield;
  const type = typeOfTurn(turn);
  yield;
  return {
    type,
    title,
    subtitle: subtitleOfTurn(turn, title),
    narrative: narrativeOfTurn(turn, [...facts.map(({ text }) => text), title]),
    facts,
    concepts: conceptsOfTurn(turn, type),
    ...fileLists(turn.evidence),
  };
}
