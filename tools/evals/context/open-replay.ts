import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalProvider } from '@claude-mem/local-observer';
import type { CapturedEvent } from '@claude-mem/core';
import { openMemory, type Memory } from '@claude-mem/search';
import { openStorage, type Storage } from '@claude-mem/storage';
import { PROJECT, type RecordedTurn } from './read-codemem.js';

/**
 * A memory that grows in the order of the recorded sessions. It has no vectors, because these measurements do not use
 * them.
 */
export interface Replay extends AsyncDisposable {
  storage: Storage;
  memory: Memory;
  /** Adds all prompts and records from before the given time. */
  advanceTo(moment: number): Promise<void>;
  /** Stores the prompt before the recall, like the worker. */
  ask(session: string, text: string, at: number): Promise<{ sessionId: number; projectId: number }>;
}

export async function openReplay(turns: readonly RecordedTurn[]): Promise<Replay> {
  const dataDir = mkdtempSync(join(tmpdir(), 'claude-mem-eval-'));
  const database = join(dataDir, 'claude-mem.db');
  const storage = await openStorage({ file: database, backupsDir: join(dataDir, 'backups') });
  const memory = await openMemory({ dataDir, vectors: 'none' });
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
    },
    async [Symbol.asyncDispose]() {
      await memory.close();
      await storage.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A turn is added at its end, because other sessions continue meanwhile. */
function stepsOf(turns: readonly RecordedTurn[]) {
  return turns
    .flatMap((turn) => [
      { at: turn.beganAt, does: 'ask' as const, turn },
      { at: turn.endedAt, does: 'record' as const, turn },
    ])
    .sort((left, right) => left.at - right.at);
}
