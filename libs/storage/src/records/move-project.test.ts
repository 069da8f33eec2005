import { NEUTRAL_PROJECT, type ForgetRequest } from '@claude-mem/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wordsOf } from '@claude-mem/lexical-index/analysis';
import { dumpTables } from '../__fixtures__/dump-tables.js';
import { createEvents } from '../__fixtures__/events.js';
import { openTestStorage, type TestStorage } from '../__fixtures__/open-test-storage.js';
import { draft, reply, summary } from '../__fixtures__/replies.js';
import { openStorageReader } from '../open-storage-reader.js';

let test: TestStorage;
beforeEach(async () => {
  test = await openTestStorage();
});
afterEach(() => test.dispose());

const NOW = Date.UTC(2026, 0, 2);
const SHOP = { key: '/home/dev/shop', name: 'shop' };
const STORE = { key: '/home/dev/store', name: 'store' };
const store = () => test.storage.store;
const REPOSITORY = { remoteHash: 'abc', rootCommit: 'def' };

const remember = (title: string, project = SHOP, pinned = false) =>
  store().remember({ draft: draft({ title }), project, session: null, pinned, supersedes: [], now: NOW });

async function work(session: string, project: typeof SHOP) {
  const events = createEvents(session);
  const at = { project, cwd: project.key, projectDir: project.key };
  const [captured] = await store().capture([events.start(at), events.prompt('fix the parser', at)]);
  await store().commitReply(
    reply(captured!.sessionId, { observations: [draft({ title: session })], summary: summary() }),
  );
  return captured!;
}

async function stateOf(key: string) {
  const project = await store().findProject(key);
  if (project === null) return null;
  const { id: projectId, name } = project;
  const limits = { observations: 50, summaries: 50 };
  const { pinned, observations, totalObservations } = await store().contextMaterial({ projectId, ...limits });
  const titles = (list: typeof observations) => list.map(({ title }) => title).sort();
  return {
    name,
    pinned: titles(pinned),
    titles: titles(observations),
    totalObservations,
    ...(await store().projectCounts(projectId)),
    sessions: (await store().listSessions({ projectId })).items.length,
    exported: (await store().exportRecords({ cursor: 'observation-0', limit: 50, projectIds: [projectId] }))
      .records.length,
  };
}
const moveTo = async (to: typeof SHOP, { from = SHOP.key, merge = false } = {}) =>
  store().moveProject({ id: (await store().findProject(from))!.id, to, merge });

describe('R03: moving a project to another folder', () => {
  it('keeps every record, pin and deletion', async () => {
    await work('one', SHOP);
    await remember('Deploys go out on Monday', SHOP, true);
    const forgotten = await remember('A wrong note');
    await store().forget({ ids: [forgotten.observation.id], now: NOW });
    const before = await stateOf(SHOP.key);
    const moved = await moveTo(STORE);
    expect(moved).toMatchObject({ kind: 'moved', project: STORE, from: SHOP, isMerged: false });
    expect(await stateOf(SHOP.key)).toBeNull();
    expect(await stateOf(STORE.key)).toEqual({ ...before, name: 'store' });
    const again = await remember('A wrong note', STORE);
    expect(again.observation.projectId).toBe(forgotten.observation.projectId);
  });

  it('assigns new sessions in the new folder to the same project', async () => {
    const { projectId } = await work('one', SHOP);
    await moveTo(STORE);
    expect((await work('two', STORE)).projectId).toBe(projectId);
    expect((await work('three', SHOP)).projectId).not.toBe(projectId);
  });

  it('is undone by a move back', async () => {
    await work('one', SHOP);
    const before = test.tamper(dumpTables);
    await moveTo(STORE);
    await moveTo(SHOP, { from: STORE.key });
    expect(test.tamper(dumpTables)).toEqual(before);
  });

  it('keeps the name of the folder when it is free, and adds the parent folder when it is taken', async () => {
    await work('one', SHOP);
    await work('two', { key: '/home/else/store', name: 'store' });
    expect(await moveTo({ key: '/srv/shop', name: 'shop' })).toMatchObject({ project: { name: 'shop' } });
    expect(await moveTo(STORE, { from: '/srv/shop' })).toMatchObject({ project: { name: 'store (dev)' } });
  });

  it('changes nothing when the new folder already has records', async () => {
    await work('one', SHOP);
    await work('two', STORE);
    const before = test.tamper(dumpTables);
    expect(await moveTo(STORE)).toMatchObject({ kind: 'occupied', project: STORE });
    expect(test.tamper(dumpTables)).toEqual(before);
  });

  it('replaces the project of the new folder when it has no records', async () => {
    await work('one', SHOP);
    const events = createEvents('two');
    await store().capture([events.start({ project: STORE, cwd: STORE.key, projectDir: STORE.key })]);
    expect(await moveTo(STORE)).toMatchObject({ kind: 'moved', project: STORE, isMerged: false });
    expect(await stateOf(STORE.key)).toMatchObject({ titles: ['one'], sessions: 2 });
    expect(await store().listProjects()).toHaveLength(1);
  });

  it('merges both projects on request and keeps all records searchable', async () => {
    await work('one', SHOP);
    await remember('Deploys go out on Monday', SHOP, true);
    await work('two', STORE);
    expect(await moveTo(STORE, { merge: true })).toMatchObject({ isMerged: true, project: STORE });
    expect(await stateOf(SHOP.key)).toBeNull();
    expect(await stateOf(STORE.key)).toEqual({
      name: 'store',
      pinned: ['Deploys go out on Monday'],
      titles: ['Deploys go out on Monday', 'one', 'two'],
      totalObservations: 3,
      prompts: 2,
      summaries: 2,
      sessions: 3,
      exported: 3,
    });
    const reader = openStorageReader(test.place);
    expect(
      reader.searchTables.matchSyntax('observation', `"${wordsOf('monday').join(' ')}"`, 9),
    ).toHaveLength(1);
    await reader.close();
    expect((await store().stats()).observations).toBe(3);
  });

  it('lets an undo restore a record into the merged project when it was deleted before the move', async () => {
    const { observation } = await remember('Deploys go out on Monday');
    await work('two', STORE);
    const request: ForgetRequest = { ids: [observation.id], now: NOW, undoUntil: NOW + 60_000 };
    const { forgetId } = await store().forget(request);
    await moveTo(STORE, { merge: true });
    await store().undoForget(forgetId!, NOW);
    expect(await stateOf(STORE.key)).toMatchObject({ titles: ['Deploys go out on Monday', 'two'] });
  });

  it('does not store a deleted record again after a merge', async () => {
    await work('one', SHOP);
    const [one] = (await store().listObservations()).items;
    await store().forget({ ids: [one!.id], now: NOW });
    await work('two', STORE);
    await moveTo(STORE, { merge: true });
    const { sessionId } = await work('three', STORE);
    await store().commitReply(reply(sessionId, { observations: [draft({ title: 'one' })] }));
    expect(await stateOf(STORE.key)).toMatchObject({ titles: ['three', 'two'] });
  });

  it('rejects an unknown project and the neutral project', async () => {
    await work('one', SHOP);
    await remember('Anywhere', NEUTRAL_PROJECT);
    const neutral = (await store().findProject(NEUTRAL_PROJECT.key))!;
    await expect(moveTo(NEUTRAL_PROJECT)).rejects.toMatchObject({ code: 'storage/refused' });
    await expect(moveTo(STORE, { from: neutral.key })).rejects.toMatchObject({ code: 'storage/refused' });
    await expect(store().moveProject({ id: 99, to: STORE, merge: false })).rejects.toMatchObject({
      code: 'storage/unknown-record',
    });
  });

  it('removes the repository of the old folder, so that no automatic move follows', async () => {
    const { projectId } = await work('one', SHOP);
    await store().setRepository(projectId, { remoteHash: null, rootCommit: 'old' });
    await store().setRepository(projectId, REPOSITORY);
    expect(await store().listRepositories()).toEqual([{ id: projectId, ...SHOP, ...REPOSITORY }]);
    await moveTo(STORE);
    expect(await store().listRepositories()).toEqual([]);
    await store().setRepository(99, REPOSITORY);
    expect(await store().listRepositories()).toEqual([]);
  });
});
