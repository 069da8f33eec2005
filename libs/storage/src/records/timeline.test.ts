import type { RecordPosition, TimelineRecord } from '@claude-mem/core';
import { randomFrom } from '@claude-mem/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEvents } from '../__fixtures__/events.js';
import { openTestStorage, type TestStorage } from '../__fixtures__/open-test-storage.js';
import { draft, reply, summary } from '../__fixtures__/replies.js';

let test: TestStorage;
beforeEach(async () => {
  test = await openTestStorage();
});
afterEach(() => test.dispose());

const KINDS = ['prompt', 'observation', 'summary'];
const nameOf = ({ kind, item }: TimelineRecord) => `${kind} ${item.id}`;

/** Stores turns in two projects. Their records often have the same time. */
async function seed(turns: number): Promise<{ all: readonly TimelineRecord[]; projects: readonly number[] }> {
  const { store } = test.storage;
  const random = randomFrom(3);
  const sessions = ['/p/one', '/p/two'].map((key) => ({
    events: createEvents(key),
    place: { cwd: key, projectDir: key, project: { key, name: key } },
  }));
  const projects = new Set<number>();
  for (let turn = 0; turn < turns; turn += 1) {
    const { events, place } = sessions[Math.floor(random() * 2)]!;
    const now = Date.UTC(2026, 0, 1) + Math.floor(turn / 3) * 1_000;
    const [first] = await store.capture([events.prompt(`turn ${turn}`, { ...place, occurredAtEpoch: now })]);
    projects.add(first!.projectId);
    const observations = Array.from({ length: Math.floor(random() * 3) }, (_, n) =>
      draft({ title: `${turn}.${n}` }),
    );
    const more = random() < 0.5 ? { summary: summary({ request: `${turn}` }) } : {};
    await store.commitReply(
      reply(first!.sessionId, { observations, ...more, now, promptNumber: first!.promptNumber }),
    );
  }
  const limit = 500;
  const all: TimelineRecord[] = [
    ...(await store.listPrompts({ limit })).items.map((item) => ({ kind: 'prompt' as const, item })),
    ...(await store.listObservations({ limit })).items.map((item) => ({
      kind: 'observation' as const,
      item,
    })),
    ...(await store.listSummaries({ limit })).items.map((item) => ({ kind: 'summary' as const, item })),
  ];
  all.sort(
    (a, b) =>
      a.item.createdAtEpoch - b.item.createdAtEpoch ||
      KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
      a.item.id - b.item.id,
  );
  return { all, projects: [...projects] };
}

describe('recordsAround', () => {
  it('returns the nearest records of all kinds in order, around each record and each time', async () => {
    const { all } = await seed(30);
    const around = async (at: RecordPosition, before: number, after: number) =>
      (await test.storage.store.recordsAround({ at, before, after })).map(nameOf);
    const names = all.map(nameOf);
    for (const [place, { kind, item }] of all.entries()) {
      const at = { epoch: item.createdAtEpoch, kind, id: item.id };
      expect(await around(at, 4, 3)).toEqual(names.slice(Math.max(0, place - 4), place + 4));
      expect(await around(at, 0, 0)).toEqual([names[place]]);
      const start = all.findIndex(({ item: { createdAtEpoch } }) => createdAtEpoch >= item.createdAtEpoch);
      const moment = { epoch: item.createdAtEpoch };
      expect(await around(moment, 2, 5)).toEqual(names.slice(Math.max(0, start - 2), start + 5));
    }
    expect(await around({ epoch: 0 }, 5, 2)).toEqual(names.slice(0, 2));
    expect(await around({ epoch: 9e15 }, 2, 5)).toEqual(names.slice(-2));
  });

  it('returns only records of the requested projects, including prompts', async () => {
    const { all, projects } = await seed(30);
    const at = { epoch: 0 };
    const ofProjects = async (projectIds: readonly number[]) =>
      (await test.storage.store.recordsAround({ at, before: 0, after: 500, projectIds })).map(nameOf);
    const prompts = await test.storage.store.listPrompts({ projectId: projects[0]!, limit: 500 });
    const inFirst = new Set(prompts.items.map(({ id }) => id));
    const expected = all.filter(({ kind, item }) =>
      kind === 'prompt' ? inFirst.has(item.id) : item.projectId === projects[0],
    );
    expect(expected.length).toBeGreaterThan(5);
    expect(await ofProjects([projects[0]!])).toEqual(expected.map(nameOf));
    expect(await ofProjects(projects)).toEqual(all.map(nameOf));
    expect(await ofProjects([])).toEqual([]);
  });

  it('reads a large database through its indexes', () => {
    test.tamper((database) => {
      const plan = (sql: string) =>
        (database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[]).map(
          ({ detail }) => detail,
        );
      for (const table of ['user_prompts', 'observations', 'session_summaries'])
        for (const project of ['', 'project_id = 1 AND']) {
          const detail = plan(
            `SELECT id FROM ${table} WHERE ${project} (created_at_epoch, id) < (5, 5) ORDER BY created_at_epoch DESC, id DESC LIMIT 5`,
          );
          expect(detail).toEqual([expect.stringMatching(/^SEARCH .* USING (COVERING )?INDEX/)]);
        }
    });
  });
});

it('returns records in the order of the requested IDs, each once', async () => {
  const { store } = test.storage;
  await seed(12);
  const ids = async (found: Promise<readonly { id: number }[]>) => (await found).map(({ id }) => id);
  expect(await ids(store.observationsByIds([3, 1, 3, 999, 2]))).toEqual([3, 1, 2]);
  expect(await ids(store.summariesByIds([2, 1]))).toEqual([2, 1]);
  expect(await ids(store.promptsByIds([5, 4]))).toEqual([5, 4]);
  expect(await ids(store.sessionsByIds([2, 1, 7]))).toEqual([2, 1]);
  expect(await store.observationsByIds([])).toEqual([]);
});

it('returns the newest summary of each session', async () => {
  const { store } = test.storage;
  await seed(20);
  const { items } = await store.listSummaries({ limit: 500 });
  const newest = new Map([...items].reverse().map(({ id, sessionId }) => [sessionId, id]));
  expect(newest.size).toBe(2);
  const found = await store.latestSummaries([2, 1, 99]);
  expect(new Map(found.map(({ id, sessionId }) => [sessionId, id]))).toEqual(newest);
});
