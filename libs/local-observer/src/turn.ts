import type { ObserverBatch } from '@claude-mem/core';
import type { TurnEvidence } from '@claude-mem/evidence';
import type { Claim } from './claims.js';
import type { CleanText } from './clean-text.js';
import type { TurnRequest } from './read-request.js';

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

/** A claim that can be a title. */
export interface RankedClaim {
  claim: Claim;
  title: string;
  /** True when the claim names something that the turn changed. */
  isOnChange: boolean;
  /** Score for how well the claim describes the turn. */
  score: number;
  /** The score with a bonus for words of the request. */
  rank: number;
}
