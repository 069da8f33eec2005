import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nearestOf } from '../__fixtures__/nearest-of.js';
import { openTestMemory, START, type TestMemory } from '../__fixtures__/open-test-memory.js';
import type { Memory, Timeline, TimelineRequest } from '../memory.js';
import { createHashingEmbedder } from '../testing/create-hashing-embedder.js';

let test: TestMemory;
let memory: Memory;

beforeEach(async () => {
  test = await openTestMemory();
});
afterEach(() => test[Symbol.asyncDispose]());

/** Each entry by its text. */
const words = ({ entries }: Timeline) =>
  entries.map(({ kind, item }) =>
    kind === 'observation' ? item.title : kind === 'summary' ? item.completed : item.promptText,
  );
const at = (minutes: number) => START + minutes * 60_000;

describe('timeline', () => {
  it('B080: accepts every notation of an ID and keeps a depth of 0', async () => {
    const ids = [];
    for (let number = 0; number < 130; number += 1)
      ids.push((await test.remember({ title: `Record ${number}`, session: `s${number}` })).id);
    expect(ids).toContain(123);
    memory = await test.open();
    const answers = await Promise.all(
      [123, '123', ' 123 ', '#123'].map((anchor) => memory.timeline({ anchor, before: 2, after: 1 })),
    );
    for (const answer of answers) {
      expect(answer.entries.map(({ item }) => item.id)).toEqual([121, 122, 123, 124]);
      expect(answer.anchorIndex).toBe(2);
    }
    const alone = await memory.timeline({ anchor: '123', before: 0, after: 0 });
    expect(alone.entries.map(({ item }) => item.id)).toEqual([123]);
    expect(alone.anchorIndex).toBe(0);
    await expect(memory.timeline({ anchor: 'abc' })).rejects.toMatchObject({
      code: 'search/bad-request',
      message: expect.stringContaining('anchor must be an id') as string,
    });
    expect((await memory.timeline({ anchor: 123 })).entries).toHaveLength(18);
  });

  it('contains prompts, observations and summaries in chronological order', async () => {
    await test.ask('Make it faster', { at: at(0) });
    const measured = await test.remember({ title: 'Measured it', at: at(1) });
    const summary = await test.summarize({ completed: 'It is faster', at: at(2) });
    await test.remember({ title: 'Elsewhere', at: at(1), project: 'blog' });
    await test.ask('And smaller', { at: at(3) });
    memory = await test.open();
    const around = (request: Partial<TimelineRequest>) =>
      memory.timeline({ anchor: measured.id, project: 'shop', ...request });
    expect(words(await around({}))).toEqual(['Make it faster', 'Measured it', 'It is faster', 'And smaller']);
    expect((await around({})).entries.map(({ project }) => project)).toEqual(Array(4).fill('shop'));
    expect(words(await around({ project: undefined as never }))).toContain('Elsewhere');
    const bySummary = await around({ anchor: `S${summary.id}`, before: 1, after: 1 });
    expect(words(bySummary)).toEqual(['Measured it', 'It is faster', 'And smaller']);
    const byPrompt = await around({ anchor: 'P1', before: 1, after: 1 });
    expect(words(byPrompt)).toEqual(['Make it faster', 'Measured it']);
    expect(byPrompt.anchorIndex).toBe(0);
  });

  it('is cut between records of the same time when the depth is reached', async () => {
    const ids = [];
    for (let number = 0; number < 5; number += 1)
      ids.push((await test.remember({ title: `Record ${number}`, at: START })).id);
    memory = await test.open();
    const { entries, anchorIndex } = await memory.timeline({ anchor: ids[2] as number, before: 1, after: 1 });
    expect(entries.map(({ item }) => item.id)).toEqual(ids.slice(1, 4));
    expect(anchorIndex).toBe(1);
  });

  it('reports the position of a time between its entries', async () => {
    await test.remember({ title: 'Before', at: at(0) });
    await test.remember({ title: 'After', at: at(10) });
    memory = await test.open();
    const find = async (anchor: string) => {
      const timeline = await memory.timeline({ anchor });
      return [words(timeline), timeline.anchorIndex];
    };
    expect(await find(new Date(at(5)).toISOString())).toEqual([['Before', 'After'], 1]);
    expect(await find(new Date(at(0)).toISOString())).toEqual([['Before', 'After'], 0]);
    expect(await find(new Date(at(99)).toISOString())).toEqual([['Before', 'After'], 2]);
    const cut = await memory.timeline({ anchor: new Date(at(5)).toISOString(), before: 0, after: 1 });
    expect([words(cut), cut.anchorIndex]).toEqual([['After'], 0]);
  });

  it('is centred on the best result of a query', async () => {
    await test.remember({ title: 'Nothing of note' });
    await test.remember({ title: 'The webhook is signed' });
    memory = await test.open();
    const timeline = await memory.timeline({ anchor: { query: 'signed webhook' } });
    expect(words(timeline)).toEqual(['Nothing of note', 'The webhook is signed']);
    expect(timeline.anchorIndex).toBe(1);
    expect(timeline.degraded).toMatchObject([{ part: 'vectors' }]);
  });

  it('reports when no record contains the words of its query', async () => {
    const { id } = await test.remember({ title: 'The webhook is signed' });
    memory = await test.open({ vectors: nearestOf([{ id }]), embedder: createHashingEmbedder() });
    const reasons = async (query: string, project?: string) => {
      const { entries, degraded } = await memory.timeline({ anchor: { query }, ...(project && { project }) });
      expect(entries).toHaveLength(1);
      return degraded.map(({ reason }) => reason);
    };
    expect(await reasons('flurbish dworkle')).toEqual([
      expect.stringContaining('no record contains these words'),
    ]);
    expect(await reasons('flurbish dworkle', 'shop')).toEqual([
      expect.stringContaining('no record of this selection contains these words'),
    ]);
    expect(await reasons('signed webhook')).toEqual([]);
  });

  it('is empty when the anchor does not exist or is in another project', async () => {
    const { id } = await test.remember({ title: 'Here' });
    await test.remember({ title: 'Other', project: 'blog' });
    memory = await test.open();
    const nothing = { entries: [], anchorIndex: null };
    for (const anchor of [999, 'S1', 'P999', { query: 'absent' }])
      expect(await memory.timeline({ anchor })).toMatchObject(nothing);
    expect(await memory.timeline({ anchor: id, project: 'blog' })).toMatchObject(nothing);
    expect(await memory.timeline({ anchor: id, project: 'no such' })).toMatchObject(nothing);
  });

  it('B078: does not contain a deleted record and does not accept one as anchor', async () => {
    const gone = await test.remember({ title: 'Gone' });
    const kept = await test.remember({ title: 'Kept' });
    memory = await test.open();
    expect(words(await memory.timeline({ anchor: kept.id }))).toEqual(['Gone', 'Kept']);
    await test.storage.store.forget({ ids: [gone.id], now: 0 });
    expect(words(await memory.timeline({ anchor: kept.id }))).toEqual(['Kept']);
    expect((await memory.timeline({ anchor: gone.id })).anchorIndex).toBeNull();
  });
});
