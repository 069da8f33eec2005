import type { ConversationTurn } from '@claude-mem/core';
import { createObserverBatch } from '@claude-mem/core/testing';
import { runToEnd } from '@claude-mem/evidence';
import { draftConversationRecord } from '../draft-conversation-record.js';
import { statementSteps } from '../read-statements.js';

const { session } = createObserverBatch();

/** Creates turns from alternating prompts and replies. The last reply can be missing. */
export const turns = (...texts: string[]): ConversationTurn[] =>
  Array.from({ length: Math.ceil(texts.length / 2) }, (_, index) => ({
    promptNumber: index + 1,
    prompt: texts[index * 2]!,
    reply: texts[index * 2 + 1] ?? null,
  }));

export const read = (conversation: ConversationTurn[]) => runToEnd(statementSteps(conversation));

export const record = (conversation: ConversationTurn[]) =>
  draftConversationRecord(read(conversation), { conversation, session });

/**
 * Returns the facts of the record with their origins, such as `user: Exports are CSV.`, or an empty list without a
 * record.
 */
export const factsOf = (...texts: string[]): string[] =>
  (record(turns(...texts))?.facts ?? []).map(({ text, origin }) => `${origin}: ${text}`);

/** The user sets a rule, the agent restates it, and the user accepts the restatement. */
export const PARCELS = [
  'Parcels to the islands are delivered a day late since Monday, customers complain.',
  'The cutoff is read in UTC. I will move the cutoff to 18:00 for all warehouses. Should every warehouse use the same hour?',
  'No. Each warehouse keeps its own cutoff in its own time zone, never a shared one. The carrier contract names 16:30 for the islands.',
  'Understood: each warehouse has its own cutoff in its own time zone, and the islands use 16:30 as in the carrier contract.',
  'Right.',
];
