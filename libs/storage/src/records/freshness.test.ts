import type { FileState, Freshness, ImportedRecord } from '@claude-mem/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEvents } from '../__fixtures__/events.js';
import { openTestStorage, type TestStorage } from '../__fixtures__/open-test-storage.js';
import { draft, reply } from '../__fixtures__/replies.js';

let test: TestStorage;
beforeEach(async () => {
  test = await openTestStorage();
});
afterEach(() => test.dispose());

const NOW = Date.UTC(2026, 0, 3);
const COMMIT = 'c'.repeat(40);
const STATES: readonly FileState[] = [
  { path: 'src/date.ts', role: 'modified', blob: 'b'.repeat(40) },
  { path: 'src/old.ts', role: 'deleted', blob: null },
  { path: 'src/date.test.ts', role: 'read', blob: null },
];
const FRESHNESS: Freshness = {
  verdict: 'gone',
  fileCount: 1,
  staleCount: 1,
  files: [{ path: 'src/date.ts', verdict: 'gone', commits: null, movedTo: null }],
  branch: null,
};
const store = () => test.storage.store;

async function commit(title = 'Dates', head = { branch: 'main', commit: COMMIT }) {
  const [captured] = await store().capture([createEvents(`host-${title}`).prompt('one', { head })]);
  const { observations } = await store().commitReply(
    reply(captured!.sessionId, {
      observations: [{ ...draft({ title }), fileStates: STATES }],
    }),
  );
  return observations[0]!;
}

const filesOf = async ({ id, projectId }: { id: number; projectId: number }) =>
  (await store().listObservationFiles({ projectId, limit: 500 })).find(
    ({ observationId }) => observationId === id,
  );

const judge = (observationId: number, freshness = FRESHNESS) =>
  store().setFreshness([{ observationId, checkout: '/home/dev/shop', headCommit: COMMIT, freshness }]);

describe('the file states of a record', () => {
  it('are stored with the commit that was checked out at the prompt, separately from the record', async () => {
    const observation = await commit();
    expect(observation).not.toHaveProperty('fileStates');
    expect(await store().observationsByIds([observation.id])).toEqual([observation]);
    expect(await filesOf(observation)).toEqual({
      observationId: observation.id,
      files: STATES,
      head: { branch: 'main', commit: COMMIT },
    });
  });

  it.each(['["x"]', '{"path":"a"}', '[{"path":"a","role":"other"},{"role":"read"}]', '[{"path'])(
    'are empty when the stored list is %s',
    async (json) => {
      const observation = await commit();
      test.tamper((database) => database.prepare('UPDATE observations SET file_states = ?').run(json));
      expect(await filesOf(observation)).toMatchObject({ files: [] });
      expect(await store().observationsByIds([observation.id])).toHaveLength(1);
    },
  );

  it('are dropped when a person edits the text, and kept when a person pins the record', async () => {
    const observation = await commit();
    await judge(observation.id);
    await store().editObservation(observation.id, { pinned: true }, NOW);
    expect(await filesOf(observation)).toMatchObject({ files: STATES });
    expect(await store().freshnessOf([observation.id])).toHaveLength(1);
    await store().editObservation(observation.id, { title: 'Other' }, NOW);
    expect(await filesOf(observation)).toBeUndefined();
    expect(await store().freshnessOf([observation.id])).toEqual([]);
  });

  it('are listed newest first, without superseded records', async () => {
    const [first, second, third] = [await commit('a'), await commit('b'), await commit('c')];
    await store().editObservation(second.id, { supersededBy: third.id }, NOW);
    const list = (more: object = {}) =>
      store().listObservationFiles({ projectId: first.projectId, limit: 10, ...more });
    expect((await list()).map(({ observationId }) => observationId)).toEqual([third.id, first.id]);
    expect(await list({ beforeId: third.id })).toMatchObject([{ observationId: first.id }]);
    expect(await list({ limit: 1 })).toMatchObject([{ observationId: third.id }]);
  });

  it('are restored when a deletion is undone, except for a record that had none', async () => {
    const [first, second] = [await commit('a'), await commit('b')];
    const forget = async (id: number) =>
      (await store().forget({ ids: [id], now: NOW, undoUntil: NOW + 1_000 })).forgetId!;
    const [one, other] = [await forget(first.id), await forget(second.id)];
    test.tamper((database) =>
      database
        .prepare(`UPDATE forget_bin_rows SET data = json_remove(data, '$.file_states') WHERE bin_id = ?`)
        .run(other),
    );
    await store().undoForget(one, NOW + 1);
    await store().undoForget(other, NOW + 1);
    expect(await filesOf(first)).toMatchObject({ files: STATES });
    expect(await filesOf(second)).toBeUndefined();
    expect(await store().observationsByIds([second.id])).toHaveLength(1);
  });

  it('are restored with the prompt when the deletion of a session is undone', async () => {
    const observation = await commit();
    const { forgetId } = await store().forget({
      sessionIds: [observation.sessionId],
      now: NOW,
      undoUntil: NOW + 1_000,
    });
    await store().undoForget(forgetId!, NOW + 1);
    expect(await filesOf(observation)).toMatchObject({
      files: STATES,
      head: { branch: 'main', commit: COMMIT },
    });
  });

  it('are restored when an export is imported', async () => {
    await commit();
    const { records } = await store().exportRecords({ cursor: null, limit: 100 });
    const heads = records.filter(
      (record): record is ImportedRecord & { kind: 'prompt' } => record.kind === 'prompt',
    );
    expect(heads).toMatchObject([{ branch: 'main', headCommit: COMMIT }]);
    await using other = await openTestStorage();
    await other.storage.store.importRecords(records, { now: NOW });
    const [project] = await other.storage.store.listProjects();
    const request = { projectId: project!.id, limit: 10 };
    expect(await other.storage.store.listObservationFiles(request)).toMatchObject([
      { files: STATES, head: { branch: 'main', commit: COMMIT } },
    ]);
  });
});

describe('the freshness of a record', () => {
  it('is replaced by a newer result, and ignored for a record that does not exist', async () => {
    const { id } = await commit();
    await judge(id, { ...FRESHNESS, verdict: 'changed' });
    await judge(id);
    await judge(id + 1);
    expect(await store().freshnessOf([id, id + 1])).toEqual([
      { observationId: id, checkout: '/home/dev/shop', headCommit: COMMIT, freshness: FRESHNESS },
    ]);
  });

  it('is listed as stale when files were changed, moved or deleted', async () => {
    const verdicts = ['fresh', 'changed', 'moved', 'gone', 'unknown'] as const;
    const ids = [];
    for (const verdict of verdicts) {
      const { id } = await commit(verdict);
      await judge(id, { ...FRESHNESS, verdict });
      ids.push(id);
    }
    const [project] = await store().listProjects();
    const listed = async (projectIds?: number[]) =>
      (await store().listStale({ limit: 10, ...(projectIds && { projectIds }) })).map(
        ({ freshness }) => freshness.verdict,
      );
    expect(await listed()).toEqual(['gone', 'moved', 'changed']);
    expect(await listed([project!.id])).toEqual(['gone', 'moved', 'changed']);
    expect(await listed([project!.id + 1])).toEqual([]);
    expect(await store().listStale({ limit: 10, offset: 2 })).toMatchObject([{ observationId: ids[1] }]);
    await store().editObservation(ids[3]!, { supersededBy: ids[0]! }, NOW);
    expect(await listed()).toEqual(['moved', 'changed']);
  });

  it('is deleted with its record', async () => {
    const { id } = await commit();
    await judge(id);
    await store().forget({ ids: [id], now: NOW });
    const rows = test.tamper((database) => database.prepare('SELECT * FROM observation_freshness').all());
    expect(rows).toEqual([]);
  });
});
