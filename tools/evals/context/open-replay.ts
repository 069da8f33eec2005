import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalProvider } from '@claude-mem/agent-providers/local';
import type { CapturedEvent } from '@claude-mem/core';
import { openMemory, type Embedder, type Memory } from '@claude-mem/search';
import { openFlatIndex } from '@claude-mem/search/flat';
import { createVectorSync } from '@claude-mem/search/sync';
import { openStorage, openStorageReader, type Storage } from '@claude-mem/storage';
import { PROJECT, type RecordedTurn } from './read-codemem.js';

/** A memory that grows as the recorded sessions went on. */
export interface Replay extends AsyncDisposable {
  storage: Storage;
  memory: Memory;
  /** Brings in all that was asked and recorded before the moment, vectors too. */
  advanceTo(moment: number): Promise<void>;
  /** The prompt as the worker stores it before anything is recalled. */
  ask(session: string, text: string, at: number): Promise<{ sessionId: number; projectId: number }>;
}

export async function openReplay(
  turns: readonly RecordedTurn[],
  { embedder }: { embedder: Embedder | null },
): Promise<Replay> {
  const dataDir = mkdtempSync(join(tmpdir(), 'claude-mem-eval-'));
  const database = join(dataDir, 'claude-mem.db');
  const storage = await openStorage({ file: database, backupsDir: join(dataDir, 'backups') });
  const memory = await openMemory(
    embedder
      ? // quality is measured, not speed: the answer waits for the vectors
        { dataDir, embedder, vectorPatienceMs: 600_000 }
      : { dataDir, vectors: 'none' },
  );
  const reader = embedder ? openStorageReader({ file: database }) : null;
  const index =
    embedder && reader
      ? openFlatIndex({ tables: reader.searchTables, writer: storage.vectors, model: embedder.model })
      : null;
  const sync = embedder && index ? createVectorSync({ outbox: storage.vectors, embedder, index }) : null;
  const observer = await createLocalProvider().startConversation();
  const waiting = stepsOf(turns);
  let events = 0;

  const ask: Replay['ask'] = async (session, text, at) => {
    events += 1;
    const event: CapturedEvent = {
      kind: 'prompt',
      text,
      host: 'claude-code',
      contentSessionId: session,
      cwd: PROJECT.key,
      projectDir: PROJECT.key,
      promptId: null,
      agentId: null,
      agentType: null,
      project: PROJECT,
      filterReason: null,
      dedupeKey: `prompt-${events}`,
      occurredAtEpoch: at,
    };
    const [result] = await storage.store.capture([event]);
    if (!result) throw new Error(`the prompt of ${session} was not captured`);
    return result;
  };

  const record = async ({ session, endedAt, batch }: RecordedTurn) => {
    const known = await storage.store.findSession({ host: 'claude-code', contentSessionId: session });
    const sessionId = known?.id ?? (await ask(session, batch.prompt ?? '', endedAt)).sessionId;
    const reply = await observer.send({ instructions: '', prompt: '', batch });
    if (reply.kind !== 'records') throw new Error('the local observer gave no records');
    await storage.store.commitReply({
      sessionId,
      promptNumber: batch.promptNumber,
      observations: reply.observations,
      summary: reply.summary,
      confirm: [],
      provider: 'local',
      model: null,
      now: endedAt,
    });
  };

  return {
    storage,
    memory,
    ask,
    async advanceTo(moment) {
      while (waiting[0] && waiting[0].at < moment) {
        const [step] = waiting.splice(0, 1);
        if (step?.does === 'ask' && step.turn.batch.prompt !== null)
          await ask(step.turn.session, step.turn.batch.prompt, step.at);
        else if (step?.does === 'record') await record(step.turn);
      }
      const state = await sync?.drain();
      if (state && state.waiting > 0)
        throw new Error(
          `${state.waiting} observations are without vectors: ${state.problem ?? 'no reason given'}`,
        );
    },
    async [Symbol.asyncDispose]() {
      await memory.close();
      await index?.close();
      await reader?.close();
      await storage.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A turn is asked when it begins and recorded when it ends, while other sessions go on. */
function stepsOf(turns: readonly RecordedTurn[]) {
  return turns
    .flatMap((turn) => [
      { at: turn.beganAt, does: 'ask' as const, turn },
      { at: turn.endedAt, does: 'record' as const, turn },
    ])
    .sort((left, right) => left.at - right.at);
}
