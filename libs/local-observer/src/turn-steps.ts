import { headAndTail, type ObserverBatch } from '@claude-mem/core';
import { evidenceSteps, type Steps } from '@claude-mem/evidence';
import { claimSteps } from './claims.js';
import { createCleanText } from './clean-text.js';
import { contradictionSteps } from './contradictions.js';
import { changedNames } from './describe-change.js';
import { rankSteps } from './rank-claims.js';
import { readRequest } from './read-request.js';
import { quoteSteps } from './reported-speech.js';
import { seenTermSteps } from './seen-terms.js';
import type { Turn } from './turn.js';

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
