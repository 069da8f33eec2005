import type { ProviderChain } from '@claude-mem/agent-providers';
import {
  isEvidenceOnly,
  type CommitReply,
  type CommittedReply,
  type ConversationRecordDraft,
  type Observation,
  type ObservationDraft,
  type ObserverBatch,
  type Store,
  type ProjectFinder,
} from '@claude-mem/core';
import { scrubJson } from '@claude-mem/privacy';
import type { HandleBatch, HeldBatch } from '@claude-mem/queue';
import { withFileStates } from '../freshness/with-file-states.js';
import { askChain } from './ask-chain.js';
import type { Answer, AskOptions } from './ask-provider.js';
import { buildBatch } from './build-batch.js';
import { finishRecords } from './finish-records.js';
import { isWorthACall } from './is-worth-a-call.js';

/**
 * Returns what the conversation record of a session contains after a turn, or null when it stays as it is.
 * @param earlier reads the current conversation records of other sessions of the project, newest first
 */
export type RecordConversation = (
  batch: ObserverBatch,
  earlier: () => Promise<readonly Observation[]>,
  options: { signal: AbortSignal },
) => Promise<ConversationRecordDraft | null>;

export interface ObserverOptions extends AskOptions {
  chain: ProviderChain;
  findProject: ProjectFinder;
  /** Called for each batch that ends a turn, its own or an earlier one, also when no provider is asked. */
  recordConversation: RecordConversation;
  onCommitted(reply: CommittedReply): void;
}

const EARLIER_RECORDS = 100;

/** Turns one batch of the queue into stored records; the messages leave in the same transaction. */
export function createObserver(options: ObserverOptions): HandleBatch {
  const { clock, log } = options;
  return async (held, { signal }) => {
    const started = clock.now();
    const batch = await buildBatch(options, held);
    // other sessions and requests get their turn between the steps of a large one
    await breathe();
    const answer =
      batch !== null && (await isToBeAsked(options, batch)) ? await askChain(options, batch, signal) : null;
    const committed = await commit(options, held, { batch, answer, signal });
    held.confirm();
    log.info(
      {
        session: held.sessionId,
        prompt: held.promptNumber,
        messages: held.messages.length,
        observations: committed.observations.length,
        summary: committed.summary !== null,
        provider: answer?.provider.name ?? null,
        ...answer?.usage,
        ms: clock.now() - started,
      },
      answer === null ? 'Batch without anything to ask about' : 'Batch observed',
    );
    options.onCommitted(committed);
  };
}

/** Whoever works for nothing is asked about everything. */
async function isToBeAsked({ chain, store }: ObserverOptions, batch: ObserverBatch): Promise<boolean> {
  if (chain.current()?.capabilities.readsBatch || isWorthACall(batch)) return true;
  return batch.closing !== null && (await hasRecords(store, batch));
}

/** Earlier batches of the turn brought something: its end deserves a summary, however short it is. */
async function hasRecords(store: Store, { session, promptNumber }: ObserverBatch): Promise<boolean> {
  const { items } = await store.listObservations({ sessionId: session.id, limit: 1 });
  return items[0]?.promptNumber === promptNumber;
}

/** What was paid for is counted also where it cannot be stored. */
async function commit(
  options: ObserverOptions,
  held: HeldBatch,
  { batch, answer, signal }: { batch: ObserverBatch | null; answer: Answer | null; signal: AbortSignal },
): Promise<CommittedReply> {
  const { store, clock } = options;
  try {
    await breathe();
    const conversationRecord = await findConversationRecord(options, batch, signal);
    const reply = await toCommit(held, { batch, answer, now: clock.now, signal });
    signal.throwIfAborted();
    return await store.commitReply({ ...reply, conversationRecord });
  } catch (error) {
    if (answer?.usage !== undefined) {
      const { callId, ...usage } = answer.usage;
      await store.settleUsage({ callId, usage, now: clock.now() });
    }
    throw error;
  }
}

async function findConversationRecord(
  { store, recordConversation, log }: ObserverOptions,
  batch: ObserverBatch | null,
  signal: AbortSignal,
): Promise<ConversationRecordDraft | null> {
  if (batch === null || batch.conversation.length === 0) return null;
  const { id } = batch.session;
  const earlier = async () => {
    const session = await store.getSession(id);
    if (session === null) return [];
    return store.listConversationRecords(session.projectId, { exceptSession: id, limit: EARLIER_RECORDS });
  };
  const record = await recordConversation(batch, earlier, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    log.warn({ error, sessionId: id }, 'The conversation record could not be created.');
    return null;
  });
  if (record === null || record.draft === null) return record;
  return { ...record, draft: scrubJson(record.draft).value as unknown as ObservationDraft };
}

async function toCommit(
  held: HeldBatch,
  {
    batch,
    answer,
    now,
    signal,
  }: { batch: ObserverBatch | null; answer: Answer | null; now: () => number; signal: AbortSignal },
): Promise<CommitReply> {
  const payloadBytes = held.messages.reduce((sum, { bytes }) => sum + bytes, 0);
  const { observations, summary } =
    batch === null || answer === null
      ? { observations: [], summary: null }
      : await finishRecords(batch, answer, {
          payloadBytes,
          isProven: answer.provider.capabilities.readsBatch,
          signal,
        });
  const withStates = batch === null ? [] : await withFileStates(batch, observations, { signal });
  const hasRecord = observations.length > 0 || summary !== null;
  return {
    sessionId: held.sessionId,
    promptNumber: held.promptNumber,
    observations: withStates,
    summary,
    confirm: held.messages.map((message) => ({ id: message.id, outcome: outcomeOf(message, hasRecord) })),
    // without an answer, only a conversation record is stored, which rules find
    provider: answer?.provider.name ?? 'local',
    model: answer?.model ?? null,
    ...(answer?.memorySessionId === undefined ? {} : { memorySessionId: answer.memorySessionId }),
    ...(answer?.usage === undefined ? {} : { usage: answer.usage }),
    now: now(),
  };
}

function outcomeOf(
  message: HeldBatch['messages'][number],
  hasRecord: boolean,
): 'stored' | 'evidence' | 'empty' {
  if (message.kind === 'observation' && isEvidenceOnly(message.payload)) return 'evidence';
  return hasRecord ? 'stored' : 'empty';
}

const breathe = () => new Promise((resolve) => setImmediate(resolve));
