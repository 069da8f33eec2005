import { wordsOf } from '@claude-mem/lexical-index/analysis';
import {
  MAX_AGENT_RECORDS,
  NEUTRAL_PROJECT,
  type ImportedObservation,
  type RememberRequest,
} from '@claude-mem/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEvents } from '../__fixtures__/events.js';
import { openTestStorage, type TestStorage } from '../__fixtures__/open-test-storage.js';
import { draft, reply, summary } from '../__fixtures__/replies.js';
import { openStorage } from '../index.js';
import { openStorageReader } from '../open-storage-reader.js';
import { TEXT_LIMITS } from '../limits.js';
import { MAX_PINNED } from './observations.js';

let test: TestStorage;
beforeEach(async () => {
  test = await openTestStorage();
});
afterEach(() => test.dispose());

const NOW = Date.UTC(2026, 0, 2);
const SHOP = { key: '/home/dev/shop', name: 'shop' };

const remember = (more: Partial<RememberRequest> = {}) =>
  test.storage.store.remember({
    draft: draft(),
    project: SHOP,
    session: null,
    pinned: false,
    supersedes: [],
    now: NOW,
    ...more,
  });
const save = (title: string, more: Partial<RememberRequest> = {}) =>
  remember({ draft: draft({ title }), ...more });
const edit = (
  id: number,
  change: Parameters<TestStorage['storage']['store']['editObservation']>[1],
  at = NOW,
) => test.storage.store.editObservation(id, change, at);
const forget = (more: { ids?: number[]; sessionIds?: number[]; projectIds?: number[]; dryRun?: boolean }) =>
  test.storage.store.forget({ now: NOW, ...more });
const byId = async (id: number) => (await test.storage.store.observationsByIds([id]))[0];

it('S06: keeps the source of a record of an agent when the record is deleted and restored', async () => {
  const { observation } = await remember({ source: 'agent' });
  expect(observation).toMatchObject({ source: 'agent', provider: null });
  expect((await save('By a person')).observation.source).toBe('manual');
  const { forgetId } = await test.storage.store.forget({
    ids: [observation.id],
    now: NOW,
    undoUntil: NOW + 1_000,
  });
  expect(await byId(observation.id)).toBeUndefined();
  await test.storage.store.undoForget(forgetId ?? 0, NOW + 1);
  expect(await byId(observation.id)).toEqual(observation);
});
const found = (word: string) => {
  const reader = openStorageReader(test.place);
  const hits = reader.searchTables.matchSyntax('observation', `"${wordsOf(word).join(' ')}"`, 100);
  void reader.close();
  return hits!.map(({ recordId }) => recordId);
};

async function captureTurn() {
  const events = createEvents('host-1');
  const [captured] = await test.storage.store.capture([
    events.start(),
    events.prompt('please fix the parser'),
    events.toolUse({ toolName: 'Edit' }),
    events.turnEnd(),
  ]);
  return { sessionId: captured!.sessionId, events };
}

describe('remember', () => {
  it('B100: stores source and host, indexes the record at once, and overwrites no other record', async () => {
    const { sessionId } = await captureTurn();
    const { observations } = await test.storage.store.commitReply(
      reply(sessionId, { observations: [draft({ title: 'Seen by the observer' })] }),
    );
    const session = { host: 'claude-code', contentSessionId: 'host-1' } as const;
    const { observation, isNew } = await save('Always run the linter', { session, project: null });
    expect(isNew).toBe(true);
    expect(observation).toMatchObject({
      source: 'manual',
      sessionId,
      projectId: observations[0]!.projectId,
      promptNumber: 1,
      provider: null,
      pinned: false,
      createdAtEpoch: NOW,
    });
    expect(await byId(observation.id)).toEqual(observation);
    expect(found('linter')).toEqual([observation.id]);
    expect(await byId(observations[0]!.id)).toEqual(observations[0]);
  });

  it('returns the existing record, and pins it on request, when the project has the same text', async () => {
    const first = await save('One');
    const again = await save('One', { pinned: true });
    expect(again).toMatchObject({ isNew: false, observation: { id: first.observation.id, pinned: true } });
    const elsewhere = await save('One', { project: { key: '/repos/other', name: 'other' } });
    expect(elsewhere.isNew).toBe(true);
    expect(elsewhere.observation.projectId).not.toBe(first.observation.projectId);
    expect((await test.storage.store.stats()).observations).toBe(2);
  });

  it('stores the same text of one session for two projects', async () => {
    const session = { host: 'cursor', contentSessionId: 'c-1' } as const;
    const first = await save('One', { session });
    const second = await save('One', { session, project: { key: '/repos/other', name: 'other' } });
    expect([first.isNew, second.isNew]).toEqual([true, true]);
    expect(second.observation.projectId).not.toBe(first.observation.projectId);
  });

  it('uses a separate session without a host session, and the neutral project without a project', async () => {
    const first = await save('One');
    const second = await save('Two');
    const third = await save('Three', { project: null });
    expect(second.observation.sessionId).toBe(first.observation.sessionId);
    expect(await test.storage.store.getSession(first.observation.sessionId)).toMatchObject({
      host: 'manual',
      status: 'completed',
      projectId: first.observation.projectId,
    });
    const project = await test.storage.store.getProject(third.observation.projectId);
    expect(project).toMatchObject(NEUTRAL_PROJECT);
  });

  it('B100: stores the host when the conversation is unknown', async () => {
    const first = await save('One', { session: { host: 'cursor', contentSessionId: null } });
    const second = await save('Two', { session: { host: 'codex', contentSessionId: null } });
    const third = await save('Three', { session: { host: 'cursor', contentSessionId: null } });
    const hosts = [first, second, third].map(async ({ observation }) => {
      const session = await test.storage.store.getSession(observation.sessionId);
      return session?.host;
    });
    expect(await Promise.all(hosts)).toEqual(['cursor', 'codex', 'cursor']);
    expect(third.observation.sessionId).toBe(first.observation.sessionId);
  });

  it('B066: shortens long fields and rejects a record without text', async () => {
    const { observation } = await remember({
      draft: draft({ title: 't'.repeat(5_000), narrative: 'n'.repeat(50_000) }),
    });
    expect(observation.title).toHaveLength(TEXT_LIMITS.title);
    expect(observation.narrative).toHaveLength(TEXT_LIMITS.narrative);
    await expect(
      remember({ draft: draft({ title: null, narrative: ' ', facts: [] }) }),
    ).rejects.toMatchObject({ code: 'storage/refused' });
  });

  it('supersedes the named records, and stores nothing when one of them cannot be superseded', async () => {
    const old = (await save('Use yarn')).observation;
    const { observation } = await save('Use npm', { supersedes: [old.id] });
    expect(await byId(old.id)).toMatchObject({ supersededBy: observation.id });
    await expect(save('Use pnpm', { supersedes: [observation.id, 999] })).rejects.toMatchObject({
      code: 'storage/unknown-record',
      data: { id: 999 },
    });
    expect((await test.storage.store.stats()).observations).toBe(2);
    expect(await byId(observation.id)).toMatchObject({ supersededBy: null });
  });

  it('S06: keeps a pinned record when an agent saves the text of the superseded record', async () => {
    const yarn = (await save('Use yarn')).observation;
    const npm = (await save('Use npm', { supersedes: [yarn.id], pinned: true })).observation;
    const again = await save('Use yarn', { source: 'agent' });
    expect(again).toMatchObject({ tookBackFrom: null, observation: { supersededBy: npm.id } });
    expect(await byId(npm.id)).toMatchObject({ supersededBy: null, pinned: true });
  });

  it('S06: revives no record of a person when an agent saves its text', async () => {
    const yarn = (await save('Use yarn')).observation;
    const npm = (await save('Use npm', { supersedes: [yarn.id] })).observation;
    const pnpm = (await save('Use pnpm', { source: 'agent' })).observation;
    await edit(npm.id, { supersededBy: pnpm.id });
    const again = await save('Use yarn', { source: 'agent' });
    expect(again).toMatchObject({
      isNew: false,
      tookBackFrom: null,
      observation: { id: yarn.id, supersededBy: npm.id },
    });
    expect(await byId(pnpm.id)).toMatchObject({ supersededBy: null });
  });

  it('S06: revives its own record when an agent saves the text again', async () => {
    const yarn = (await save('Use yarn', { source: 'agent' })).observation;
    const npm = (await save('Use npm', { source: 'agent', supersedes: [yarn.id] })).observation;
    const again = await save('Use yarn', { source: 'agent' });
    expect(again).toMatchObject({ tookBackFrom: npm.id, observation: { supersededBy: null } });
  });

  it('S06: marks a record of an agent as one of a person when the person saves the same text', async () => {
    const { id } = (await save('Use yarn', { source: 'agent' })).observation;
    const again = await save('Use yarn');
    expect(again).toMatchObject({ isNew: false, observation: { id, source: 'manual', provider: null } });
    expect((await save('Use yarn', { source: 'agent' })).observation.source).toBe('manual');
  });

  it('revives a superseded record when a person saves its text again', async () => {
    const yarn = (await save('Use yarn')).observation;
    const npm = (await save('Use npm', { supersedes: [yarn.id] })).observation;
    const pnpm = (await save('Use pnpm', { supersedes: [npm.id] })).observation;
    const again = await save('Use yarn');
    expect(again).toMatchObject({
      isNew: false,
      tookBackFrom: pnpm.id,
      observation: { id: yarn.id, supersededBy: null },
    });
    expect(await byId(npm.id)).toMatchObject({ supersededBy: pnpm.id });
    expect(await byId(pnpm.id)).toMatchObject({ supersededBy: yarn.id });
    const shown = { projectId: 1, observations: 9, summaries: 0 };
    const material = await test.storage.store.contextMaterial(shown);
    expect(material.observations.map(({ title }) => title)).toEqual(['Use yarn']);

    const back = await save('Use npm', { supersedes: [yarn.id] });
    expect(back).toMatchObject({ tookBackFrom: yarn.id, observation: { id: npm.id, supersededBy: null } });
    expect((await test.storage.store.contextMaterial(shown)).observations.map(({ id }) => id)).toEqual([
      npm.id,
    ]);
    expect(await save('Use npm')).toMatchObject({ tookBackFrom: null, isNew: false });
  });

  it('returns the record that is not superseded when several records have the same text', async () => {
    const place = (contentSessionId: string) => ({ host: 'cursor', contentSessionId }) as const;
    const first = (await save('One', { session: place('a') })).observation;
    const other = (await save('Two')).observation;
    const { observations } = await test.storage.store.commitReply(
      reply(other.sessionId, { observations: [draft({ title: 'One' })] }),
    );
    await edit(observations[0]!.id, { supersededBy: other.id });
    expect(await save('One')).toMatchObject({
      isNew: false,
      tookBackFrom: null,
      observation: { id: first.id },
    });
    expect(await byId(other.id)).toMatchObject({ supersededBy: null });
  });

  it('reports that an existing record is newly pinned', async () => {
    await save('One');
    expect(await save('One', { pinned: true })).toMatchObject({ isNewlyPinned: true });
    expect(await save('One', { pinned: true })).toMatchObject({ isNewlyPinned: false });
    expect(await save('Two', { pinned: true })).toMatchObject({ isNewlyPinned: false, isNew: true });
  });
});

it('S06: keeps room for other records in a context when an agent saves many', async () => {
  const rule = (await save('Rule of a person')).observation.id;
  const ids: number[] = [];
  for (let number = 0; number < 12; number += 1)
    ids.push((await save(`Flood ${number}`, { source: 'agent' })).observation.id);
  await edit(ids[0]!, { pinned: true });
  const request = { projectId: 1, observations: 8, summaries: 0 };
  const { observations } = await test.storage.store.contextMaterial(request);
  expect(observations.map(({ id }) => id)).toEqual([
    ...ids.slice(-MAX_AGENT_RECORDS).reverse(),
    ids[0],
    rule,
  ]);
});

describe('editObservation', () => {
  it('updates text, hash, time and the inverted index, and queues new vectors', async () => {
    await test.storage.vectors.useTarget('m');
    const { observation } = await save('Old heading');
    const [entry] = await test.storage.vectors.next({ limit: 9, now: NOW });
    await test.storage.vectors.complete([entry!.id]);
    const edited = await edit(observation.id, { title: 'New heading', facts: [] }, NOW + 5);
    expect(edited).toEqual({
      ...observation,
      title: 'New heading',
      facts: [],
      contentHash: expect.not.stringMatching(observation.contentHash) as string,
      updatedAtEpoch: NOW + 5,
    });
    expect([found('old'), found('new')]).toEqual([[], [observation.id]]);
    expect(await test.storage.vectors.next({ limit: 9, now: NOW })).toMatchObject([
      { observation: { title: 'New heading' } },
    ]);
    expect((await test.storage.index.state()).total).toBe(1);
  });

  it('keeps both of two concurrent edits, also from two processes', async () => {
    const { observation } = await save('One');
    await using second = await openStorage({ file: test.place.file, backupsDir: test.place.backupsDir });
    await Promise.all([
      edit(observation.id, { title: 'Two' }),
      second.store.editObservation(observation.id, { narrative: 'Another' }, NOW),
      edit(observation.id, { pinned: true }),
    ]);
    expect(await byId(observation.id)).toMatchObject({ title: 'Two', narrative: 'Another', pinned: true });
  });

  it('returns null for an unknown id, and rejects an empty text or a duplicate', async () => {
    const one = (await save('One')).observation;
    const two = (await save('Two')).observation;
    expect(await edit(99, { title: 'x' })).toBeNull();
    await expect(edit(two.id, { title: 'One' })).rejects.toMatchObject({ code: 'storage/refused' });
    await expect(edit(one.id, { title: null, narrative: null, facts: [] })).rejects.toMatchObject({
      code: 'storage/refused',
    });
    expect(await byId(two.id)).toEqual(two);
  });

  it('limits the number of pinned records, and does not count superseded records', async () => {
    const ids: number[] = [];
    for (let number = 0; number <= MAX_PINNED; number += 1)
      ids.push((await save(`Number ${number}`)).observation.id);
    for (const id of ids.slice(0, MAX_PINNED)) await edit(id, { pinned: true });
    await expect(edit(ids.at(-1)!, { pinned: true })).rejects.toMatchObject({ code: 'storage/refused' });
    await edit(ids[0]!, { supersededBy: ids.at(-1)! });
    expect(await edit(ids.at(-1)!, { pinned: true })).toMatchObject({ pinned: true });
    const material = await test.storage.store.contextMaterial({
      projectId: 1,
      observations: 0,
      summaries: 0,
    });
    expect(material.pinned.map(({ id }) => id)).toEqual([...ids].reverse().slice(0, MAX_PINNED));
    expect(await edit(ids[0]!, { supersededBy: null })).toMatchObject({ supersededBy: null, pinned: true });
  });

  it('rejects a successor that is the record itself, its predecessor, superseded, or of another project', async () => {
    const [a, b, c] = [await save('A'), await save('B'), await save('C')].map(
      ({ observation }) => observation.id,
    );
    const other = (await save('D', { project: { key: '/repos/other', name: 'other' } })).observation.id;
    await edit(a!, { supersededBy: b! });
    for (const [old, by] of [
      [a, a],
      [b, a],
      [c, a],
      [c, other],
    ] as const)
      await expect(edit(old!, { supersededBy: by! }), `${old} by ${by}`).rejects.toMatchObject({
        code: 'storage/refused',
      });
    await expect(edit(c!, { supersededBy: 99 })).rejects.toMatchObject({ code: 'storage/unknown-record' });
    expect(await edit(b!, { supersededBy: c! })).toMatchObject({ supersededBy: c });
    expect(await edit(a!, { supersededBy: null })).toMatchObject({ supersededBy: null });
  });
});

describe('forget', () => {
  it('counts the records and changes nothing in a dry run', async () => {
    const { observation } = await save('One');
    expect(await forget({ ids: [observation.id, 99], dryRun: true })).toMatchObject({
      observations: 1,
      observationIds: [observation.id],
    });
    expect(await byId(observation.id)).toEqual(observation);
  });

  it('links the predecessor of a deleted record to its successor', async () => {
    const [a, b, c] = [await save('A'), await save('B'), await save('C')].map(
      ({ observation }) => observation.id,
    );
    await edit(a!, { supersededBy: b! });
    await edit(b!, { supersededBy: c! });
    await forget({ ids: [b!] });
    expect(await byId(a!)).toMatchObject({ supersededBy: c });
    await forget({ ids: [c!] });
    expect(await byId(a!)).toMatchObject({ supersededBy: null });
  });

  it('deletes the records, prompts, open messages and title of a session', async () => {
    const { sessionId, events } = await captureTurn();
    await test.storage.store.commitReply(
      reply(sessionId, { observations: [draft()], summary: summary(), memorySessionId: 'm-1' }),
    );
    const kept = (await save('Of another session')).observation;
    const waiting = (await test.storage.messages.counts()).pending;
    expect(waiting).toBeGreaterThan(0);
    expect(await forget({ sessionIds: [sessionId] })).toMatchObject({
      observations: 1,
      summaries: 1,
      prompts: 1,
      sessions: 1,
    });
    const { store, messages } = test.storage;
    expect(await store.stats()).toMatchObject({ observations: 1, summaries: 0, prompts: 0, sessions: 2 });
    expect(await messages.counts()).toMatchObject({ pending: 0, processing: 0, parked: 0 });
    expect((await store.stats()).outcomes.dropped).toBe(waiting);
    expect(await store.getSession(sessionId)).toMatchObject({
      userPrompt: null,
      title: null,
      memorySessionId: null,
      promptCounter: 1,
    });
    expect(await byId(kept.id)).toEqual(kept);
    const repeated = createEvents('host-1');
    const results = await store.capture([
      repeated.start(),
      repeated.prompt('please fix the parser'),
      repeated.toolUse({ toolName: 'Edit' }),
      repeated.turnEnd(),
    ]);
    expect(results.slice(1).map(({ kind }) => kind)).toEqual(['duplicate', 'duplicate', 'duplicate']);
    expect(await store.stats()).toMatchObject({ prompts: 0 });
    expect(await store.capture([events.prompt('something new')])).toMatchObject([
      { kind: 'stored', promptNumber: 2 },
    ]);
  });

  it('deletes all records of a project, also from sessions of other projects', async () => {
    const { sessionId } = await captureTurn();
    await test.storage.store.commitReply(reply(sessionId, { observations: [draft()] }));
    const session = { host: 'claude-code', contentSessionId: 'host-1' } as const;
    const other = await save('Of the other', { session, project: { key: '/repos/other', name: 'other' } });
    await save('Manual');
    const projectIds = [(await test.storage.store.findProject(SHOP.key))!.id];
    expect(await forget({ projectIds })).toMatchObject({ observations: 2, prompts: 1, sessions: 2 });
    expect((await test.storage.store.listObservations()).items).toEqual([other.observation]);
  });

  it('resets the observer session when a record of the session is deleted or edited', async () => {
    const { sessionId } = await captureTurn();
    const { store } = test.storage;
    const listProvided = async (title: string) => {
      const provided = reply(sessionId, { observations: [draft({ title })], memorySessionId: 'm-1' });
      return (await store.commitReply(provided)).observations[0]!.id;
    };
    const remembered = async () => (await store.getSession(sessionId))?.memorySessionId;
    const id = await listProvided('One');
    expect(await forget({ ids: [id], dryRun: true })).toMatchObject({ observedSessionIds: [sessionId] });
    expect(await remembered()).toBe('m-1');
    expect(await forget({ ids: [id] })).toMatchObject({ sessionIds: [], observedSessionIds: [sessionId] });
    expect(await remembered()).toBeNull();
    const other = await listProvided('Two');
    await edit(other, { pinned: true });
    expect(await remembered()).toBe('m-1');
    await edit(other, { title: 'Three' });
    expect(await remembered()).toBeNull();
  });

  it('restores a deleted record only on request, not by a late reply or an import', async () => {
    const { sessionId } = await captureTurn();
    const { store, messages } = test.storage;
    const waiting = await messages.list({ limit: 9 });
    const late = reply(sessionId, {
      observations: [draft()],
      summary: summary(),
      confirm: waiting.map(({ id }) => ({ id, outcome: 'stored' as const })),
    });
    await forget({ sessionIds: [sessionId] });
    expect(await store.commitReply(late)).toEqual({ observations: [], summary: null });

    const { observations } = await store.commitReply(reply(sessionId, { observations: [draft()] }));
    const { records: exported } = await store.exportRecords({ cursor: 'observation-0', limit: 9 });
    await forget({ ids: [observations[0]!.id] });
    expect((await store.commitReply(reply(sessionId, { observations: [draft()] }))).observations).toEqual([]);
    const copy = { ...exported[0]!, uid: 'another-uid' } as ImportedObservation;
    expect(await store.importRecords([exported[0]!, copy], { now: NOW })).toMatchObject({
      inserted: 0,
      known: 0,
      forgotten: 2,
    });
    expect(await store.importRecords(exported, { now: NOW, takeForgotten: true })).toMatchObject({
      inserted: 1,
      forgotten: 0,
    });
    const [again] = (await store.listObservations()).items;
    await forget({ ids: [again!.id] });
    expect(await remember()).toMatchObject({ isNew: true });
  });
});
