import { headAndTail, type ObserverBatch } from '@claude-mem/core';
import { evidenceOf, type TurnEvidence } from '../evidence/evidence-of.js';
import { readClaims, type Claim } from './claims.js';
import { createCleanText, type CleanText } from './clean-text.js';
import { readRequest, type TurnRequest } from './read-request.js';
import { createSeenTerms } from './seen-terms.js';

/** A turn, read: what the rules for title, type, facts and summary work on. */
export interface Turn {
  batch: ObserverBatch;
  evidence: TurnEvidence;
  request: TurnRequest;
  /** Statements of the closing message, in order. */
  claims: readonly Claim[];
  /** The user stopped it, or the host died. */
  isInterrupted: boolean;
  clean: CleanText;
}

export function readTurn(batch: ObserverBatch): Turn {
  const evidence = evidenceOf(batch);
  const folder = batch.toolUses.find(({ cwd }) => cwd !== null)?.cwd ?? null;
  const message = batch.closing?.lastAssistantMessage ?? null;
  return {
    batch,
    evidence,
    request: readRequest(batch, evidence),
    claims:
      message === null ? [] : readClaims(headAndTail(message, 30_000), evidence, createSeenTerms(batch)),
    isInterrupted: batch.closing?.reason === 'interrupted',
    clean: createCleanText(batch.session.projectRoot, folder),
  };
}
