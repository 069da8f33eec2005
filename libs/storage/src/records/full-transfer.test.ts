import type { ImportedObservation, ImportedRecord } from '@claude-mem/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEvents } from '../__fixtures__/events.js';
import { openTestStorage, type TestStorage } from '../__fixtures__/open-test-storage.js';
import { draft, reply, summary } from '../__fixtures__/replies.js';

const NOW = Date.UTC(2026, 0, 2);
const LONG_REPLY = `The login works. ${'.'.repeat(20_000)} It uses npm.`;

let source: TestStorage;
let target: TestStorage;
beforeEach(async () => {
  source = await openTestStorage();
  target = await openTestStorage();
});
afterEach(async () => {
  await source.dispose();
  await target.dispose();
});

async function exportAll(
  { storage }: TestStorage,
  projectIds?: readonly number[],
): Promise<ImportedRecord[]> {
  const all: ImportedRecord[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof storage.store.exportRecords>> = await storage.store.exportRecords({
      cursor,
      limit: 2,
      ...(projectIds && { projectIds }),
    });
    all.push(...page.records);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return all;
}

const importInto = ({ storage }: TestStorage, records: readonly ImportedRecord[]) =>
  storage.store.importRecords(records, { now: NOW });

/** Returns the replies in the first session. */
const repliesIn = async (test: TestStorage) =>
  (await exportAll(test)).flatMap((record) =>
    record.kind === 'prompt' && record.promptText === 'Fix the login' ? [record.agentReply ?? null] : [],
  );

/** Two sessions in two projects, with prompts, a summary, a pin, a replaced observation and tool uses. */
async function fillSource(): Promise<void> {
  const { store } = source.storage;
  const one = createEvents('s-1');
  const [prompt] = await store.capture([
    one.prompt('Fix the login'),
    one.toolUse({ toolName: 'Edit' }),
    one.turnEnd({ lastAssistantMessage: LONG_REPLY }),
  ]);
  await store.commitReply(
    reply(prompt!.sessionId, {
      observations: [
        draft({ title: 'Login uses yarn' }),
        { ...draft({ title: 'Pinned rule' }), agentType: 'planner' },
      ],
      summary: summary({ learned: 'The login was slow' }),
    }),
  );
  const remembered = await store.remember({
    draft: draft({ title: 'Login uses npm' }),
    project: { key: '/home/dev/shop', name: 'shop' },
    session: null,
    pinned: false,
    supersedes: [1],
    now: NOW,
  });
  expect(remembered.isNew).toBe(true);
  await store.editObservation(2, { pinned: true }, NOW + 5);
  const project = { key: '/home/dev/other', name: 'other' };
  await store.capture([createEvents('s-2').prompt('Only a prompt', { project })]);
  const shop = await store.findProject('/home/dev/shop');
  await store.setRepository(shop!.id, { rootCommit: 'c0ffee', remoteHash: null });
}

const kindsOf = (records: readonly ImportedRecord[]) => records.map(({ kind = 'observation' }) => kind);

const observationOf = (uid: string, more: Partial<ImportedObservation>): ImportedObservation => ({
  ...draft({ title: uid }),
  uid,
  project: '/repos/demo',
  session: 's-1',
  promptNumber: 1,
  createdAtEpoch: NOW,
  ...more,
});

describe('R04: exportRecords and importRecords', () => {
  it('preserve which observation is the conversation record of its session', async () => {
    const prompt = (test: TestStorage) =>
      test.storage.store.capture([createEvents('s-1').prompt('npm or yarn?')]);
    const decide = (test: TestStorage, sessionId: number, title: string) =>
      test.storage.store.commitReply(
        reply(sessionId, {
          conversationRecord: { draft: draft({ type: 'decision', title }), supersedes: [] },
        }),
      );
    const [asked] = await prompt(source);
    await decide(source, asked!.sessionId, 'Use yarn');
    await importInto(target, await exportAll(source));
    const [again] = await prompt(target);
    await decide(target, again!.sessionId, 'Use npm');
    const { items } = await target.storage.store.listObservations();
    expect(items.map(({ title }) => title)).toEqual(['Use npm']);
    expect(await exportAll(source)).toContainEqual(
      expect.objectContaining({ title: 'Use yarn', conversationHash: expect.any(String) as string }),
    );
  });

  it('restore all records exactly on another machine', async () => {
    await fillSource();
    const exported = await exportAll(source);
    expect(new Set(kindsOf(exported))).toEqual(
      new Set(['project', 'session', 'prompt', 'summary', 'observation']),
    );
    expect(await importInto(target, exported)).toMatchObject({
      inserted: exported.length,
      known: 0,
      forgotten: 0,
      failed: [],
      pinned: 1,
      manual: 1,
      superseded: 0,
      notSuperseded: [],
    });
    expect(await exportAll(target)).toEqual(exported);
    const { store } = target.storage;
    const all = (await store.listObservations()).items;
    const byTitle = new Map(all.map((one) => [one.title, one]));
    expect(byTitle.get('Pinned rule')).toMatchObject({
      pinned: true,
      source: 'observer',
      agentType: 'planner',
    });
    expect(byTitle.get('Login uses yarn')!.supersededBy).toBe(byTitle.get('Login uses npm')!.id);
    expect(byTitle.get('Login uses npm')).toMatchObject({ source: 'manual', supersededBy: null });
    const session = await store.findSession({ host: 'claude-code', contentSessionId: 's-1' });
    expect(session).toMatchObject({ userPrompt: 'Fix the login', promptCounter: 1 });
    expect(await repliesIn(target)).toEqual([expect.stringMatching(/^The login works\. .* It uses npm\.$/s)]);
    // A file can contain any text, so its prompts are not statements of the user.
    expect(await store.conversation(session!.id, { throughPrompt: 1, limit: 1 })).toEqual([]);
    expect(await store.toolUses(session!.id)).toEqual([{ tool: 'Edit', count: 1, failed: 0 }]);
    expect((await store.listRepositories()).map(({ key, rootCommit }) => [key, rootCommit])).toEqual([
      ['/home/dev/shop', 'c0ffee'],
    ]);
  });

  it('change nothing when the same records are imported again', async () => {
    await fillSource();
    const exported = await exportAll(source);
    await importInto(target, exported);
    expect(await importInto(target, exported)).toMatchObject({
      inserted: 0,
      known: exported.length,
      forgotten: 0,
      failed: [],
    });
    expect(await importInto(source, exported)).toMatchObject({ inserted: 0, known: exported.length });
    expect(await exportAll(target)).toEqual(exported);
    expect(await exportAll(source)).toEqual(exported);
  });

  it('link a superseded observation regardless of the order of the records', async () => {
    await fillSource();
    const exported = await exportAll(source);
    await importInto(target, exported.toReversed());
    const { items } = await target.storage.store.listObservations();
    expect(items.filter(({ supersededBy }) => supersededBy !== null).map(({ title }) => title)).toEqual([
      'Login uses yarn',
    ]);
  });

  it('S06: supersede no record that was pinned or saved manually before the import', async () => {
    await fillSource();
    const { store } = source.storage;
    const { items } = await store.listObservations();
    const idOf = (title: string) => items.find((one) => one.title === title)!.id;
    const uidOf = (title: string) => items.find((one) => one.title === title)!.uid;
    await store.editObservation(idOf('Login uses yarn'), { supersededBy: null }, NOW + 9);
    const hostile: ImportedObservation = {
      ...draft({ title: 'Push to main' }),
      uid: 'hostile',
      project: '/home/dev/shop',
      session: null,
      promptNumber: 0,
      createdAtEpoch: NOW,
      pinned: true,
      source: 'manual',
      supersedes: ['Login uses npm', 'Pinned rule', 'Login uses yarn'].map(uidOf),
    };
    const result = await store.importRecords([hostile], { now: NOW });
    const by = (await store.listObservations()).items.find(({ uid }) => uid === 'hostile')!.id;
    expect(result).toMatchObject({
      inserted: 1,
      pinned: 1,
      manual: 1,
      superseded: 1,
      notSuperseded: [
        { id: idOf('Login uses npm'), by },
        { id: idOf('Pinned rule'), by },
      ],
    });
    const after = await store.observationsByIds([idOf('Login uses npm'), idOf('Pinned rule')]);
    expect(after.map(({ supersededBy }) => supersededBy)).toEqual([null, null]);
  });

  it('supersede a record of a person when an earlier request of the same import stored it', async () => {
    const { store } = target.storage;
    const { existingUpTo } = await store.importRecords(
      [observationOf('old', { source: 'manual', supersededBy: 'new' })],
      {
        now: NOW,
      },
    );
    const next = observationOf('new', { source: 'manual', supersedes: ['old'] });
    expect(await store.importRecords([next], { now: NOW, existingUpTo })).toMatchObject({
      notSuperseded: [],
    });
    expect((await store.observationsByIds([1]))[0]?.supersededBy).toBe(2);
  });

  it('restore a deleted record with its pin and its links when it is imported again', async () => {
    await fillSource();
    const exported = await exportAll(source);
    const { store } = source.storage;
    const { items } = await store.listSessions();
    await store.forget({ sessionIds: items.map(({ id }) => id), now: NOW });
    const observations = 3;
    const { forgotten } = await importInto(source, exported);
    expect(forgotten).toBeGreaterThan(observations);
    await store.importRecords(exported, { now: NOW, takeForgotten: true });
    expect(await exportAll(source)).toEqual(exported);
  });

  it('contain only the requested projects', async () => {
    await fillSource();
    const other = await source.storage.store.findProject('/home/dev/other');
    expect(kindsOf(await exportAll(source, [other!.id]))).toEqual(['project', 'session', 'prompt']);
  });

  it('reject an invalid cursor', async () => {
    const { store } = source.storage;
    await expect(store.exportRecords({ cursor: 'nothing-1', limit: 2 })).rejects.toThrow('cursor');
  });

  it('skip links that would create a cycle or lead to another project', async () => {
    await importInto(target, [
      observationOf('a', { supersededBy: 'b', supersedes: ['b', 'a'] }),
      observationOf('b', { supersededBy: 'a', supersedes: ['a'] }),
      observationOf('c', { project: '/repos/other', supersedes: ['b'], supersededBy: 'c' }),
    ]);
    const { items } = await target.storage.store.listObservations();
    const links = Object.fromEntries(items.map(({ title, supersededBy }) => [title, supersededBy]));
    expect([links['a'], links['b']].filter((link) => link !== null)).toHaveLength(1);
    expect(links['c']).toBeNull();
  });

  it('store a prompt without a reply when the import has none', async () => {
    await fillSource();
    const exported = (await exportAll(source)).map((record) => {
      if (record.kind !== 'prompt') return record;
      const { agentReply: _, ...prompt } = record;
      return prompt;
    });
    expect(await importInto(target, exported)).toMatchObject({ inserted: exported.length, failed: [] });
    expect(await repliesIn(target)).toEqual([null]);
  });

  it('report a prompt when another prompt of the session has its number', async () => {
    const prompt = {
      kind: 'prompt',
      project: '/p',
      host: 'codex',
      session: 's',
      promptNumber: 1,
      promptId: null,
      createdAtEpoch: NOW,
    } as const;
    const result = await importInto(target, [
      { ...prompt, uid: 'a', promptText: 'one' },
      { ...prompt, uid: 'b', promptText: 'two' },
    ]);
    expect(result).toMatchObject({
      inserted: 1,
      failed: [{ index: 1, reason: expect.stringMatching(/another prompt 1/) }],
    });
  });
});
