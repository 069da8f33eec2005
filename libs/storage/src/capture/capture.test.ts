import { NEUTRAL_PROJECT, type CapturedEvent } from '@claude-mem/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCaptureHelpers } from '../__fixtures__/create-capture-helpers.js';
import { createEvents } from '../__fixtures__/events.js';
import { findWords } from '../__fixtures__/find-words.js';
import { openTestStorage, type TestStorage } from '../__fixtures__/open-test-storage.js';
import { draft, reply } from '../__fixtures__/replies.js';

let test: TestStorage;
beforeEach(async () => {
  test = await openTestStorage();
});
afterEach(() => test.dispose());

const capture = (...events: CapturedEvent[]) => test.storage.store.capture(events);
const { captureOne, messages, onlySession, dump, confirmAll } = createCaptureHelpers(() => test);

describe('capture of prompts and turns', () => {
  it('numbers prompts and assigns tool uses to their turn, or to turn 0 when there is no prompt yet', async () => {
    const { start, prompt, toolUse, turnEnd } = createEvents();
    const results = await capture(
      start(),
      toolUse(),
      prompt('one'),
      toolUse(),
      turnEnd(),
      prompt('two'),
      toolUse(),
    );
    expect(results.map(({ promptNumber }) => promptNumber)).toEqual([0, 0, 1, 1, 1, 2, 2]);
    expect((await messages()).map(({ kind, promptNumber }) => `${kind} ${promptNumber}`)).toEqual([
      'observation 0',
      'summarize 0',
      'observation 1',
      'summarize 1',
      'observation 2',
    ]);
    expect(await onlySession()).toMatchObject({ promptCounter: 2, userPrompt: 'one', status: 'active' });
  });

  it('assigns a late event to the turn of the prompt ID from the host', async () => {
    const { prompt, toolUse } = createEvents();
    await capture(prompt('one', { promptId: 'p1' }), prompt('two', { promptId: 'p2' }));
    expect(await captureOne(toolUse({ promptId: 'p1' }))).toMatchObject({ promptNumber: 1 });
    expect(await captureOne(toolUse({ promptId: 'unheard' }))).toMatchObject({ promptNumber: 2 });
  });

  it('closes an interrupted turn once, at the next prompt, and only when the turn has queued tool uses', async () => {
    const { prompt, toolUse, turnEnd } = createEvents();
    await capture(
      prompt('one'),
      toolUse(),
      prompt('two'),
      prompt('three'),
      toolUse(),
      turnEnd(),
      prompt('4'),
    );
    const ends = (await messages()).filter(({ kind }) => kind === 'summarize');
    expect(ends).toMatchObject([
      { promptNumber: 1, payload: { reason: 'interrupted', lastAssistantMessage: null } },
      { promptNumber: 3, payload: { reason: 'turn-end', lastAssistantMessage: 'All done.' } },
    ]);
  });

  it('replaces the assumed end of a turn when the real end arrives', async () => {
    const { prompt, toolUse, turnEnd } = createEvents();
    await capture(prompt('one', { promptId: 'p1' }), toolUse(), prompt('two', { promptId: 'p2' }));
    expect(await captureOne(turnEnd({ promptId: 'p1' }))).toMatchObject({ kind: 'stored', promptNumber: 1 });
    const ends = (await messages()).filter(({ kind }) => kind === 'summarize');
    expect(ends).toMatchObject([{ promptNumber: 1, payload: { reason: 'turn-end' } }]);
  });

  it('skips a repeated prompt as a duplicate within seconds, but stores it when it comes later or after other events', async () => {
    const { prompt, toolUse } = createEvents();
    const at = (ms: number) => ({ occurredAtEpoch: Date.UTC(2026, 0, 1) + ms });
    const results = await capture(
      prompt('go on', at(0)),
      prompt('go on', at(30)),
      prompt('go on', at(9_000)),
      toolUse(at(9_100)),
      prompt('go on', at(9_200)),
      prompt('go on', at(30_000)),
    );
    expect(results.map(({ kind, promptNumber }) => `${kind} ${promptNumber}`)).toEqual([
      'stored 1',
      'duplicate 1',
      'duplicate 1',
      'stored 1',
      'stored 2',
      'stored 3',
    ]);
  });

  it('queues the end of every turn when all turn ends have the same dedupe key', async () => {
    const { prompt, turnEnd } = createEvents();
    const results = await capture(
      prompt('one'),
      turnEnd({ dedupeKey: 'stop' }),
      turnEnd({ dedupeKey: 'stop' }),
      prompt('two'),
      turnEnd({ dedupeKey: 'stop' }),
    );
    expect(results.map(({ kind }) => kind)).toEqual(['stored', 'stored', 'duplicate', 'stored', 'stored']);
  });

  it('counts an event and does not queue it when a filter rule matches', async () => {
    const { prompt, toolUse } = createEvents();
    const event = toolUse({ filterReason: 'skipped tool' });
    expect(await capture(prompt('one'), event, event)).toMatchObject([
      { kind: 'stored' },
      { kind: 'filtered', promptNumber: 1 },
      { kind: 'duplicate' },
    ]);
    expect(await messages()).toEqual([]);
    expect((await test.storage.store.stats()).outcomes).toMatchObject({ filtered: 1, stored: 0 });
    expect(
      test.tamper((database) =>
        database.prepare(`SELECT reason FROM event_ledger WHERE outcome = 'filtered'`).pluck().all(),
      ),
    ).toEqual(['skipped tool']);
  });

  it('returns the session of a compaction event and changes no row', async () => {
    const { start, prompt, toolUse, compaction } = createEvents();
    const [, , used] = await capture(start(), prompt('one'), toolUse());
    const before = dump();
    expect(await captureOne(compaction())).toEqual({ ...used, kind: 'duplicate' });
    expect(dump()).toEqual(before);
  });

  it('stores no event of a batch when one of its events cannot be stored', async () => {
    const { prompt, toolUse } = createEvents();
    const broken = { ...toolUse(), host: null } as unknown as CapturedEvent;
    await expect(capture(prompt('one'), toolUse(), broken)).rejects.toThrow();
    expect((await test.storage.store.stats()).sessions).toBe(0);
  });
});

describe('capture of sessions', () => {
  it('B010: reopens a completed session and queues its work when a new event arrives', async () => {
    const { prompt, toolUse, turnEnd, end } = createEvents();
    await capture(prompt('one'), turnEnd(), end());
    expect(await onlySession()).toMatchObject({ status: 'completed', completedAtEpoch: expect.any(Number) });
    await capture(toolUse(), toolUse(), toolUse());
    expect(await onlySession()).toMatchObject({ status: 'active', completedAtEpoch: null });
    expect((await messages()).filter(({ kind }) => kind === 'observation')).toHaveLength(3);
  });

  it('adds a prompt to the running turn when both have the same prompt ID', async () => {
    const { prompt, toolUse, turnEnd } = createEvents();
    const turn = { promptId: 'p-1' };
    await capture(
      prompt('seven', turn),
      toolUse(turn),
      prompt('but from main', turn),
      toolUse(turn),
      turnEnd(turn),
    );
    const queued = await messages();
    expect(queued.map(({ kind, promptNumber }) => [kind, promptNumber])).toEqual([
      ['observation', 1],
      ['observation', 1],
      ['summarize', 1],
    ]);
    expect(queued.at(-1)).toMatchObject({ payload: { reason: 'turn-end' } });
    const [waiting] = await test.storage.messages.waitingTurns();
    expect(waiting).toMatchObject({ isOver: true, hasLaterPrompt: false });
    const prompts = await test.storage.store.turnPrompts(queued[0]!.sessionId, 1);
    expect(prompts.map(({ promptText }) => promptText)).toEqual(['seven', 'but from main']);
    await capture(prompt('next', { promptId: 'p-2' }));
    expect(await test.storage.messages.waitingTurns()).toMatchObject([{ hasLaterPrompt: true }]);
  });

  it('keeps a session completed when an event from before its end arrives late', async () => {
    const { prompt, toolUse, end } = createEvents();
    const late = toolUse();
    await capture(prompt('one'), end());
    await capture(late);
    expect(await onlySession()).toMatchObject({ status: 'completed', completedAtEpoch: expect.any(Number) });
    expect((await messages()).filter(({ kind }) => kind === 'observation')).toHaveLength(1);
  });

  it('B012: keeps all queued messages and closes the last turn when a session ends', async () => {
    const { prompt, toolUse, end } = createEvents();
    await capture(prompt('one'), ...Array.from({ length: 10 }, () => toolUse()));
    await capture(end({ reason: 'clear' }), end({ reason: 'logout' }));
    const kinds = (await messages()).map(({ kind }) => kind);
    expect(kinds).toEqual([...Array<string>(10).fill('observation'), 'summarize']);
    expect(await onlySession()).toMatchObject({ status: 'completed' });
  });

  it('marks an inactive session as interrupted, and as active again with the next event', async () => {
    const { prompt } = createEvents();
    await capture(prompt('one'));
    const { lastActivityEpoch } = await onlySession();
    const interrupt = (inactiveSince: number) => test.storage.store.interruptIdleSessions({ inactiveSince });
    expect(await interrupt(lastActivityEpoch)).toBe(0);
    expect(await interrupt(lastActivityEpoch + 1)).toBe(1);
    expect(await onlySession()).toMatchObject({ status: 'interrupted' });
    await capture(prompt('two'));
    expect(await onlySession()).toMatchObject({ status: 'active' });
  });

  it('records open messages as dropped when a session is ended manually', async () => {
    const { prompt, toolUse } = createEvents();
    const [first] = await capture(prompt('one'), toolUse(), toolUse());
    const { store } = test.storage;
    expect(await store.abortSession(first!.sessionId, { now: 5, reason: 'requested' })).toBe(2);
    expect(await store.abortSession(987, { now: 5, reason: 'requested' })).toBeNull();
    expect((await store.stats()).outcomes.dropped).toBe(2);
    expect(await onlySession()).toMatchObject({ status: 'interrupted' });
  });
});

describe('capture of repeated events', () => {
  it('changes no row when all events of several turns are sent again', async () => {
    const { start, prompt, toolUse, turnEnd, end } = createEvents();
    const events = [
      start(),
      toolUse(),
      prompt('one'),
      toolUse(),
      turnEnd({ dedupeKey: 'stop' }),
      end({ dedupeKey: 'end' }),
      start(),
      prompt('two'),
      prompt('two', { occurredAtEpoch: Date.UTC(2026, 0, 1) + 8_500 }),
      toolUse({ filterReason: 'skipped tool' }),
      toolUse(),
      prompt('three'),
      toolUse(),
      turnEnd({ dedupeKey: 'stop' }),
      prompt('four'),
      toolUse(),
    ];
    for (const event of events) await capture(event);
    const before = dump();
    for (const event of events) expect(await captureOne(event)).toMatchObject({ kind: 'duplicate' });
    expect(dump()).toEqual(before);

    await confirmAll((await onlySession()).id);
    const drained = dump();
    await capture(...events);
    expect(dump()).toEqual(drained);
  });

  it('changes no row when all events of a finished session are sent again', async () => {
    const { start, prompt, toolUse, turnEnd, end } = createEvents();
    const events = [start(), prompt('one'), toolUse(), turnEnd(), prompt('two'), toolUse(), end()];
    await capture(...events);
    const before = dump();
    expect((await capture(...events)).every(({ kind }) => kind === 'duplicate')).toBe(true);
    expect(dump()).toEqual(before);
    await confirmAll((await onlySession()).id);
    const drained = dump();
    await capture(...events);
    expect(dump()).toEqual(drained);
  });
});

describe('capture of projects', () => {
  const at = (folder: string, name: string) => ({
    cwd: folder,
    projectDir: folder,
    project: { key: folder, name },
  });

  it('B093: moves a session and its observations to its project when the project becomes known later', async () => {
    const { prompt, toolUse } = createEvents();
    const first = await captureOne(toolUse({ cwd: null, projectDir: null, project: null }));
    const { store } = test.storage;
    expect(await store.getProject(first.projectId)).toMatchObject(NEUTRAL_PROJECT);
    await store.commitReply(reply(first.sessionId, { observations: [draft()], promptNumber: 0 }));
    const second = await captureOne(prompt('one', at('/home/dev/shop', 'shop')));
    expect(await store.getProject(second.projectId)).toMatchObject({ key: '/home/dev/shop', name: 'shop' });
    expect((await store.listObservations()).items).toMatchObject([{ projectId: second.projectId }]);
    expect(await onlySession()).toMatchObject({ projectId: second.projectId, cwd: '/home/dev/shop' });
    const material = { observations: 10, summaries: 10 };
    expect(await store.contextMaterial({ ...material, projectId: first.projectId })).toMatchObject({
      observations: [],
      totalObservations: 0,
    });
    expect(await store.contextMaterial({ ...material, projectId: second.projectId })).toMatchObject({
      totalObservations: 1,
    });
  });

  it('B094: keeps the name of a known project and the project of a session when later events name others', async () => {
    const { start, prompt } = createEvents();
    const first = await captureOne(prompt('one', at('/home/dev/foo', 'foo')));
    const { store } = test.storage;
    await store.commitReply(reply(first.sessionId, { observations: [draft()] }));
    const before = dump();
    for (let count = 0; count < 5; count += 1) {
      await capture(start({ ...at('/home/dev/foo', 'bar') }), start(at('/home/dev/other', 'other')));
    }
    expect(dump()).toEqual(before);
  });

  it('keeps a session in the neutral project when its first folder belongs to no project', async () => {
    const { prompt, toolUse } = createEvents();
    await capture(prompt('one', { ...at('/home/dev', 'x'), project: NEUTRAL_PROJECT }));
    const { projectId } = await captureOne(toolUse(at('/home/dev/shop', 'shop')));
    expect(await test.storage.store.getProject(projectId)).toMatchObject({ key: NEUTRAL_PROJECT.key });
  });

  it('B091: creates separate projects for folders with the same name and adds parent folders to the names', async () => {
    const seen = [];
    for (const folder of ['/home/a/api', '/home/b/api', '/srv/b/api', String.raw`C:\b\api`]) {
      const { projectId } = await captureOne(createEvents(folder).prompt('one', at(folder, 'api')));
      seen.push(await test.storage.store.getProject(projectId));
    }
    expect(seen.map((project) => project?.name)).toEqual(['api', 'api (b)', 'api (srv/b)', 'api (C:/b)']);
    const [a, b] = seen;
    await test.storage.store.commitReply(reply(1, { observations: [draft()] }));
    const material = { observations: 10, summaries: 10 };
    expect(
      (await test.storage.store.contextMaterial({ ...material, projectId: a!.id })).observations,
    ).toHaveLength(1);
    expect(
      (await test.storage.store.contextMaterial({ ...material, projectId: b!.id })).observations,
    ).toEqual([]);
    expect(await test.storage.store.findProject('/home/b/api')).toEqual(b);
  });
});

describe('capture of unusual values', () => {
  it('B131: replaces zero bytes and broken surrogates with valid characters and keeps the text around them searchable', async () => {
    const { prompt, toolUse } = createEvents();
    const [first] = await capture(
      prompt('before\u0000after'),
      toolUse({
        response: { 'key\u0000': 'left\u0000right \ud800 end' },
        input: [Number.NaN, undefined] as never,
      }),
    );
    const [message] = await messages();
    expect(message).toMatchObject({
      payload: { response: { 'key\u2400': 'left\u2400right \ufffd end' }, input: [null, null] },
    });
    const { store } = test.storage;
    expect(await store.turnPrompts(first!.sessionId, 1)).toMatchObject([{ promptText: 'before\u2400after' }]);
    await store.commitReply(reply(first!.sessionId, { observations: [draft({ title: 'left\u0000right' })] }));
    for (const query of ['left', 'right']) expect(findWords(test.place, query)).toEqual([1]);
    for (const query of ['before', 'after']) expect(findWords(test.place, query, 'prompt')).toEqual([1]);
  });

  it('stores a payload when it is nested deeper than the limit of SQLite', async () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 5_000; level += 1) deep = [deep];
    const { toolUse } = createEvents();
    expect(await captureOne(toolUse({ response: deep as never }))).toMatchObject({ kind: 'stored' });
    expect(await messages()).toHaveLength(1);
  });

  it('rounds the time of an event down to whole milliseconds', async () => {
    const { toolUse } = createEvents();
    expect(await captureOne(toolUse({ occurredAtEpoch: 1_767_225_600_000.75 }))).toMatchObject({
      kind: 'stored',
    });
    expect(await messages()).toMatchObject([{ createdAtEpoch: 1_767_225_600_000 }]);
  });
});
