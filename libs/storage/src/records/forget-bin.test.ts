import { existsSync, readFileSync } from 'node:fs';
import type { UndoneForget } from '@claude-mem/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dumpTables } from '../__fixtures__/dump-tables.js';
import { createEvents } from '../__fixtures__/events.js';
import { findWords } from '../__fixtures__/find-words.js';
import { openTestStorage, type TestStorage } from '../__fixtures__/open-test-storage.js';
import { draft, reply, summary } from '../__fixtures__/replies.js';
import { runChild } from '../__fixtures__/run-child.js';
import { openStorage } from '../index.js';

let test: TestStorage;
beforeEach(async () => {
  test = await openTestStorage();
});
afterEach(() => test.dispose());

const NOW = Date.UTC(2026, 0, 3);
const LATER = NOW + 60_000;
const SHOP = { key: '/home/dev/shop', name: 'shop' };
const store = () => test.storage.store;

const save = async (
  title: string,
  supersedes: readonly number[] = [],
  source: 'manual' | 'agent' = 'manual',
) => {
  const request = {
    draft: draft({ title }),
    source,
    project: SHOP,
    session: null,
    pinned: false,
    supersedes,
    now: NOW,
  };
  return (await store().remember(request)).observation.id;
};
const forget = async (more: { ids?: number[]; sessionIds?: number[]; projectIds?: number[] }) =>
  (await store().forget({ now: NOW, undoUntil: LATER, ...more })).forgetId ?? 0;
const undo = (id: number, now = NOW + 1) => store().undoForget(id, now);
const undoAll = async (id: number, now?: number) => {
  const parts: UndoneForget[] = [];
  while (parts.at(-1)?.isComplete !== true) {
    const part = await undo(id, now);
    if (part === null) throw new Error(`nothing can be undone by ${id}`);
    parts.push(part);
  }
  return parts;
};
const importRecords = (count: number) =>
  store().importRecords(
    Array.from({ length: count }, (_, number) => ({
      ...draft({ title: `Record ${number}` }),
      uid: `record-${number}`,
      project: SHOP.key,
      session: 'long',
      promptNumber: 1,
      createdAtEpoch: NOW,
    })),
    { now: NOW },
  );
const byId = async (id: number) => (await store().observationsByIds([id]))[0];
const successorOf = async (id: number) => (await byId(id))?.supersededBy;

/** Stores a turn with prompts, records, and messages in every state. */
async function playSession(name = 'host-1') {
  const events = createEvents(name);
  const [captured] = await store().capture([
    events.prompt(`please fix the parser of ${name}`),
    events.toolUse({ toolName: 'Edit' }),
    events.turnEnd(),
  ]);
  const { sessionId, projectId } = captured!;
  const { observations } = await store().commitReply(
    reply(sessionId, {
      observations: [draft({ title: `Parser of ${name} mended` }), draft({ title: `Lexer of ${name} read` })],
      summary: summary({ request: `Mend the parser of ${name}` }),
    }),
  );
  const claimed = await test.storage.messages.claim({ sessionId, now: NOW, maxCount: 1, maxBytes: 1e6 });
  return { sessionId, projectId, events, ids: observations.map(({ id }) => id), claimed };
}

/**
 * Dumps the tables that an undo restores. Counters with value 0 and the conversation of the observer are not
 * included.
 */
const truth = () =>
  test.tamper((database) => {
    const tables = dumpTables(database);
    const names = [
      'observations',
      'session_summaries',
      'user_prompts',
      'event_ledger',
      'forgotten',
      'session_tool_uses',
    ] as const;
    const counters = (tables['counters'] as { value: number }[]).filter(({ value }) => value !== 0);
    return {
      ...(Object.fromEntries(names.map((name) => [name, tables[name]])) as Record<
        (typeof names)[number],
        unknown
      >),
      counters,
      messages: database
        .prepare('SELECT id, session_id, dedupe_key, payload, attempts FROM pending_messages')
        .all(),
      sessions: database.prepare('SELECT id, title, user_prompt, prompt_counter FROM sdk_sessions').all(),
      waiting: database.prepare('SELECT count(*) FROM search_pending').pluck().get(),
    };
  });

describe('undoing a deletion', () => {
  it('restores an observation unchanged, searchable at once and queued for vectors', async () => {
    await test.storage.vectors.useTarget('flat test');
    const id = await save('Never deploy on Fridays');
    await test.storage.vectors.complete(
      (await test.storage.vectors.next({ limit: 9, now: NOW })).map((one) => one.id),
    );
    const before = truth();
    const forgetId = await forget({ ids: [id] });
    expect(await byId(id)).toBeUndefined();
    expect(findWords(test.place, 'Fridays')).toEqual([]);
    expect(await undo(forgetId)).toMatchObject({ observations: 1, observationIds: [id], skipped: 0 });
    expect(truth()).toEqual(before);
    expect(findWords(test.place, 'Fridays')).toEqual([id]);
    const queued = await test.storage.vectors.next({ limit: 9, now: NOW });
    expect(queued.map(({ observationId, observation }) => [observationId, observation?.id])).toEqual([
      [id, id],
    ]);
  });

  it('restores a session with its prompts, summaries and pending messages', async () => {
    const { sessionId, ids } = await playSession();
    const before = truth();
    const forgetId = await forget({ sessionIds: [sessionId] });
    expect(await test.storage.messages.list()).toEqual([]);
    expect(findWords(test.place, 'parser', 'prompt')).toEqual([]);
    expect(await undo(forgetId)).toEqual({
      observations: 2,
      summaries: 1,
      prompts: 1,
      sessions: 1,
      messages: 2,
      skipped: 0,
      observationIds: ids,
      sessionIds: [sessionId],
      isComplete: true,
    });
    expect(truth()).toEqual(before);
    expect(findWords(test.place, 'parser', 'prompt')).toHaveLength(1);
    expect(findWords(test.place, 'Mend', 'summary')).toHaveLength(1);
    const messages = await test.storage.messages.list();
    expect(messages.map(({ status, claimedAtEpoch }) => [status, claimedAtEpoch])).toEqual([
      ['pending', null],
      ['pending', null],
    ]);
  });

  it('restores a project, and a late reply of the observer is then stored once', async () => {
    const one = await playSession('host-1');
    const two = await playSession('host-2');
    const before = truth();
    const forgetId = await forget({ projectIds: [one.projectId] });
    const late = reply(one.sessionId, {
      observations: [draft({ title: 'Late' })],
      confirm: one.claimed.map(({ id }) => ({ id, outcome: 'stored' as const })),
    });
    expect((await store().commitReply(late)).observations).toEqual([]);
    expect(await undo(forgetId)).toMatchObject({ observations: 4, sessions: 2, messages: 4 });
    expect(truth()).toEqual(before);
    expect((await store().commitReply(late)).observations).toHaveLength(1);
    expect((await store().commitReply(late)).observations).toHaveLength(0);
    expect(two.ids).toHaveLength(2);
  });

  it('returns null when the deletion was already undone, never existed or is final', async () => {
    const id = await save('One');
    const first = await forget({ ids: [id] });
    expect(await undo(first)).not.toBeNull();
    expect(await undo(first)).toBeNull();
    expect(await undo(first + 100)).toBeNull();
    const second = await forget({ ids: [id] });
    expect(await undo(second, LATER)).toBeNull();
    expect(await byId(id)).toBeUndefined();
  });

  it('is offered by a list of deletions, newest first, which omits final deletions', async () => {
    const one = await save('One');
    const two = await save('Two');
    const first = await forget({ ids: [one] });
    const second = await forget({ ids: [two] });
    const counts = { observations: 1, summaries: 0, prompts: 0, sessions: 0 };
    const times = { forgottenAtEpoch: NOW, finalAtEpoch: LATER };
    expect(await store().listForgotten(NOW)).toEqual([
      { forgetId: second, ...times, ...counts, titles: [{ id: two, title: 'Two' }] },
      { forgetId: first, ...times, ...counts, titles: [{ id: one, title: 'One' }] },
    ]);
    expect(await store().listForgotten(LATER)).toEqual([]);
  });

  it('makes an import recognize records that import, reply and export skipped while they were deleted', async () => {
    const { sessionId, ids } = await playSession();
    const exported = async () =>
      (await store().exportRecords({ cursor: 'observation-0', limit: 10 })).records;
    const records = await exported();
    const forgetId = await forget({ sessionIds: [sessionId] });
    expect(await exported()).toEqual([]);
    expect(await store().importRecords(records, { now: NOW })).toMatchObject({
      inserted: 0,
      forgotten: records.length,
    });
    const again = reply(sessionId, { observations: [draft({ title: 'Parser of host-1 mended' })] });
    expect((await store().commitReply(again)).observations).toEqual([]);
    await undo(forgetId);
    expect(await store().importRecords(records, { now: NOW })).toMatchObject({
      inserted: 0,
      known: records.length,
    });
    expect(await byId(ids[0]!)).toBeDefined();
  });

  it('skips a record that a person saved again in the meantime, and counts it as skipped', async () => {
    const id = await save('One');
    const forgetId = await forget({ ids: [id] });
    const again = await save('One');
    expect(again).not.toBe(id);
    expect(await undo(forgetId)).toMatchObject({ observations: 0, skipped: 1 });
    expect(await byId(id)).toBeUndefined();
    expect((await byId(again))?.title).toBe('One');
  });

  it('S06: replaces the same text that an agent saved in the meantime with the record of the person', async () => {
    const old = await save('Zero');
    const id = await save('One', [old]);
    await store().editObservation(id, { pinned: true }, NOW);
    const before = await byId(id);
    const forgetId = await forget({ ids: [id] });
    const byAgent = await save('One', [], 'agent');
    expect(await undo(forgetId)).toMatchObject({ observations: 1, skipped: 0, observationIds: [id] });
    expect(await byId(id)).toEqual(before);
    expect(await byId(byAgent)).toBeUndefined();
    expect(await successorOf(old)).toBe(id);
    expect(findWords(test.place, 'one')).toContain(id);
    expect(findWords(test.place, 'one')).not.toContain(byAgent);
  });

  it('S06: skips a record when a person pinned the same text that an agent saved in the meantime', async () => {
    const forgetId = await forget({ ids: [await save('One')] });
    const byAgent = await save('One', [], 'agent');
    await store().editObservation(byAgent, { pinned: true }, NOW);
    expect(await undo(forgetId)).toMatchObject({ observations: 0, skipped: 1 });
    expect(await byId(byAgent)).toMatchObject({ pinned: true });
  });
});

describe('overlapping deletions', () => {
  it.each([
    ['the first one first', [0, 1]],
    ['the last one first', [1, 0]],
  ])('are undone independently, %s', async (_, order) => {
    const { sessionId, ids } = await playSession();
    const before = truth();
    const forgets = [await forget({ ids: [ids[0]!] }), await forget({ sessionIds: [sessionId] })];
    const restored = [];
    for (const place of order) restored.push((await undo(forgets[place]!))?.observations);
    expect(restored).toEqual([1, 1]);
    expect(truth()).toEqual(before);
  });

  it.each([
    ['the first one first', [0, 1]],
    ['the last one first', [1, 0]],
  ])(
    'restore the first prompt of a session that continued between them when they are undone, %s',
    async (_, order) => {
      const { sessionId, events } = await playSession();
      const beginning = (await store().getSession(sessionId))?.userPrompt;
      const first = await forget({ sessionIds: [sessionId] });
      await store().capture([events.prompt('and now the printer'), events.toolUse({ toolName: 'Edit' })]);
      const before = truth();
      const second = await forget({ sessionIds: [sessionId] });
      for (const place of order) await undo([first, second][place]!);
      expect((await store().getSession(sessionId))?.userPrompt).toBe(beginning);
      expect((await store().listPrompts({ sessionId })).items).toHaveLength(2);
      expect(truth().forgotten).toEqual([]);
      expect(truth().session_tool_uses).toContainEqual({
        session_id: sessionId,
        tool: 'Edit',
        uses: 2,
        failed: 0,
      });
      expect(before.forgotten).not.toEqual([]);
    },
  );

  it('count and store nothing for a deleted session until it has new records', async () => {
    const { sessionId, projectId, events } = await playSession();
    const before = truth();
    const first = await forget({ projectIds: [projectId] });
    const gone = truth();
    const nothing = {
      observations: 0,
      summaries: 0,
      prompts: 0,
      sessions: 0,
      sessionIds: [],
      forgetId: null,
    };
    for (const again of [{ projectIds: [projectId] }, { sessionIds: [sessionId] }])
      for (const how of [{ dryRun: true }, { undoUntil: LATER }, {}])
        expect(await store().forget({ ...again, ...how, now: NOW })).toMatchObject(nothing);
    expect(truth()).toEqual(gone);
    expect(await store().listForgotten(NOW)).toMatchObject([{ forgetId: first }]);
    await undo(first);
    expect(truth()).toEqual(before);

    const last = await forget({ sessionIds: [sessionId] });
    const other = createEvents('host-2');
    await store().capture([other.start()]);
    for (const event of [events.toolUse({ toolName: 'Bash' }), events.prompt('and now the printer')]) {
      await store().capture([event]);
      expect(await store().forget({ projectIds: [projectId], dryRun: true, now: NOW })).toMatchObject({
        sessions: 2,
        prompts: event.kind === 'prompt' ? 1 : 0,
      });
    }
    await forget({ projectIds: [projectId] });
    await undo(last);
    expect(await forget({ projectIds: [projectId] })).toBeGreaterThan(last);
  });

  it('include a record that was saved manually into a deleted session', async () => {
    await save('One');
    const projectIds = [(await store().findProject(SHOP.key))!.id];
    await forget({ projectIds });
    await save('Two');
    expect(await store().forget({ projectIds, now: NOW })).toMatchObject({ observations: 1, sessions: 1 });
    expect(await store().forget({ projectIds, now: NOW })).toMatchObject({ observations: 0, sessions: 0 });
  });

  it('restore the supersession links when the middle record of a chain was deleted', async () => {
    const oldest = await save('Deploy on Mondays');
    const middle = await save('Deploy on Tuesdays', [oldest]);
    const newest = await save('Deploy on Thursdays', [middle]);
    const forgetId = await forget({ ids: [middle] });
    expect(await successorOf(oldest)).toBe(newest);
    await undo(forgetId);
    expect(await Promise.all([oldest, middle, newest].map(successorOf))).toEqual([middle, newest, null]);
  });

  it.each([[[0, 1, 2]], [[0, 2, 1]], [[1, 0, 2]], [[1, 2, 0]], [[2, 0, 1]], [[2, 1, 0]]])(
    'restore a chain of superseded records when they are undone in the order %j',
    async (order) => {
      const oldest = await save('Deploy on Mondays');
      const middle = await save('Deploy on Tuesdays', [oldest]);
      const newest = await save('Deploy on Thursdays', [middle]);
      for (const forgotten of [
        [oldest, middle, newest],
        [newest, middle, oldest],
        [middle, newest, oldest],
      ]) {
        const forgets: number[] = [];
        for (const id of forgotten) forgets.push(await forget({ ids: [id] }));
        for (const place of order) await undo(forgets[place]!);
        const chain = await Promise.all([oldest, middle, newest].map(successorOf));
        expect(chain, forgotten.join()).toEqual([middle, newest, null]);
      }
    },
  );

  it('restore the rest of a chain when one of its records was deleted permanently', async () => {
    const oldest = await save('Deploy on Mondays');
    const middle = await save('Deploy on Tuesdays', [oldest]);
    const newest = await save('Deploy on Thursdays', [middle]);
    const first = await forget({ ids: [middle] });
    await store().forget({ ids: [newest], now: NOW });
    expect(await successorOf(oldest)).toBeNull();
    await undo(first);
    expect(await Promise.all([oldest, middle].map(successorOf))).toEqual([middle, null]);
  });

  it('keep a supersession link that a person changed since the deletion', async () => {
    const old = await save('Tabs');
    const successor = await save('Spaces', [old]);
    const forgetId = await forget({ ids: [successor] });
    const other = await save('Tabs, but wide ones', [old]);
    await undo(forgetId);
    expect(await successorOf(old)).toBe(other);
  });

  it('create no cycle of supersession links when they are undone', async () => {
    const one = await save('One');
    const two = await save('Two', [one]);
    const three = await save('Three', [two]);
    const forgetId = await forget({ ids: [two] });
    await store().editObservation(one, { supersededBy: null }, NOW);
    await store().editObservation(three, { supersededBy: one }, NOW);
    await undo(forgetId);
    expect(await Promise.all([one, two, three].map(successorOf))).toEqual([null, three, one]);
  });
});

describe('a deletion in several parts', () => {
  const forgetWith = async (addTo: number, ids: readonly number[], { now = NOW, undoUntil = LATER } = {}) =>
    (await store().forget({ ids, addTo, now, undoUntil })).forgetId;

  it('is undone as one, with the supersession links between its parts', async () => {
    const chain: number[] = [];
    for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'])
      chain.push(await save(`Deploy on ${day}`, chain.slice(-1)));
    const before = truth();
    for (const order of [
      [1, 2, 3],
      [3, 2, 1],
      [2, 3, 1],
      [4, 0, 2],
    ]) {
      const [first, ...others] = order.map((place) => chain[place]!);
      const forgetId = await forget({ ids: [first!] });
      for (const id of others) expect(await forgetWith(forgetId, [id])).toBe(forgetId);
      expect(await store().listForgotten(NOW)).toMatchObject([{ forgetId, observations: 3 }]);
      expect(await undo(forgetId)).toMatchObject({ observations: 3, skipped: 0 });
      expect(truth()).toEqual(before);
    }
  });

  it('becomes final with its last part and accepts no parts afterwards', async () => {
    const [one, two, three] = [await save('one'), await save('two'), await save('three')];
    const forgetId = await forget({ ids: [one] });
    expect(await forgetWith(forgetId, [two], { now: LATER - 1, undoUntil: LATER + 10 })).toBe(forgetId);
    expect(await store().finishForgetting(LATER)).toMatchObject({
      finished: 0,
      nextFinalAtEpoch: LATER + 10,
    });
    const late = await forgetWith(forgetId, [three], { now: LATER + 10, undoUntil: LATER + 20 });
    expect(late).not.toBe(forgetId);
    expect(await undo(late!, LATER + 11)).toMatchObject({ observationIds: [three] });
    expect(await undo(forgetId, LATER + 11)).toBeNull();
    expect(await store().finishForgetting(LATER + 11)).toMatchObject({ finished: 1 });
  });
});

describe('undoing a large deletion', () => {
  const indexed = async () => {
    while (!(await test.storage.index.step()).done);
  };
  /**
   * Forgets a project with many records. A record and the record that superseded it are restored in different parts.
   */
  const forgetManyRecords = async () => {
    const { sessionId, projectId } = await playSession();
    await importRecords(1_300);
    const { items } = await store().listObservations({ sessionId: 2, limit: 1_300 });
    const ids = items.map(({ id }) => id);
    await store().editObservation(ids[1_299]!, { supersededBy: ids[0]! }, NOW);
    await store().editObservation(ids[0]!, { supersededBy: ids[700]! }, NOW);
    await indexed();
    const before = truth();
    const forgetId = await forget({ projectIds: [projectId, items[0]!.projectId] });
    return { before, forgetId, sessionId };
  };

  it('runs in parts of at most 500 rows and restores everything', async () => {
    const { before, forgetId, sessionId } = await forgetManyRecords();
    const parts = await undoAll(forgetId);
    const sizes = parts.map((one) => one.observations + one.summaries + one.prompts + one.messages);
    expect(parts.length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
    expect(parts.flatMap((one) => one.sessionIds).sort()).toEqual([sessionId, 2].sort());
    expect(parts.findIndex((one) => one.messages > 0)).toBe(parts.length - 1);
    await indexed();
    expect(truth()).toEqual(before);
    expect(await undo(forgetId)).toBeNull();
  });

  it('continues when the process ended between two parts, even after the undo period', async () => {
    const { before, forgetId } = await forgetManyRecords();
    expect(await undo(forgetId)).toMatchObject({ isComplete: false });
    expect(await store().listForgotten(NOW)).toEqual([]);
    await test.storage.close();
    await using storage = await openStorage(test.place);
    test.storage = storage;
    expect(await store().listUndoing()).toEqual([forgetId]);
    const left = { finished: 0, nextFinalAtEpoch: null, undoing: [forgetId] };
    expect(await store().finishForgetting(LATER)).toEqual(left);
    const rest = await undoAll(forgetId, LATER);
    expect(rest.reduce((sum, one) => sum + one.observations, 0)).toBeGreaterThan(500);
    await indexed();
    expect(truth()).toEqual(before);
    expect(await store().listUndoing()).toEqual([]);
    expect(await store().finishForgetting(LATER)).toEqual({ ...left, undoing: [] });
  });

  it('restores a supersession link when a restored record is deleted again before the last part', async () => {
    await importRecords(1_300);
    const { items } = await store().listObservations({ limit: 1 });
    const [first, last] = [items[0]!.id - 1_299, items[0]!.id];
    await store().editObservation(first, { supersededBy: last }, NOW);
    const forgetId = await forget({ projectIds: [items[0]!.projectId] });
    await undo(forgetId);
    const again = await forget({ ids: [first] });
    await undoAll(forgetId);
    await undoAll(again);
    expect(await successorOf(first)).toBe(last);
  });

  it('accepts no further parts of the deletion after it started', async () => {
    const { forgetId } = await forgetManyRecords();
    await undo(forgetId);
    const one = await save('one');
    const request = { ids: [one], addTo: forgetId, now: NOW, undoUntil: LATER };
    expect((await store().forget(request)).forgetId).not.toBe(forgetId);
  });
});

describe('a final deletion', () => {
  const bytes = () =>
    ['', '-wal']
      .map((side) => test.place.file + side)
      .map((file) => (existsSync(file) ? readFileSync(file).toString('latin1') : ''))
      .join('');

  it('leaves the record in the file until the undo period ends, and no byte of it afterwards', async () => {
    const id = await save('The quetzalcoatl lands');
    await save('Something that stays');
    expect(await store().isErased()).toBe(true);
    await forget({ ids: [id] });
    expect(await store().finishForgetting(NOW)).toMatchObject({ finished: 0, nextFinalAtEpoch: LATER });
    await store().eraseForgotten();
    expect(bytes()).toContain('quetzalcoatl');
    expect(await store().isErased()).toBe(false);
    expect(await store().finishForgetting(LATER)).toMatchObject({ finished: 1, nextFinalAtEpoch: null });
    expect(await store().isErased()).toBe(false);
    expect(await store().eraseForgotten()).toBe(true);
    expect(await store().isErased()).toBe(true);
    expect(bytes().toLowerCase()).not.toContain('quetzal');
    expect(test.tamper((database) => dumpTables(database)['forget_bin_rows'])).toEqual([]);
  });

  it('runs in parts when it is large and cannot be undone while it runs', async () => {
    await importRecords(2_500);
    const { items } = await store().listObservations({ limit: 1 });
    const forgetId = await forget({ projectIds: [items[0]!.projectId] });
    expect(await store().finishForgetting(LATER)).toMatchObject({ finished: 0, nextFinalAtEpoch: LATER });
    expect(await undo(forgetId, LATER)).toBeNull();
    expect(await store().finishForgetting(LATER)).toMatchObject({ finished: 1, nextFinalAtEpoch: null });
    expect(test.tamper((database) => dumpTables(database)['forget_bin_rows'])).toEqual([]);
  });

  it('is possible after a restart when a kill interrupted deleting or undoing', async () => {
    const { sessionId } = await playSession();
    await test.storage.close();
    for (let round = 0; round < 4; round += 1) {
      await using child = runChild('forget-and-undo', test.place, String(sessionId));
      await child.said(/^undone$/);
      await new Promise((resolve) => setTimeout(resolve, 7 * round));
    }
    const storage = await openStorage(test.place);
    try {
      const open = await storage.store.listForgotten(NOW);
      expect(open.length).toBeLessThanOrEqual(1);
      const prompts = async () => (await storage.store.listPrompts({ sessionId })).items.length;
      expect(await prompts()).toBe(1 - open.length);
      for (const { forgetId } of open) await storage.store.undoForget(forgetId, NOW);
      expect(await prompts()).toBe(1);
      expect((await storage.store.listObservations({ sessionId })).items).toHaveLength(2);
      expect((await storage.store.stats()).observations).toBe(2);
      await storage.store.forget({ sessionIds: [sessionId], now: NOW, undoUntil: LATER });
      expect(await storage.store.finishForgetting(LATER)).toMatchObject({ finished: 1 });
    } finally {
      await storage.close();
    }
  });
});
