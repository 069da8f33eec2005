import type { Observation } from '@claude-mem/core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nearestOf } from '../__fixtures__/nearest-of.js';
import { DAY_MS, openTestMemory, START, type TestMemory } from '../__fixtures__/open-test-memory.js';
import type { Memory, SearchRequest } from '../memory.js';
import { createHashingEmbedder } from '../testing/create-hashing-embedder.js';

let test: TestMemory;
let signed: Observation;
let embed: () => Promise<void>;
let memory: Memory;

const open = () =>
  test.open({
    vectors: nearestOf([signed]),
    embedder: {
      ...createHashingEmbedder(),
      embed: async (texts) => {
        await embed();
        return texts.map(() => new Float32Array([1, 0]));
      },
    },
  });

beforeEach(async () => {
  test = await openTestMemory();
  signed = await test.remember({ title: 'The webhook is signed' });
  await test.remember({ title: 'Tokens of the queue' });
  await test.storage.vectors.useTarget('fake');
  embed = async () => undefined;
  memory = await open();
});
afterEach(() => test[Symbol.asyncDispose]());

it('finds a record that is written while the query is embedded', async () => {
  let written = 0;
  embed = async () => void (await test.remember({ title: `Another webhook ${(written += 1)}` }));
  const { items } = await memory.search({ query: 'webhook' });
  expect(items.map(({ item }) => item.title)).toContain('Another webhook 1');
  const sessions = await memory.searchSessions({ query: 'another webhook' });
  expect(sessions.items[0]?.item.hits.map(({ title }) => title)).toContain('Another webhook 2');
});

it('returns the same results for simultaneous queries as for consecutive ones', async () => {
  const requests: SearchRequest[] = [
    'webhook signed',
    'queue',
    'tokens webhook',
    'signed queue',
    'the queue',
    'is',
  ].map((query) => ({ query, explain: true, dateTo: START + DAY_MS }));
  const alone = [];
  for (const request of requests) alone.push(await memory.search(request));
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  embed = () => held;
  memory = await open();
  const together = Promise.all(requests.map((request) => memory.search(request)));
  setTimeout(release, 20);
  expect(await together).toEqual(alone);
});
