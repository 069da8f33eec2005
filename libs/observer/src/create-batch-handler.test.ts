import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConversations, createProviderChain } from '@claude-mem/agent-providers';
import { createScriptedProvider, type ScriptedProvider } from '@claude-mem/agent-providers/testing';
import {
  noopLogger,
  type CapturedEvent,
  type CommittedReply,
  type ObservationDraft,
  type ObserverBatch,
} from '@claude-mem/core';
import { createFixedClock } from '@claude-mem/core/testing';
import { loadMode } from '@claude-mem/settings';
import { openStorage } from '@claude-mem/storage';
import { describe, expect, it } from 'vitest';
import { createBatchHandler, type DraftConversation } from './create-batch-handler.js';

const limits = { dayCalls: 0, dayTokens: 0, dayUsd: 0, sessionTokens: 0 };

const decision = (title: string): ObservationDraft => ({
  type: 'decision',
  title,
  subtitle: null,
  narrative: null,
  facts: [],
  concepts: [],
  filesRead: [],
  filesModified: [],
});

/** Opens an observer with a real database. `observe` captures a turn and passes its messages to the observer. */
async function openObserver(draftConversation: DraftConversation, provider: ScriptedProvider) {
  const folder = mkdtempSync(join(tmpdir(), 'observer-'));
  const storage = await openStorage({ file: join(folder, 'claude-mem.db'), backupsDir: folder });
  const { store, messages } = storage;
  const clock = createFixedClock(Date.UTC(2026, 0, 2));
  const conversations = createConversations({ maxHistoryTokens: 0, clock });
  const committed: CommittedReply[] = [];
  const handle = createBatchHandler({
    store,
    conversations,
    chain: createProviderChain({ providers: [provider], clock }),
    requestOptions: () => ({
      mode: loadMode('code'),
      language: 'en',
      verbosity: 'normal',
      maxTokens: 8_000,
      limits,
    }),
    findProject: () => ({ project: null, root: null, isExcluded: false }),
    draftConversation,
    clock,
    log: noopLogger,
    onCommitted: (reply) => void committed.push(reply),
  });
  let count = 0;
  const base = (session: string) => ({
    host: 'claude-code' as const,
    contentSessionId: session,
    cwd: '/home/dev/shop',
    projectDir: '/home/dev/shop',
    promptId: null,
    agentId: null,
    agentType: null,
    project: { key: '/home/dev/shop', name: 'shop' },
    filterReason: null,
    dedupeKey: `event-${(count += 1)}`,
    occurredAtEpoch: clock.now() + count * 60_000,
  });
  return {
    store,
    committed,
    async observe(session: string, prompt: string, { isOver = true } = {}) {
      const use = {
        toolName: 'Bash',
        toolUseId: null,
        input: { command: 'make' },
        response: 'ok',
        outcome: 'succeeded',
        error: null,
        isInterrupt: false,
        durationMs: null,
      } as const;
      const events: CapturedEvent[] = [{ ...base(session), kind: 'prompt', text: prompt }];
      if (!isOver) events.push({ ...base(session), kind: 'tool-use', ...use });
      else
        events.push({
          ...base(session),
          kind: 'turn-end',
          lastAssistantMessage: 'Yes.',
          transcriptPath: null,
        });
      const [result] = await store.capture(events);
      const { sessionId, promptNumber } = result!;
      const now = clock.now() * 2;
      const held = await messages.claim({ sessionId, now, maxCount: 9, maxBytes: 1e6 });
      await handle(
        {
          sessionId,
          promptNumber,
          messages: held,
          isTurnOver: isOver,
          confirm: () => undefined,
          release: async () => undefined,
          [Symbol.asyncDispose]: async () => undefined,
        },
        { signal: new AbortController().signal },
      );
      return sessionId;
    },
    titles: async () => (await store.listObservations()).items.map(({ title }) => title),
    async [Symbol.asyncDispose]() {
      await conversations[Symbol.asyncDispose]();
      await storage.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const noneCalled = () => createScriptedProvider([], { name: 'gemini' });
const reads = (name: string) => createScriptedProvider([], { name, capabilities: { readsBatch: true } });
const fromPrompt: DraftConversation = async ({ conversation }) => ({
  draft: decision(conversation.map(({ prompt, reply }) => `${prompt} ${reply}`).join(' ')),
  supersedes: [],
});

describe('draftConversation', () => {
  it.each([
    ['a provider replied', reads('scripted'), 1, 'scripted'],
    ['no provider was asked', noneCalled(), 0, 'local'],
  ])('stores a record of the conversation when %s', async (_, provider, asked, name) => {
    await using observer = await openObserver(fromPrompt, provider);
    await observer.observe('one', 'npm?');
    expect(provider.requests).toHaveLength(asked);
    expect((await observer.store.listObservations()).items).toMatchObject([
      { title: 'npm? Yes.', source: 'observer', provider: name },
    ]);
    expect(observer.committed).toMatchObject([{ observations: [{ title: 'npm? Yes.' }] }]);
    expect((await observer.store.stats()).outcomes).toMatchObject({ stored: 1, empty: 0 });
  });

  it('updates the record when the next turn ends, and keeps it when the new turn adds nothing', async () => {
    const records: DraftConversation = async (batch, earlier, options) =>
      batch.promptNumber === 3 ? null : fromPrompt(batch, earlier, options);
    await using observer = await openObserver(records, noneCalled());
    await observer.observe('one', 'npm?');
    await observer.observe('one', 'Sure?');
    expect(await observer.titles()).toEqual(['npm? Yes. Sure? Yes.']);
    await observer.observe('one', 'Thanks');
    expect(await observer.titles()).toEqual(['npm? Yes. Sure? Yes.']);
    expect((await observer.store.stats()).outcomes).toMatchObject({ stored: 2, empty: 1 });
  });

  it('is not called when the turn is not over', async () => {
    const batches: ObserverBatch[] = [];
    const record: DraftConversation = async (batch) => {
      batches.push(batch);
      return null;
    };
    await using observer = await openObserver(record, reads('scripted'));
    await observer.observe('one', 'npm?', { isOver: false });
    expect(batches).toEqual([]);
    await observer.observe('two', 'npm?');
    expect(batches).toHaveLength(1);
  });

  it('reads the records of earlier sessions, and supersedes those that the draft lists', async () => {
    const seen: (string | null)[][] = [];
    const record: DraftConversation = async ({ prompt }, earlier) => {
      const records = await earlier();
      seen.push(records.map(({ title }) => title));
      return { draft: decision(prompt ?? ''), supersedes: records.map(({ id }) => id) };
    };
    await using observer = await openObserver(record, noneCalled());
    await observer.observe('one', 'npm');
    await observer.observe('two', 'yarn');
    await observer.observe('two', 'pnpm');
    expect(seen).toEqual([[], ['npm'], []]);
    const { items } = await observer.store.listObservations();
    const of = (title: string) => items.find((one) => one.title === title)!;
    expect(of('npm').supersededBy).toBe(of('pnpm').id);
  });

  it('is skipped when it fails, and the reply is stored', async () => {
    const fails: DraftConversation = async () => Promise.reject(new Error('broken rule'));
    await using observer = await openObserver(fails, reads('scripted'));
    await observer.observe('one', 'npm?');
    expect(observer.committed).toHaveLength(1);
    expect((await observer.store.stats()).outcomes).toMatchObject({ empty: 1 });
  });

  it('stores no secret when the record contains one', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const record: DraftConversation = async () => ({ draft: decision(`Use ${secret}`), supersedes: [] });
    await using observer = await openObserver(record, noneCalled());
    await observer.observe('one', 'npm');
    expect((await observer.titles())[0]).toMatch(/^Use (?!ghp_)/);
  });
});
