import type { ProviderChain } from '@claude-mem/agent-providers';
import {
  estimateTokens,
  isEvidenceOnly,
  type CommitReply,
  type CommittedReply,
  type ConversationRecordDraft,
  type Observation,
  type ObservationDraft,
  type ObserverBatch,
  type Store,
  type ProjectFinder,
  yieldToEventLoop,
} from '@claude-mem/core';
import { scrubJson } from '@claude-mem/privacy';
import type { HandleBatch, HeldBatch } from '@claude-mem/queue';
import { withFileStates } from './with-file-states.js';
import { observeWithChain } from './observe-with-chain.js';
import type { ProviderRecords, ObserveOptions } from './observe-options.js';
import { buildBatch } from './build-batch.js';
import { verifyRecords } from './verify/verify-records.js';

/**
 * Returns the new content of the conversation record of a session after a turn; null when it does not change.
 * @param earlier reads the current conversation records of other sessions of the project, newest first
 */
export type DraftConversation = (
  batch: ObserverBatch,
  earlier: () => Promise<readonly Observation[]>,
  options: { signal: AbortSignal },
) => Promise<ConversationRecordDraft | null>;

/** Dependencies of the batch handler. */
export interface BatchHandlerOptions extends ObserveOptions {
  chain: ProviderChain;
  findProject: ProjectFinder;
  /** Called after each batch that ends a turn, also when no provider is called. */
  draftConversation: DraftConversation;
  onCommitted(reply: CommittedReply): void;
}

const EARLIER_RECORDS = 100;

/**
 * Creates the function that turns a batch of the queue into records. One transaction stores the records and deletes
 * the messages.
 */
export function createBatchHandler(options: BatchHandlerOptions): HandleBatch {
  const { clock, log } = options;
  return async (held, { signal }) => {
    const started = clock.now();
    const batch = await buildBatch(options, held);
    // A large batch takes long, so other work runs between its steps.
    await yieldToEventLoop();
    const records =
      batch !== null && (await needsRecords(options, batch))
        ? await observeWithChain(options, batch, signal)
        : null;
    const committed = await commit(options, held, { batch, records, signal });
    held.confirm();
    log.info(
      {
        session: held.sessionId,
        prompt: held.promptNumber,
        messages: held.messages.length,
        observations: committed.observations.length,
        summary: committed.summary !== null,
        provider: records?.provider.name ?? null,
        ...records?.usage,
        ms: clock.now() - started,
      },
      records === null ? 'Batch without content for an observer' : 'Batch observed',
    );
    options.onCommitted(committed);
  };
}

/**
 * Returns true if the batch needs records. A free provider processes every batch, and a model only batches with
 * enough content.
 */
async function needsRecords({ chain, store }: BatchHandlerOptions, batch: ObserverBatch): Promise<boolean> {
  if (chain.current()?.capabilities.readsBatch || hasContent(batch)) return true;
  return batch.closing !== null && (await hasRecords(store, batch));
}

/** A turn that already has records gets a summary, even if its last batch is short. */
async function hasRecords(store: Store, { session, promptNumber }: ObserverBatch): Promise<boolean> {
  const { items } = await store.listObservations({ sessionId: session.id, limit: 1 });
  return items[0]?.promptNumber === promptNumber;
}

/** Stores the records. The cost of the call is counted even if the records cannot be stored. */
async function commit(
  options: BatchHandlerOptions,
  held: HeldBatch,
  {
    batch,
    records,
    signal,
  }: { batch: ObserverBatch | null; records: ProviderRecords | null; signal: AbortSignal },
): Promise<CommittedReply> {
  const { store, clock } = options;
  try {
    await yieldToEventLoop();
    const conversationRecord = await findConversationRecord(options, batch, signal);
    const reply = await toCommit(held, { batch, records, now: clock.now, signal });
    signal.throwIfAborted();
    return await store.commitReply({ ...reply, conversationRecord });
  } catch (error) {
    if (records?.usage !== undefined) {
      const { callId, ...usage } = records.usage;
      await store.settleUsage({ callId, usage, now: clock.now() });
    }
    throw error;
  }
}

async function findConversationRecord(
  { store, draftConversation, log }: BatchHandlerOptions,
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
  const record = await draftConversation(batch, earlier, { signal }).catch((error: unknown) => {
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
    records,
    now,
    signal,
  }: { batch: ObserverBatch | null; records: ProviderRecords | null; now: () => number; signal: AbortSignal },
): Promise<CommitReply> {
  const payloadBytes = held.messages.reduce((sum, { bytes }) => sum + bytes, 0);
  const { observations, summary } =
    batch === null || records === null
      ? { observations: [], summary: null }
      : await verifyRecords(batch, records, {
          payloadBytes,
          isProven: records.provider.capabilities.readsBatch,
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
    // Without a provider, only a conversation record is stored, which rules created.
    provider: records?.provider.name ?? 'local',
    model: records?.model ?? null,
    ...(records?.memorySessionId === undefined ? {} : { memorySessionId: records.memorySessionId }),
    ...(records?.usage === undefined ? {} : { usage: records.usage }),
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

/** Texts such as "go on" and "Done." are shorter. */
const MIN_TOKENS = 15;

/**
 * Returns true if a batch has enough content for a model: a tool use, several turns, or a turn of at least
 * `MIN_TOKENS`.
 */
function hasContent(batch: ObserverBatch): boolean {
  const { toolUses, prompt, closing, promptNumber, firstPromptNumber } = batch;
  if (firstPromptNumber < promptNumber || toolUses.some((use) => !isEvidenceOnly(use))) return true;
  if (closing?.reason !== 'turn-end') return false;
  return estimateTokens(`${prompt ?? ''} ${closing.lastAssistantMessage ?? ''}`) >= MIN_TOKENS;
}
