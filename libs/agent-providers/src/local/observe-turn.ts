import type { ObservationDraft, ObserverBatch, SummaryDraft } from '@claude-mem/core';
import { finish, type Steps } from '../steps.js';
import { conceptsOfTurn } from './concepts-of-turn.js';
import { factsOfTurn } from './facts-of-turn.js';
import { fileLists } from './file-lists.js';
import { narrativeOfTurn } from './narrative-of-turn.js';
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
  return finish(observeSteps(batch));
}

/** The same in pieces that are short even in a huge turn. */
export function* observeSteps(batch: ObserverBatch): Steps<TurnRecords> {
  const turn = yield* turnSteps(batch);
  const observation = hasObservation(turn) ? yield* observationOf(turn) : null;
  yield;
  const summary =
    batch.closing !== null && hasNews(turn) ? summaryOfTurn(turn, observation?.title ?? null) : null;
  return { observations: observation === null ? [] : [observation], summary };
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
    narrative: narrativeOfTurn(turn, [...facts, title]),
    facts,
    concepts: conceptsOfTurn(turn, type),
    ...fileLists(turn.evidence),
  };
}
