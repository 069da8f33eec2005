import { headAndTail, type ObserverBatch } from '@claude-mem/core';
import { evidenceSteps, type Steps, type TurnEvidence } from '@claude-mem/evidence';
import { claimSteps, type Claim } from './claims.js';
import { createCleanText, type CleanText } from './clean-text.js';
import { contradictionSteps } from './contradictions.js';
import { changedNames } from './describe-change.js';
import { rankSteps, type RankedClaim } from './rank-claims.js';
import { readRequest, type TurnRequest } from './read-request.js';
import { quoteSteps } from './reported-speech.js';
import { seenTermSteps } from './seen-terms.js';

/** A parsed turn: the input of the rules for title, type, facts and summary. */
export interface Turn {
  batch: ObserverBatch;
  evidence: TurnEvidence;
  request: TurnRequest;
  /** Statements of the closing message, in order. */
  claims: readonly Claim[];
  /** Statements that can be a title, best first. */
  ranked: readonly RankedClaim[];
  /** True when the user stopped the turn or the host ended unexpectedly. */
  isInterrupted: boolean;
  clean: CleanText;
}

export function* turnSteps(batch: ObserverBatch): Steps<Turn> {
  const evidence = yield* evidenceSteps(batch);
  for (const change of evidence.changes) {
    yield;
    changedNames(change);
  }
  const seen = yield* seenTermSteps(batch, { isWebSeen: evidence.changes.length === 0 });
  const folder = batch.toolUses.find(({ cwd }) => cwd !== null)?.cwd ?? null;
  const message = batch.closing?.lastAssistantMessage ?? null;
  const unranked = {
    batch,
    evidence,
    request: readRequest(batch, evidence),
    claims:
      message === null
        ? []
        : yield* claimSteps(
            headAndTail(message, 30_000),
            evidence,
            seen,
            yield* quoteSteps(batch),
            yield* contradictionSteps(batch),
          ),
    isInterrupted: batch.closing?.reason === 'interrupted',
    clean: createCleanText(batch.session.projectRoot, folder),
  };
  return { ...unranked, ranked: yield* rankSteps(unranked) };
}
