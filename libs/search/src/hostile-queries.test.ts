import type { ImportedObservation } from '@claude-mem/core';
import { bySize, processorTime } from '@claude-mem/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOSTILE_QUERIES } from './__fixtures__/hostile-queries.js';
import { openTestMemory, START, type TestMemory } from './__fixtures__/open-test-memory.js';
import type { Memory } from './memory.js';
import { SearchError } from './search-error.js';

let test: TestMemory;
let memory: Memory;

const uidOf = (place: number) => `hostile-${place}`;
/** The text contains a visible word, number or emoji. */
const isSearchable = (query: string) =>
  /[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]/u.test(query);

beforeAll(async () => {
  test = await openTestMemory();
  await test.storage.store.importRecords(
    HOSTILE_QUERIES.map(({ query }, place) => importable(place, query)),
    { now: START },
  );
  memory = await test.open();
});
afterAll(() => test[Symbol.asyncDispose]());

describe('hostile queries', () => {
  it('include more than 330 queries', () => {
    expect(HOSTILE_QUERIES.length).toBeGreaterThan(330);
  });

  it.each(HOSTILE_QUERIES.map(({ family, query }, place) => [family, shown(query), query, place] as const))(
    'B073: are answered quickly and find the record with the same text, %s: %s',
    async (family, _shown, query, place) => {
      const spent = processorTime();
      const answer = await memory.search({ query, limit: 200, explain: true });
      expect(spent()).toBeLessThan(3_000);
      expect(JSON.stringify(answer).isWellFormed()).toBe(true);
      if (!isSearchable(query)) return;
      const found = answer.items.map(({ item }) => item.uid);
      expect(found).toContain(uidOf(place));
      // Another text may contain the same words and be shorter.
      if (query.includes('lantern') && family !== 'long') expect(found.indexOf(uidOf(place))).toBeLessThan(2);
    },
  );

  it('B073: fail in no search method except with search/bad-request', async () => {
    const step = bySize({ quick: 5, full: 1 });
    for (const { query } of HOSTILE_QUERIES.filter((_, place) => place % step === 0)) {
      const ways: Promise<unknown>[] = [
        memory.search({ query, syntax: 'fts5' }),
        memory.searchSessions({ query }),
        memory.searchUserPrompts({ query }),
        memory.search({ query: 'harbour', contextFiles: [query] }),
        memory.search({ query: 'harbour', project: query, type: query, session: query }),
        memory.findByFile(query),
        memory.findByConcept(query),
        memory.findByType(query),
        memory.timeline({ anchor: { query } }),
        memory.timeline({ anchor: query }),
        memory.search({ query: 'harbour', dateFrom: query }),
      ];
      for (const outcome of await Promise.allSettled(ways)) {
        if (outcome.status === 'fulfilled') expect(JSON.stringify(outcome.value).isWellFormed()).toBe(true);
        else expect(outcome.reason).toSatisfy(isBadRequest);
      }
    }
  });
});

const isBadRequest = (reason: unknown) =>
  SearchError.isInstance(reason) && reason.code === 'search/bad-request';

function importable(place: number, text: string): ImportedObservation {
  return {
    uid: uidOf(place),
    project: 'harbour',
    session: null,
    promptNumber: 1,
    type: 'discovery',
    title: `record ${place}`,
    subtitle: null,
    narrative: text,
    facts: [],
    concepts: [],
    filesRead: [],
    filesModified: [],
    createdAtEpoch: START + place,
  };
}

/** Shortens a text to one line for a test title. */
function shown(query: string): string {
  const text = JSON.stringify(query.slice(0, 40)).replaceAll('%', '%%');
  return query.length > 40 ? `${text}… (${query.length})` : text;
}
