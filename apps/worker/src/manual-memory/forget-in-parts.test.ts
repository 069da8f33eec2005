import type { ForgetRequest, ForgetResult, Store } from '@claude-mem/core';
import { createFixedClock } from '@claude-mem/core/testing';
import { openStorage, StorageError, type Storage } from '@claude-mem/storage';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestHome, type TestHome } from '../testing/start-test-worker.js';
import { createUndoing } from './create-undoing.js';
import { forgetInParts } from './forget-in-parts.js';

const NOW = Date.UTC(2026, 0, 3);
const SHOP = '/shop';

let home: TestHome;
let storage: Storage;
beforeEach(async () => {
  home = createTestHome();
  const { database: file, backupsDir } = home.paths;
  storage = await openStorage({ file, backupsDir, clock: createFixedClock(NOW) });
});
afterEach(async () => {
  await storage.close();
  home[Symbol.dispose]();
});

const write = async (session: string, count: number, project = SHOP) => {
  const records = Array.from({ length: count }, (_, number) => ({
    uid: `${session}-${number}`,
    project,
    session,
    promptNumber: 1,
    createdAtEpoch: NOW,
    type: 'change',
    title: `Change ${number} of ${session}`,
    subtitle: null,
    narrative: null,
    facts: [],
    concepts: [],
    filesRead: [],
    filesModified: [],
  }));
  await storage.store.importRecords(records, { now: NOW });
};
const observations = async () => (await storage.store.stats()).observations;
const projectId = async () => (await storage.store.findProject(SHOP))?.id ?? 0;

/** The store, and the calls that it received. */
function watched() {
  const { sessionCounts } = storage.store;
  const asked: ForgetRequest[] = [];
  const gone: ForgetResult[] = [];
  return {
    asked,
    gone,
    sessionCounts,
    async forget(request: ForgetRequest) {
      const result = await storage.store.forget(request);
      if (request.dryRun !== true) {
        asked.push(request);
        gone.push(result);
      }
      return result;
    },
  };
}

const forget = async (selection: Partial<ForgetRequest>, undoSeconds: number, most = Infinity) => {
  const store = watched();
  const planned = await storage.store.forget({ ...selection, dryRun: true, now: NOW });
  const { turns } = await countTurns(async () => {
    for await (const _ of forgetInParts(planned, { store, undoSeconds, clock: createFixedClock(NOW) }))
      if (store.gone.length >= most) break;
  });
  return { ...store, turns };
};

function openUndoing(store: Pick<Store, 'undoForget' | 'listUndoing'> = storage.store) {
  const noFilter = { restored: () => undefined, wake: () => undefined, notify: () => undefined };
  const parts = { store, feed: noFilter, searching: noFilter, observing: noFilter };
  return createUndoing({ ...parts, clock: createFixedClock(NOW) });
}

/** How often other work ran meanwhile. */
async function countTurns<Result>(work: () => Promise<Result>): Promise<{ result: Result; turns: number }> {
  let turns = 0;
  let isOver = false;
  const takeTurns = () => {
    turns += 1;
    if (!isOver) setImmediate(takeTurns);
  };
  setImmediate(takeTurns);
  const result = await work();
  isOver = true;
  return { result, turns };
}

it('deletes a large project in parts, runs other work between the parts, and undoes the deletion completely', async () => {
  await write('small-1', 40);
  await write('large', 1_300);
  await write('small-2', 40);
  await write('elsewhere', 5, '/other');
  const { asked, gone, turns } = await forget({ projectIds: [await projectId()] }, 60);
  expect(gone.reduce((sum, one) => sum + one.observations, 0)).toBe(1_380);
  expect(Math.max(...gone.map((one) => one.observations))).toBeLessThanOrEqual(500);
  expect(turns).toBeGreaterThanOrEqual(asked.length);
  const inTurn = gone.flatMap((one) => one.sessionIds);
  expect(inTurn).toEqual(inTurn.toSorted((one, other) => other - one));
  expect(await observations()).toBe(5);
  const open = await storage.store.listForgotten(NOW);
  expect(open).toMatchObject([{ observations: 1_380, sessions: 3, finalAtEpoch: NOW + 60_000 }]);
  const undone = await countTurns(() => openUndoing().undo(open[0]!.forgetId));
  expect(undone.result).toMatchObject({ observations: 1_380, sessions: 3, skipped: 0 });
  expect(undone.turns).toBeGreaterThanOrEqual(3);
  expect(await observations()).toBe(1_385);
});

it('deletes all records of a project whose undo is still running', async () => {
  await write('large', 1_300);
  await forget({ projectIds: [await projectId()] }, 60);
  const [open] = await storage.store.listForgotten(NOW);
  const { undo, alone } = openUndoing();
  const project = await projectId();
  const undone = undo(open!.forgetId);
  await alone(() => forget({ projectIds: [project] }, 60));
  expect(await undone).toMatchObject({ observations: 1_300 });
  expect(await observations()).toBe(0);
});

it('deletes all records of a project whose undo failed half way', async () => {
  await write('large', 1_300);
  const project = await projectId();
  await forget({ projectIds: [project] }, 60);
  const [open] = await storage.store.listForgotten(NOW);
  let parts = 0;
  const { undo, alone } = openUndoing({
    listUndoing: storage.store.listUndoing,
    async undoForget(id, now) {
      parts += 1;
      if (parts === 2) throw new StorageError('storage/busy', 'locked');
      return storage.store.undoForget(id, now);
    },
  });
  await expect(undo(open!.forgetId)).rejects.toThrow('locked');
  expect(await observations()).toBe(500);
  await alone(() => forget({ projectIds: [project] }, 60));
  expect(await observations()).toBe(0);
  expect(await undo(open!.forgetId)).toBeNull();
  expect(await observations()).toBe(0);
});

it('deletes all records of a project when another worker stopped half way through the undo', async () => {
  await write('large', 1_300);
  const project = await projectId();
  await forget({ projectIds: [project] }, 60);
  const [open] = await storage.store.listForgotten(NOW);
  expect(await storage.store.undoForget(open!.forgetId, NOW)).toMatchObject({ isComplete: false });
  const { undo, alone } = openUndoing();
  await alone(() => forget({ projectIds: [project] }, 60));
  expect(await undo(open!.forgetId)).toBeNull();
  expect(await observations()).toBe(0);
});

it('deletes a small project in one transaction', async () => {
  await write('small-1', 40);
  await write('small-2', 40);
  expect((await forget({ projectIds: [await projectId()] }, 0)).asked).toHaveLength(1);
  expect(await observations()).toBe(0);
});

it('completes an interrupted deletion when it is repeated, including records added in between', async () => {
  await write('large', 1_300);
  await forget({ projectIds: [await projectId()] }, 0, 2);
  expect(await observations()).toBe(300);
  await write('large', 1_320);
  expect(await observations()).toBe(320);
  await forget({ projectIds: [await projectId()] }, 0);
  expect(await observations()).toBe(0);
});

it('deletes records that a session receives between two parts', async () => {
  await write('large', 1_300);
  const planned = await storage.store.forget({ projectIds: [await projectId()], dryRun: true, now: NOW });
  let parts = 0;
  const forgetting = forgetInParts(planned, {
    store: storage.store,
    undoSeconds: 0,
    clock: createFixedClock(NOW),
  });
  for await (const _ of forgetting) if ((parts += 1) === 1) await write('large', 1_301);
  expect(parts).toBeGreaterThan(1);
  expect(await observations()).toBe(0);
});

it('deletes single observations in parts', async () => {
  await write('elsewhere', 5, '/other');
  await write('here', 600);
  const ids = Array.from({ length: 603 }, (_, place) => place + 1);
  const { gone } = await forget({ ids }, 60);
  expect(gone.map((one) => one.observations)).toEqual([500, 103]);
  expect(await observations()).toBe(2);
});

it('keeps one undo entry when another request deletes some of the records meanwhile', async () => {
  await write('here', 1_200);
  const planned = await storage.store.forget({ projectIds: [await projectId()], dryRun: true, now: NOW });
  const only = { ...planned, sessionIds: [] };
  for await (const _ of forgetInParts(only, {
    store: storage.store,
    undoSeconds: 60,
    clock: createFixedClock(NOW),
  }))
    await storage.store.forget({ ids: planned.observationIds.slice(500, 1_000), now: NOW });
  expect(await storage.store.listForgotten(NOW)).toMatchObject([{ observations: 700 }]);
});
