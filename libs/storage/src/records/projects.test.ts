import { expect, it } from 'vitest';
import { openTestStorage } from '../__fixtures__/open-test-storage.js';
import { draft } from '../__fixtures__/replies.js';

it('S05: keeps projects separate when their keys differ only in Unicode normalization', async () => {
  const test = await openTestStorage();
  const { store } = test.storage;
  const remember = (title: string, key: string) =>
    store.remember({
      draft: draft({ title }),
      project: { key, name: 'caf\u00e9' },
      session: null,
      pinned: false,
      supersedes: [],
      now: 1,
    });
  await remember('composed', '/w/caf\u00e9');
  await remember('decomposed', '/w/cafe\u0301');
  for (const [key, title] of [
    ['/w/caf\u00e9', 'composed'],
    ['/w/cafe\u0301', 'decomposed'],
  ] as const) {
    const project = await store.findProject(key);
    const material = await store.contextMaterial({
      projectId: project?.id ?? 0,
      observations: 5,
      summaries: 5,
    });
    expect([project?.key, material.observations.map((each) => each.title)]).toEqual([key, [title]]);
  }
  expect((await store.listProjects()).map(({ name }) => name)).toEqual(['caf\u00e9', 'caf\u00e9 (w)']);
  await test.dispose();
});
