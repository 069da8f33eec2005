import { randomFrom } from '@claude-mem/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMPTY_OBSERVATION } from '../__fixtures__/empty-observation.js';
import { openTestMemory, START, type TestMemory } from '../__fixtures__/open-test-memory.js';
import type { FeedEntry, FeedFilter, FeedPage, FeedRequest, Memory } from '../memory.js';

const TYPES = ['bugfix', 'feature', 'decision', 'discovery'];
const CONCEPTS = ['gotcha', 'pattern', 'trade-off'];
const FILES = ['src/api/router.ts', 'src/api/upload.ts', 'lib/router.ts', 'docs/a b,c.md'];
const HOSTS = ['claude-code', 'cursor', 'codex'] as const;
const KINDS = ['prompt', 'observation', 'summary'];

let test: TestMemory;
let memory: Memory;
/** All records, oldest first. */
let all: readonly FeedEntry[];

beforeAll(async () => {
  test = await openTestMemory();
  const random = randomFrom(7);
  const one = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
  const some = <Value>(values: readonly Value[]) => values.filter(() => random() < 0.4);
  for (let n = 0; n < 160; n += 1) {
    const number = Math.floor(random() * 6);
    const place = {
      project: ['shop', 'blog'][number % 2]!,
      host: HOSTS[number % 3]!,
      session: `session-${number}`,
      // Several records have the same time, and some are older than the previous one.
      at: START + Math.floor(n / 4) * 1_000 - (random() < 0.1 ? 30_000 : 0),
    };
    const kind = one(['prompt', 'observation', 'observation', 'summary']);
    if (kind === 'prompt') await test.ask(`Prompt ${n}`, place);
    else if (kind === 'summary')
      await test.summarize({ ...place, request: `Request ${n}`, filesEdited: some(FILES) });
    else
      await test.remember({
        ...place,
        title: `Title ${n}`,
        type: one(TYPES),
        concepts: some(CONCEPTS),
        filesRead: some(FILES),
        filesModified: some(FILES),
      });
  }
  memory = await test.open();
  const { items } = await memory.feed({ order: 'oldest', limit: 200 });
  all = items;
});
afterAll(() => test[Symbol.asyncDispose]());

const nameOf = ({ kind, item }: FeedEntry) => `${kind} ${item.id}`;
const hostOf = new Map<number, string>();
const sessionOf = ({ item }: FeedEntry) => item.sessionId;

const filesOf = (entry: FeedEntry): readonly string[] => {
  if (entry.kind === 'observation') return [...entry.item.filesRead, ...entry.item.filesModified];
  return entry.kind === 'summary' ? [...entry.item.filesRead, ...entry.item.filesEdited] : [];
};

/** The rule of each filter, implemented a second time. */
function passes(entry: FeedEntry, filter: FeedFilter): boolean {
  const { project, host, kinds, type, concepts, files, dateFrom, dateTo } = filter;
  const observation = entry.kind === 'observation' ? entry.item : null;
  const isIn = (value: string | undefined, values: string | readonly string[] | undefined) =>
    values === undefined || (value !== undefined && [values].flat().includes(value));
  const matches = (path: string, file: string) =>
    file.endsWith('/') ? path.startsWith(file) : path === file || path.endsWith(`/${file}`);
  return (
    isIn(entry.project, project) &&
    isIn(entry.host, host) &&
    isIn(entry.kind, kinds) &&
    isIn(observation?.type, type) &&
    (concepts === undefined || concepts.some((concept) => observation?.concepts.includes(concept))) &&
    (files === undefined || files.some((file) => filesOf(entry).some((path) => matches(path, file)))) &&
    (dateFrom === undefined || entry.item.createdAtEpoch >= Number(dateFrom)) &&
    (dateTo === undefined || entry.item.createdAtEpoch <= Number(dateTo))
  );
}

async function pages(request: FeedRequest): Promise<readonly FeedEntry[]> {
  const entries: FeedEntry[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await memory.feed({ ...request, ...(cursor !== undefined && { cursor }) });
    entries.push(...page.items);
    cursor = page.nextCursor;
  }
  return entries;
}

const FILTERS: Record<string, FeedFilter> = {
  nothing: {},
  'a project': { project: 'shop' },
  projects: { project: ['shop', 'blog'] },
  'a host': { host: ['cursor'] },
  hosts: { host: ['cursor', 'codex'] },
  'a host without records': { host: ['opencode'] },
  kinds: { kinds: ['summary', 'prompt'] },
  'a type': { type: ['bugfix'] },
  types: { type: ['bugfix', 'decision'] },
  'a concept': { concepts: ['gotcha'] },
  'a whole path': { files: ['src/api/upload.ts'] },
  'the end of a path': { files: ['router.ts'] },
  'a folder': { files: ['src/api/'] },
  'an odd path': { files: ['docs/a b,c.md'] },
  dates: { dateFrom: START + 5_000, dateTo: START + 20_000 },
  'all at once': {
    project: 'shop',
    host: ['claude-code', 'codex'],
    kinds: ['observation'],
    type: ['bugfix', 'feature'],
    concepts: ['gotcha', 'pattern'],
    files: ['src/'],
    dateFrom: START + 1_000,
  },
  'dates in a project': { project: 'blog', kinds: ['observation', 'prompt'], dateTo: START + 15_000 },
};

describe('feed', () => {
  it('is ordered by time, then prompts, observations and summaries, then ID', () => {
    expect(all).toHaveLength(160);
    const sorted = [...all].sort(
      (a, b) =>
        a.item.createdAtEpoch - b.item.createdAtEpoch ||
        KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
        a.item.id - b.item.id,
    );
    expect(all.map(nameOf)).toEqual(sorted.map(nameOf));
    expect(new Set(all.map(({ host }) => host))).toEqual(new Set(HOSTS));
    for (const entry of all) hostOf.set(sessionOf(entry), entry.host);
    expect(new Set(hostOf.values())).toEqual(new Set(HOSTS));
  });

  it.each(Object.keys(FILTERS))('returns all pages for a filter by %s, in both orders', async (name) => {
    const filter = FILTERS[name]!;
    const wanted = all.filter((entry) => passes(entry, filter)).map(nameOf);
    if (name !== 'a host without records') expect(wanted.length).toBeGreaterThan(0);
    for (const limit of [1, 7, 200]) {
      expect((await pages({ ...filter, order: 'oldest', limit })).map(nameOf)).toEqual(wanted);
      expect((await pages({ ...filter, limit })).map(nameOf)).toEqual(wanted.toReversed());
    }
  });

  it('filters by session, with its ID or the ID of the host', async () => {
    const session = sessionOf(all[0]!);
    const wanted = all.filter((entry) => sessionOf(entry) === session).map(nameOf);
    expect((await pages({ session, order: 'oldest', limit: 5 })).map(nameOf)).toEqual(wanted);
    const [found] = await test.storage.store.sessionsByIds([session]);
    const byHost = await pages({ session: found!.contentSessionId, order: 'oldest', type: TYPES });
    expect(byHost.map(nameOf)).toEqual(wanted.filter((name) => name.startsWith('observation')));
    expect((await memory.feed({ session: 'nobody' })).items).toEqual([]);
  });

  it('returns pages of a session with thousands of records', async () => {
    await using large = await openTestMemory();
    const records = Array.from({ length: 2_100 }, (_, n) => ({
      ...EMPTY_OBSERVATION,
      uid: `u-${n}`,
      title: `Title ${n}`,
      project: '/repos/shop',
      session: 'imported',
      promptNumber: 1,
      createdAtEpoch: START + (n % 700),
    }));
    await large.storage.store.importRecords(records.slice(0, 1_000), { now: START });
    await large.storage.store.importRecords(records.slice(1_000), { now: START });
    const opened = await large.open();
    const ids: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: FeedPage = await opened.feed({
        session: 'imported',
        limit: 200,
        ...(cursor && { cursor }),
      });
      ids.push(...page.items.map(({ item }) => item.id));
      cursor = page.nextCursor;
    }
    const wanted = records
      .map(({ createdAtEpoch }, n) => ({ createdAtEpoch, id: n + 1 }))
      .sort((a, b) => b.createdAtEpoch - a.createdAtEpoch || b.id - a.id);
    expect(ids).toEqual(wanted.map(({ id }) => id));
  });

  it('rejects invalid requests', async () => {
    const refused = { code: 'search/bad-request' };
    for (const cursor of ['', '1', '1.x.1', '1.o.1; DROP', '../..'])
      await expect(memory.feed({ cursor })).rejects.toMatchObject(refused);
    await expect(memory.feed({ host: ['nobody' as 'cursor'] })).rejects.toMatchObject(refused);
    await expect(memory.feed({ dateFrom: 'soon' })).rejects.toMatchObject(refused);
  });
});

describe('facets', () => {
  const countBy = (entries: readonly FeedEntry[], valuesOf: (entry: FeedEntry) => readonly string[]) => {
    const counts: Record<string, number> = {};
    for (const entry of entries)
      for (const value of new Set(valuesOf(entry))) counts[value] = (counts[value] ?? 0) + 1;
    return counts;
  };
  const asCounts = (items: readonly { value: string; count: number }[]) =>
    Object.fromEntries(items.map(({ value, count }) => [value, count]));

  it.each(Object.keys(FILTERS))(
    'counts the values of each field without the filter of that field: %s',
    async (name) => {
      const filter = FILTERS[name]!;
      const without = (field: keyof FeedFilter) => {
        const { [field]: _, ...others } = filter;
        return all.filter((entry) => passes(entry, others));
      };
      const facets = await memory.facets(filter);
      expect(facets.total).toBe(all.filter((entry) => passes(entry, filter)).length);
      const projects = facets.projects.map(({ name: value, count }) => ({ value, count }));
      expect(asCounts(projects)).toEqual(countBy(without('project'), ({ project }) => [project]));
      expect(asCounts(facets.hosts)).toEqual(countBy(without('host'), ({ host }) => [host]));
      expect(asCounts(facets.kinds)).toEqual(countBy(without('kinds'), ({ kind }) => [kind]));
      const typeOf = (entry: FeedEntry) => (entry.kind === 'observation' ? [entry.item.type] : []);
      expect(asCounts(facets.types)).toEqual(countBy(without('type'), typeOf));
      const conceptsOf = (entry: FeedEntry) => (entry.kind === 'observation' ? entry.item.concepts : []);
      expect(asCounts(facets.concepts)).toEqual(countBy(without('concepts'), conceptsOf));
      const files = facets.files.map(({ value, project, count }) => ({
        value: `${project} ${value}`,
        count,
      }));
      expect(asCounts(files)).toEqual(
        countBy(without('files'), (entry) => filesOf(entry).map((file) => `${entry.project} ${file}`)),
      );
    },
  );

  it('finds files by a part of their path, with the time of their last use', async () => {
    const { files } = await memory.facets({ fileText: 'ROUTER' });
    expect(new Set(files.map(({ value }) => value))).toEqual(new Set(['src/api/router.ts', 'lib/router.ts']));
    for (const { value, project, lastEpoch } of files) {
      const times = all
        .filter((entry) => entry.project === project && filesOf(entry).includes(value))
        .map(({ item }) => item.createdAtEpoch);
      expect(lastEpoch).toBe(Math.max(...times));
    }
  });
});

describe('activity', () => {
  it('counts observations by project, type and local day of the user', async () => {
    const utcOffsetMinutes = -330;
    const found = await memory.activity({ fromEpoch: START - 20_000, utcOffsetMinutes });
    const counts: Record<string, number> = {};
    for (const entry of all) {
      if (entry.kind !== 'observation' || entry.item.createdAtEpoch < START - 20_000) continue;
      const day = Math.floor((entry.item.createdAtEpoch + utcOffsetMinutes * 60_000) / 86_400_000);
      const key = `${entry.item.projectId} ${day} ${entry.item.type}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
    const asRecord = found.map(({ projectId, day, type, count }) => [`${projectId} ${day} ${type}`, count]);
    expect(Object.fromEntries(asRecord)).toEqual(counts);
    const [first] = found;
    const ofOne = await memory.activity({
      projectIds: [first!.projectId],
      fromEpoch: 0,
      utcOffsetMinutes: 0,
    });
    expect(new Set(ofOne.map(({ projectId }) => projectId))).toEqual(new Set([first!.projectId]));
  });
});

describe('a feed that changes between two pages', () => {
  it('neither repeats nor skips older records when records are added or removed', async () => {
    await using changing = await openTestMemory();
    for (let n = 0; n < 30; n += 1)
      await changing.remember({
        title: `Title ${n}`,
        type: n % 2 ? 'bugfix' : 'feature',
        concepts: ['gotcha'],
      });
    const opened = await changing.open();
    for (const filter of [{}, { concepts: ['gotcha'] }, { host: ['claude-code' as const] }]) {
      const first = await opened.feed({ ...filter, limit: 10 });
      const before = await opened.feed({ ...filter, limit: 200 });
      await changing.remember({ title: `New ${Object.keys(filter).join()}`, concepts: ['gotcha'] });
      const gone = first.items.at(-1)!.item.id;
      await changing.storage.store.forget({ ids: [gone], now: START });
      const rest: FeedEntry[] = [];
      for (let cursor = first.nextCursor; cursor !== null;) {
        const page = await opened.feed({ ...filter, limit: 7, cursor });
        rest.push(...page.items);
        cursor = page.nextCursor;
      }
      expect([...first.items, ...rest].map(nameOf)).toEqual(before.items.map(nameOf));
    }
  });

  it('updates the counts when records were edited, moved or deleted', async () => {
    await using changing = await openTestMemory();
    const kept = await changing.remember({
      title: 'one',
      type: 'bugfix',
      concepts: ['Gotcha'],
      filesRead: ['a.ts'],
    });
    const gone = await changing.remember({ title: 'two', type: 'bugfix', concepts: ['gotcha'] });
    const opened = await changing.open();
    const counted = async () => {
      const { total, types, concepts, files } = await opened.facets({});
      return { total, types, concepts, files: files.map(({ value }) => value) };
    };
    expect(await counted()).toEqual({
      total: 2,
      types: [{ value: 'bugfix', count: 2 }],
      concepts: [{ value: 'Gotcha', count: 2 }],
      files: ['a.ts'],
    });
    await changing.storage.store.editObservation(
      kept.id,
      { type: 'feature', concepts: ['pattern'], filesRead: [], filesModified: ['b.ts'] },
      START,
    );
    await changing.storage.store.forget({ ids: [gone.id], now: START });
    expect(await counted()).toEqual({
      total: 1,
      types: [{ value: 'feature', count: 1 }],
      concepts: [{ value: 'pattern', count: 1 }],
      files: ['b.ts'],
    });
    await changing.storage.index.rebuild();
    while (!(await changing.storage.index.step({ limit: 100 })).done);
    expect((await counted()).files).toEqual(['b.ts']);
  });
});
