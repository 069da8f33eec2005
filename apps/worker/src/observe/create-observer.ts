import { isEvidenceOnly, type AgentProvider, type ObserverReply } from '@claude-mem/agent-providers';
import type {
  Clock,
  CommitReply,
  CommittedReply,
  ObservationDraft,
  ObserverBatch,
  Store,
  SummaryDraft,
} from '@claude-mem/core';
import type { HandleBatch, HeldBatch } from '@claude-mem/queue';
import type { Mode } from '@claude-mem/settings';
import type { ProjectFinder } from '../capture/create-project-finder.js';
import type { WorkerLog } from '../log/create-log.js';
import { buildBatch } from './build-batch.js';
import { finishRecords } from './finish-records.js';

export interface ObserverOptions {
  store: Store;
  provider: AgentProvider;
  model: string | null;
  mode: () => Mode;
  wording: () => { language: string; verbosity: 'minimal' | 'normal' | 'verbose'; maxTokens: number };
  findProject: ProjectFinder;
  clock: Clock;
  log: WorkerLog;
  onCommitted(reply: CommittedReply): void;
}

/** Turns one batch of the queue into stored records; the messages leave in the same transaction. */
export function createObserver(options: ObserverOptions): HandleBatch {
  return async (held, { signal }) => {
    const started = options.clock.now();
    const batch = await buildBatch(options, held);
    // other sessions and requests get their turn between the steps of a large one
    await breathe();
    const reply = batch === null ? NOTHING : await ask(options, batch, signal);
    await breathe();
    signal.throwIfAborted();
    const committed = await options.store.commitReply(toCommit(options, held, batch, reply));
    held.confirmed();
    options.log.info(
      {
        session: held.sessionId,
        prompt: held.promptNumber,
        messages: held.messages.length,
        observations: committed.observations.length,
        summary: committed.summary !== null,
        provider: options.provider.name,
        ms: options.clock.now() - started,
      },
      'Batch observed',
    );
    options.onCommitted(committed);
  };
}

interface Records {
  observations: readonly ObservationDraft[];
  summary: SummaryDraft | null;
  memorySessionId?: string;
}

const NOTHING: Records = { observations: [], summary: null };

async function ask(options: ObserverOptions, batch: ObserverBatch, signal: AbortSignal): Promise<Records> {
  const { provider } = options;
  const { memorySessionId } = batch.session;
  const resume = provider.capabilities.resumes && memorySessionId !== null ? { resume: memorySessionId } : {};
  await using conversation = await provider.startConversation({ signal, ...resume });
  const texts = await promptFor(options, batch);
  const reply = await conversation.send({ ...texts, batch }, { signal });
  return readReply(options, reply);
}

/** No text is made for an observer that reads the batch itself. */
async function promptFor(
  { provider, mode, wording }: ObserverOptions,
  batch: ObserverBatch,
): Promise<{ instructions: string; prompt: string }> {
  if (provider.capabilities.readsBatch) return { instructions: '', prompt: '' };
  const { writeObserverPrompt } = await import('@claude-mem/parser');
  const { language, verbosity, maxTokens } = wording();
  return writeObserverPrompt(batch, mode(), {
    verbosity,
    ...(language === '' ? {} : { language }),
    ...(maxTokens === 0 ? {} : { maxTokens }),
  });
}

async function readReply({ mode, log }: ObserverOptions, reply: ObserverReply): Promise<Records> {
  const resumable = reply.memorySessionId === undefined ? {} : { memorySessionId: reply.memorySessionId };
  if (reply.kind === 'records')
    return { observations: reply.observations, summary: reply.summary, ...resumable };
  const { readObserverReply } = await import('@claude-mem/parser');
  const types = mode().types.map(({ id }) => id);
  const { observations, summary, issues } = readObserverReply(reply.text, { types });
  if (issues.length > 0) log.warn({ issues: issues.length }, 'The reply of the observer was not well formed');
  return { observations, summary, ...resumable };
}

function toCommit(
  { provider, model, clock }: ObserverOptions,
  held: HeldBatch,
  batch: ObserverBatch | null,
  records: Records,
): CommitReply {
  const payloadBytes = held.messages.reduce((sum, { bytes }) => sum + bytes, 0);
  const { observations, summary } =
    batch === null
      ? { observations: [], summary: null }
      : finishRecords(batch, records, { payloadBytes, isProven: provider.capabilities.readsBatch });
  const hasRecord = observations.length > 0 || summary !== null;
  return {
    sessionId: held.sessionId,
    promptNumber: held.promptNumber,
    observations,
    summary,
    confirm: held.messages.map((message) => ({ id: message.id, outcome: outcomeOf(message, hasRecord) })),
    provider: provider.name,
    model,
    ...(records.memorySessionId === undefined ? {} : { memorySessionId: records.memorySessionId }),
    now: clock.now(),
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
