import { QueryClient } from '@tanstack/react-query';
import type { WorkerClient } from '@claude-mem/worker-protocol';
import { expect, it } from 'vitest';
import { createRecordActions, UNDO_SECONDS } from './record-actions.js';
import { observationOf } from './testing/observation-of.js';

const KEY = ['feed', {}];
const one = observationOf({ id: 1 });
const two = observationOf({ id: 2 });

type Routes = Pick<WorkerClient, 'editObservation' | 'forget' | 'undoForget' | 'listForgotten'>;
interface Notice {
  id: string;
  title: string;
  actionProps?: { onClick?: () => void };
}

const refuse = () => Promise.reject(new Error('This action is not available here.'));

function openActions(routes: Partial<Routes>) {
  const cache = new QueryClient();
  cache.setQueryData(KEY, { items: [{ item: one }, { item: two }] });
  const shown: Notice[] = [];
  let count = 0;
  const actions = createRecordActions({
    worker: { editObservation: refuse, forget: refuse, undoForget: refuse, listForgotten: refuse, ...routes },
    cache,
    notices: {
      add(notice) {
        const id = String((count += 1));
        shown.push({ ...(notice as Omit<Notice, 'id'>), id });
        return id;
      },
      close: (id) => {
        shown.splice(0, shown.length, ...shown.filter((notice) => notice.id !== id));
      },
    },
  });
  const items = () => cache.getQueryData<{ items: { item: typeof one }[] }>(KEY)?.items ?? [];
  return { actions, cache, items, shown };
}

const FORGOTTEN = {
  observations: 1,
  summaries: 0,
  prompts: 0,
  sessions: 0,
  titles: [],
  isErased: false,
  backups: 0,
  undo: { forgetId: 9, finalAtEpoch: Date.now() + 30_000 },
  notes: [],
};

it('pinning is shown before the worker responds', async () => {
  let answer = (): void => undefined;
  const { actions, items } = openActions({
    editObservation: () =>
      new Promise((resolve) => {
        answer = () => resolve({ ...one, pinned: true, updatedAtEpoch: 2_000, notes: [] });
      }),
  });
  const done = actions.setPinned(one, true);
  expect(items()[0]?.item.pinned).toBe(true);
  answer();
  await done;
  expect(items()[0]?.item).toEqual({ ...one, pinned: true, updatedAtEpoch: 2_000 });
});

it('pinning is reverted with the error message when the worker refuses it', async () => {
  const { actions, items, shown } = openActions({});
  await actions.setPinned(one, true);
  expect(items()[0]?.item.pinned).toBe(false);
  expect(shown).toMatchObject([
    { title: '#1 could not be pinned', description: 'This action is not available here.' },
  ]);
});

it('deleting removes the record from every list and offers an undo', async () => {
  const undone: number[] = [];
  const { actions, items, shown } = openActions({
    forget: ({ body } = { body: {} }) => {
      expect(body).toEqual({ ids: [1], undoSeconds: UNDO_SECONDS });
      return Promise.resolve(FORGOTTEN);
    },
    undoForget: ({ params }) => {
      undone.push(params.id);
      return Promise.resolve({
        restored: { observations: 1, summaries: 0, prompts: 0, sessions: 0, messages: 0 },
        notes: [],
      });
    },
  });
  expect(await actions.forget([one])).toBe(true);
  expect(items()).toEqual([{ item: two }]);
  expect(shown).toMatchObject([{ title: 'Forgot #1' }]);
  shown[0]?.actionProps?.onClick?.();
  await expect.poll(() => shown.map(({ title }) => title)).toEqual(['Restored']);
  expect(undone).toEqual([9]);
});

it('undo of the latest deletion calls the worker once', async () => {
  let undone = 0;
  const { actions } = openActions({
    forget: () => Promise.resolve(FORGOTTEN),
    undoForget: () => {
      undone += 1;
      return Promise.reject(new Error('It is final.'));
    },
  });
  expect(await actions.undoLatest()).toBe(false);
  await actions.forget([one]);
  expect(await actions.undoLatest()).toBe(false);
  expect(await actions.undoLatest()).toBe(false);
  expect(undone).toBe(1);
});

it('a refused deletion changes no list', async () => {
  const { actions, items, shown } = openActions({});
  expect(await actions.forget([one, two])).toBe(false);
  expect(items()).toHaveLength(2);
  expect(shown).toMatchObject([{ title: '2 observations could not be forgotten' }]);
});

it('the undo offer is removed when the deletion was undone elsewhere, and remains when the worker does not respond', async () => {
  let answer: () => Promise<{ items: { forgetId: number }[] }> = refuse;
  const { actions, shown } = openActions({
    forget: () => Promise.resolve(FORGOTTEN),
    listForgotten: () => answer() as ReturnType<Routes['listForgotten']>,
  });
  await actions.forget([one]);
  for (const items of [null, [{ forgetId: 9 }]]) {
    if (items !== null) answer = () => Promise.resolve({ items });
    await actions.checkUndoable();
    expect(shown).toMatchObject([{ title: 'Forgot #1' }]);
  }
  answer = () => Promise.resolve({ items: [{ forgetId: 8 }] });
  await actions.checkUndoable();
  expect(shown).toEqual([]);
  expect(await actions.undoLatest()).toBe(false);
  expect(shown).toEqual([]);
});
