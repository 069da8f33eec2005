import type { CommitReply, ObservationDraft } from '@claude-mem/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dumpTables } from '../__fixtures__/dump-tables.js';
import { createEvents } from '../__fixtures__/events.js';
import { findWords } from '../__fixtures__/find-words.js';
import { openTestStorage, type TestStorage } from '../__fixtures__/open-test-storage.js';
import { draft, reply } from '../__fixtures__/replies.js';

let test: TestStorage;
beforeEach(async () => {
  test = await openTestStorage();
});
afterEach(() => test.dispose());

const NOW = Date.UTC(2026, 0, 2);
const store = () => test.storage.store;
const decision = (title: string, more: Partial<ObservationDraft> = {}) =>
  draft({ type: 'decision', title, narrative: null, facts: [], filesRead: [], filesModified: [], ...more });

async function startSession(name = 'session-1', more: object = {}): Promise<number> {
  const [first] = await store().capture([createEvents(name).prompt('one', more)]);
  return first!.sessionId;
}

const write = (
  sessionId: number,
  title: string,
  { supersedes = [], ...more }: Partial<CommitReply> & { supersedes?: readonly number[] } = {},
) =>
  store().commitReply(
    reply(sessionId, {
      provider: 'local',
      now: NOW,
      conversationRecord: { draft: decision(title), supersedes },
      ...more,
    }),
  );
const byId = async (id: number) => (await store().observationsByIds([id]))[0];
const titles = async () => (await store().listObservations()).items.map(({ title }) => title);
const save = async (
  title: string,
  more: { pinned?: boolean; source?: 'agent' | 'manual'; key?: string } = {},
) => {
  const { pinned = false, source = 'manual', key = '/home/dev/shop' } = more;
  const { observation } = await store().remember({
    draft: decision(title),
    project: { key, name: key },
    session: null,
    source,
    pinned,
    supersedes: [],
    now: NOW,
  });
  return observation.id;
};

describe('conversation record of a session', () => {
  it('is stored as an observation of the provider that replied', async () => {
    const id = await startSession();
    const { observations } = await write(id, 'Use npm');
    expect(observations).toMatchObject([
      {
        ...decision('Use npm'),
        sessionId: id,
        promptNumber: 1,
        source: 'observer',
        provider: 'local',
        model: null,
      },
    ]);
    expect(await titles()).toEqual(['Use npm']);
    expect(findWords(test.place, 'npm')).toEqual([1]);
  });

  it('is updated in place when the session continues', async () => {
    await test.storage.vectors.useTarget('flat test');
    const id = await startSession();
    const memorySessionId = 'observer-1';
    const [first] = (await write(id, 'Use npm', { memorySessionId })).observations;
    const queued = await test.storage.vectors.next({ limit: 9, now: NOW });
    await test.storage.vectors.complete(queued.map((one) => one.id));
    const { observations } = await write(id, 'Use yarn', { now: NOW + 5 });
    expect(observations).toEqual([
      {
        ...first,
        title: 'Use yarn',
        contentHash: expect.not.stringMatching(first!.contentHash),
        updatedAtEpoch: NOW + 5,
      },
    ]);
    expect(await byId(first!.id)).toEqual(observations[0]);
    expect(await titles()).toEqual(['Use yarn']);
    expect([findWords(test.place, 'npm'), findWords(test.place, 'yarn')]).toEqual([[], [first!.id]]);
    expect(await test.storage.vectors.next({ limit: 9, now: NOW })).toMatchObject([
      { observationId: first!.id },
    ]);
    expect((await store().getSession(id))?.memorySessionId).toBe(memorySessionId);
    await write(id, 'Use pnpm', { now: NOW + 5 });
    expect(await byId(first!.id)).toMatchObject({ title: 'Use pnpm', updatedAtEpoch: NOW + 6 });
  });

  it('stays unchanged when the text is the same', async () => {
    const id = await startSession();
    const other = await save('Use make', { source: 'agent' });
    await write(id, 'Use npm');
    const before = test.tamper(dumpTables);
    expect((await write(id, 'Use npm', { now: NOW + 9, supersedes: [other] })).observations).toEqual([]);
    expect(test.tamper(dumpTables)).toEqual(before);
  });

  it('is updated when only its concepts changed', async () => {
    const id = await startSession();
    await write(id, 'Use npm');
    const changed = { draft: decision('Use npm', { concepts: ['trade-off'] }), supersedes: [] };
    await write(id, '', { conversationRecord: changed });
    expect(await byId(1)).toMatchObject({ concepts: ['trade-off'] });
  });

  it('is separate for each session when two sessions have the same text', async () => {
    const [one, two] = [await startSession('one'), await startSession('two')];
    await write(one, 'Use npm');
    await write(two, 'Use npm');
    await write(two, 'Use yarn');
    expect(await titles()).toEqual(['Use yarn', 'Use npm']);
  });

  it('is never written again when a person edited it', async () => {
    const id = await startSession();
    await write(id, 'Use npm');
    await store().editObservation(1, { title: 'Use npm 11' }, NOW + 1);
    const before = test.tamper(dumpTables);
    for (const title of ['Use yarn', 'Use npm', 'Use npm 11'])
      expect((await write(id, title, { now: NOW + 2 })).observations).toEqual([]);
    expect(test.tamper(dumpTables)).toEqual(before);
  });

  it('is never written again when a person deleted it, and is updated again after the deletion is undone', async () => {
    const id = await startSession();
    await write(id, 'Use npm');
    const { forgetId } = await store().forget({ ids: [1], now: NOW, undoUntil: NOW + 60_000 });
    for (const title of ['Use yarn', 'Use npm']) expect((await write(id, title)).observations).toEqual([]);
    expect(await titles()).toEqual([]);
    await store().undoForget(forgetId!, NOW + 1);
    await write(id, 'Use yarn');
    expect(await titles()).toEqual(['Use yarn']);
  });

  it('is not set to a text that a person deleted', async () => {
    const id = await startSession();
    const saved = await save('Use yarn');
    await store().forget({ ids: [saved], now: NOW });
    expect((await write(id, 'Use yarn')).observations).toEqual([]);
    await write(id, 'Use npm');
    expect((await write(id, 'Use yarn')).observations).toEqual([]);
    expect(await titles()).toEqual(['Use npm']);
  });

  it('stays unchanged when another record superseded it', async () => {
    const id = await startSession();
    await write(id, 'Use npm');
    const saved = await save('Use yarn');
    await store().editObservation(1, { supersededBy: saved }, NOW + 1);
    expect((await write(id, 'Use pnpm')).observations).toEqual([]);
    expect(await byId(1)).toMatchObject({ title: 'Use npm', supersededBy: saved });
  });

  it('stays unchanged when another observation of the session has the new text', async () => {
    const id = await startSession();
    await write(id, 'Use npm');
    const { observations } = await write(id, 'Use yarn', { observations: [decision('Use yarn')] });
    expect(observations.map(({ title }) => title)).toEqual(['Use yarn']);
    expect(await titles()).toEqual(['Use yarn', 'Use npm']);
  });

  it('stays unchanged when a reply has no conversation record', async () => {
    const id = await startSession();
    await write(id, 'Use npm');
    for (const conversationRecord of [null, undefined])
      await store().commitReply(reply(id, { ...(conversationRecord === null && { conversationRecord }) }));
    expect(await titles()).toEqual(['Use npm']);
  });

  it('supersedes only current records of the same project that no person saved or pinned', async () => {
    const ids = {
      agent: await save('By an agent', { source: 'agent' }),
      manual: await save('By a person'),
      pinned: await save('Pinned', { source: 'agent', pinned: true }),
      elsewhere: await save('Elsewhere', { source: 'agent', key: '/home/dev/other' }),
      superseded: await save('Superseded', { source: 'agent' }),
    };
    await store().editObservation(ids.superseded, { supersededBy: ids.manual }, NOW);
    const earlier = await startSession('earlier');
    const [earlierRecord] = (await write(earlier, 'Use npm')).observations;
    const id = await startSession();
    const supersedes = [...Object.values(ids), earlierRecord!.id, 999];
    const { observations } = await write(id, 'Use yarn', { supersedes, now: NOW + 9 });
    const [record, ...replaced] = observations;
    expect(replaced.map((one) => one.id)).toEqual([ids.agent, earlierRecord!.id]);
    expect(replaced).toMatchObject([
      { supersededBy: record!.id, updatedAtEpoch: NOW + 9 },
      { supersededBy: record!.id, updatedAtEpoch: NOW + 9 },
    ]);
    const links = await store().observationsByIds([...Object.values(ids), record!.id]);
    expect(links.map(({ supersededBy }) => supersededBy)).toEqual([
      record!.id,
      null,
      null,
      null,
      ids.manual,
      null,
    ]);
  });

  it('does not supersede itself when the draft names it', async () => {
    const id = await startSession();
    await write(id, 'Use npm');
    await write(id, 'Use yarn', { supersedes: [1] });
    expect(await byId(1)).toMatchObject({ title: 'Use yarn', supersededBy: null });
  });
});

describe('listConversationRecords', () => {
  const list = async (projectId: number, exceptSession: number, limit = 9) =>
    (await store().listConversationRecords(projectId, { exceptSession, limit })).map(({ title }) => title);

  it('lists the current records of the other sessions of the project, newest first', async () => {
    const other = { project: { key: '/home/dev/other', name: 'other' } };
    const sessions = [];
    for (const [index, title] of ['One', 'Two', 'Three', 'Four'].entries()) {
      const id = await startSession(title, title === 'Three' ? other : {});
      await write(id, title, { now: NOW - index, observations: [decision(`Not of ${title}`)] });
      sessions.push(id);
    }
    const [one, two, three, four] = sessions as [number, number, number, number];
    const { projectId } = (await store().getSession(one))!;
    expect(await list(projectId, three)).toEqual(['One', 'Two', 'Four']);
    expect(await list(projectId, two)).toEqual(['One', 'Four']);
    expect(await list(projectId, three, 2)).toEqual(['One', 'Two']);
    const five = await startSession('Five');
    const record = (await store().listConversationRecords(projectId, { exceptSession: four, limit: 1 }))[0]!;
    expect(record).toEqual(await byId(record.id));
    await write(five, 'Five', { supersedes: [record.id], now: NOW + 1 });
    expect(await list(projectId, five)).toEqual(['Two', 'Four']);
    await store().forget({ sessionIds: [two], now: NOW });
    expect(await list(projectId, five)).toEqual(['Four']);
  });
});

describe('withdrawing a conversation record', () => {
  const withdraw = (sessionId: number) =>
    store().commitReply(
      reply(sessionId, { now: NOW + 1, conversationRecord: { draft: null, supersedes: [] } }),
    );

  it('removes the record and makes the record that it superseded current again', async () => {
    const [one, two] = [await startSession('one'), await startSession('two')];
    await write(one, 'Use npm');
    const [{ record } = { record: null }] = await store().currentConversations([one]);
    const { observations } = await write(two, 'Use pnpm', { supersedes: [record!.id] });
    expect(await withdraw(two)).toMatchObject({ observations: [], withdrawnId: observations[0]!.id });
    expect(await titles()).toEqual(['Use npm']);
    expect(await byId(record!.id)).toMatchObject({ supersededBy: null });
    expect(await withdraw(two)).not.toHaveProperty('withdrawnId');
    await write(two, 'Use yarn', { now: NOW + 2 });
    expect(await titles()).toEqual(['Use yarn', 'Use npm']);
  });

  it('keeps a superseded record, so that its session still resolves to the successor', async () => {
    const [one, two] = [await startSession('one'), await startSession('two')];
    const { observations } = await write(one, 'Use npm');
    await write(two, 'Use pnpm', { supersedes: [observations[0]!.id] });
    expect(await withdraw(one)).not.toHaveProperty('withdrawnId');
    expect(await store().currentConversations([one])).toMatchObject([{ record: { title: 'Use pnpm' } }]);
  });

  it('keeps a record that a person edited or pinned', async () => {
    for (const change of [{ title: 'Use npm 11' }, { pinned: true }]) {
      const session = await startSession(Object.keys(change)[0]!);
      const { observations } = await write(session, 'Use npm');
      await store().editObservation(observations[0]!.id, change, NOW);
      expect(await withdraw(session)).not.toHaveProperty('withdrawnId');
      expect(await byId(observations[0]!.id)).toMatchObject(change);
    }
  });
});

describe('currentConversations', () => {
  const current = async (...ids: number[]) =>
    (await store().currentConversations(ids)).map(({ sessionId, record, isUnchanged }) => ({
      sessionId,
      title: record?.title ?? null,
      isUnchanged,
    }));

  it('returns the record of a session, and none for a session without a record', async () => {
    const [one, two] = [await startSession('one'), await startSession('two')];
    await write(one, 'Use npm');
    expect(await current(one, two)).toEqual([{ sessionId: one, title: 'Use npm', isUnchanged: true }]);
  });

  it('follows superseded records to the current one', async () => {
    const [one, two] = [await startSession('one'), await startSession('two')];
    await write(one, 'Use npm');
    const [{ record } = { record: null }] = await store().currentConversations([one]);
    await write(two, 'Use pnpm', { supersedes: [record!.id] });
    expect(await current(one)).toEqual([{ sessionId: one, title: 'Use pnpm', isUnchanged: true }]);
    const manual = await save('Use yarn');
    const [last] = await store().currentConversations([one]);
    await store().editObservation(last!.record!.id, { supersededBy: manual }, NOW);
    expect(await current(one)).toEqual([{ sessionId: one, title: 'Use yarn', isUnchanged: false }]);
  });

  it('marks the record as changed when a person edited or deleted it', async () => {
    const one = await startSession('one');
    await write(one, 'Use npm');
    const [known] = await store().currentConversations([one]);
    await store().editObservation(known!.record!.id, { title: 'Use npm 11' }, NOW);
    expect(await current(one)).toEqual([{ sessionId: one, title: 'Use npm 11', isUnchanged: false }]);
    await store().forget({ ids: [known!.record!.id], now: NOW });
    expect(await current(one)).toEqual([{ sessionId: one, title: null, isUnchanged: false }]);
  });
});

describe('a reply with a conversation record', () => {
  async function claimTurn() {
    const { prompt, turnEnd } = createEvents();
    const [first] = await store().capture([prompt('one'), turnEnd()]);
    const sessionId = first!.sessionId;
    const claimed = await test.storage.messages.claim({ sessionId, now: NOW, maxCount: 9, maxBytes: 1e6 });
    return { sessionId, confirm: claimed.map((one) => ({ id: one.id, outcome: 'empty' as const })) };
  }

  it('changes nothing when it is committed a second time', async () => {
    const { sessionId, confirm } = await claimTurn();
    const replaced = await save('By an agent', { source: 'agent' });
    await write(sessionId, 'Use npm', { confirm, supersedes: [replaced] });
    const before = test.tamper(dumpTables);
    for (const again of [confirm, []])
      expect(await write(sessionId, 'Use npm', { confirm: again, supersedes: [replaced] })).toEqual({
        observations: [],
        summary: null,
      });
    expect((await write(sessionId, 'Use yarn', { confirm })).observations).toEqual([]);
    expect(test.tamper(dumpTables)).toEqual(before);
  });

  it('ends its messages as stored when the record was written, otherwise as empty', async () => {
    const first = await claimTurn();
    await write(first.sessionId, 'Use npm', { confirm: first.confirm });
    expect((await store().stats()).outcomes).toMatchObject({ stored: 1, empty: 0 });
    const { prompt, turnEnd } = createEvents('session-1');
    await store().capture([
      prompt('two', { dedupeKey: 'two', occurredAtEpoch: NOW }),
      turnEnd({ dedupeKey: 'end two' }),
    ]);
    const claim = { sessionId: first.sessionId, now: NOW * 2, maxCount: 9, maxBytes: 1e6 };
    const confirm = (await test.storage.messages.claim(claim)).map(({ id }) => ({
      id,
      outcome: 'empty' as const,
    }));
    expect(confirm).toHaveLength(1);
    await write(first.sessionId, 'Use npm', { confirm });
    expect((await store().stats()).outcomes).toMatchObject({ stored: 1, empty: 1 });
  });
});
