import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestMemory, type TestMemory } from '../__fixtures__/open-test-memory.js';
import type { Memory } from '../memory.js';
import { createMemoryIndex } from '../sync/__fixtures__/create-memory-index.js';
import { createHashingEmbedder } from '../testing/create-hashing-embedder.js';
import { recall, type RecallRequest } from './recall.js';

let test: TestMemory;
let memory: Memory;

/** Rare words of conversation in sessions about other subjects. */
const TALK = [
  'One expires from the cache.',
  'Reject what is not needed.',
  'A pull request is open.',
  'Leader of the list.',
];
const PROMPT = 'why does the checkout reject gift vouchers that expire today?';

beforeEach(async () => {
  test = await openTestMemory();
  await test.remember({
    session: 'vouchers',
    title: 'Gift vouchers expired a day early at checkout',
    narrative: 'The checkout compared the date a voucher expires with midnight UTC, so it had to reject it.',
    filesModified: ['src/checkout/voucher.ts'],
  });
  for (let number = 0; number < 30; number += 1)
    await test.remember({
      session: `catalogue-${number}`,
      title: `Looked at page ${number} of the catalogue`,
      narrative: `Why does the page load slowly today? The images are large. ${TALK[number % TALK.length]}`,
    });
  memory = await test.open();
});
afterEach(() => test[Symbol.asyncDispose]());

const ask = (request: Partial<RecallRequest> = {}) =>
  recall(memory, { prompt: PROMPT, project: 'shop', ...request });
const titles = async (request: Partial<RecallRequest>) =>
  (await ask(request)).hits.map(({ item }) => item.title);

it('returns the records about the subject of the prompt, with the shared words as the reason', async () => {
  const { hits, reason } = await ask();
  expect(hits.map(({ item }) => item.title)).toEqual(['Gift vouchers expired a day early at checkout']);
  expect(reason).toMatch(/^Shares with the prompt: .*\bvouchers\b.*\.$/);
});

it('omits common words from the reason', async () => {
  await using small = await openTestMemory();
  await small.remember({ title: 'Vouchers are taken off before the tax, since the tax office wants it so' });
  const { reason } = await recall(await small.open(), {
    prompt: 'Why are vouchers taken off before the tax?',
    project: 'shop',
  });
  expect(reason.split(/[:,.] ?/)).toEqual(expect.arrayContaining(['vouchers', 'tax']));
  expect(reason).not.toMatch(/[:,] (are|the|before|off|why)\b/);
});

it('returns nothing when no record is about the subject of the prompt', async () => {
  for (const prompt of [
    'why does it load slowly today?',
    'thanks, looks good',
    'write a poem about the sea',
    'how do I reject a pull request in the kubernetes operator that expires the leader election lease?',
  ]) {
    const { hits, reason } = await ask({ prompt });
    expect(hits, prompt).toEqual([]);
    expect(reason).toMatch(/^No record .*\.$/);
  }
});

it('adds less similar records only from the same session', async () => {
  const less = 'The voucher is printed on the receipt of the checkout';
  for (const session of ['vouchers', 'receipts']) await test.remember({ session, title: less });
  const title = 'The tills are counted in the evening';
  await test.remember({ session: 'vouchers', title });
  const { hits } = await ask();
  expect(hits.map(({ item }) => item.title)).toEqual(['Gift vouchers expired a day early at checkout', less]);
  expect(new Set(hits.map(({ item }) => item.sessionId)).size).toBe(1);
});

it('returns records for a later prompt only when no other records match the opening prompt better', async () => {
  const opening =
    'move the parcel labels of the warehouse to the thermal printer, with barcode and customs declaration';
  for (let number = 0; number < 10; number += 1)
    await test.remember({
      session: 'labels',
      title: `Parcel label ${number} of the warehouse goes to the thermal printer`,
      narrative: 'Barcode and customs declaration are on it.',
    });
  const later = { prompt: 'and when do gift vouchers expire?' };
  expect(await titles(later)).toEqual(['Gift vouchers expired a day early at checkout']);
  const { hits, reason } = await ask({ ...later, opening });
  expect(hits).toEqual([]);
  expect(reason).toBe('No record is on the matter of the prompt and of what opened the session.');
  for (const onIt of ['fix what vouchers do at checkout', later.prompt, ' '])
    expect(await titles({ ...later, opening: onIt }), onIt).toHaveLength(1);
});

it('returns records about a new subject when no record matches the opening prompt of the session', async () => {
  const opening = 'the garden fence has to be painted';
  expect(await titles({ opening })).toHaveLength(1);
});

it('does not repeat records that the session already received, and reports that as the reason', async () => {
  const { hits } = await ask();
  const { hits: again, reason } = await ask({ exclude: hits.map(({ item }) => item.id) });
  expect(again).toEqual([]);
  expect(reason).toBe('The session was given all that is relevant to the prompt already.');
});

it('omits records that the session already received in another way', async () => {
  const [hit] = (await ask()).hits;
  const { hits, reason } = await ask({ knows: ({ id }) => id === hit?.item.id });
  expect(hits).toEqual([]);
  expect(reason).toContain('was given all');
  expect((await ask({ knows: ({ id }) => id !== hit?.item.id })).hits).toHaveLength(1);
});

it('omits records of the current session', async () => {
  const [hit] = (await ask()).hits;
  expect(await titles({ session: hit?.item.sessionId ?? 0 })).toEqual([]);
  expect(await titles({ session: -1 })).toHaveLength(1);
});

it('omits superseded records', async () => {
  const { items } = await memory.search({ query: PROMPT, explain: true });
  const superseded = {
    search: async () => ({
      items: items.map((hit) => ({ ...hit, item: { ...hit.item, supersededBy: 1 } })),
      strategy: 'lexical' as const,
      degraded: [],
      hasMore: false,
    }),
  };
  expect((await recall(superseded, { prompt: PROMPT, project: 'shop' })).hits).toEqual([]);
});

it('S06: returns at most two records of agents and finds another record behind many of them', async () => {
  const [hit] = (await memory.search({ query: PROMPT, explain: true })).items;
  const byAgents = Array.from({ length: 60 }, (_, index) => ({
    ...hit!,
    item: { ...hit!.item, id: 10_000 + index, sessionId: 500 + index, source: 'agent' as const },
  }));
  const flooded = {
    search: async ({ limit = 20 }: { limit?: number }) => ({
      items: [...byAgents, hit!].slice(0, limit),
      strategy: 'lexical' as const,
      degraded: [],
      hasMore: false,
    }),
  };
  const { hits } = await recall(flooded, { prompt: PROMPT, project: 'shop' });
  expect(hits.map(({ item }) => item.id)).toEqual([10_000, 10_001, hit!.item.id]);
});

it('does not call the embedder', async () => {
  const asked: string[] = [];
  const embedder = createHashingEmbedder();
  const listening = await test.open({
    vectors: createMemoryIndex(),
    embedder: {
      ...embedder,
      embed: (texts, options) => {
        asked.push(...texts);
        return embedder.embed(texts, options);
      },
    },
  });
  expect((await recall(listening, { prompt: PROMPT, project: 'shop' })).hits).toHaveLength(1);
  expect(asked).toEqual([]);
  await listening.search({ query: PROMPT });
  expect(asked).toEqual([PROMPT]);
});

it('returns only records of the project', async () => {
  await test.remember({ project: 'garden', title: 'Watered the roses' });
  expect(await titles({ project: 'garden' })).toEqual([]);
});

it('returns at most the requested number of records', async () => {
  await test.remember({
    session: 'vouchers',
    title: 'Gift vouchers that expire today are accepted by the checkout',
    narrative: 'It used to reject them.',
  });
  expect(await titles({})).toHaveLength(2);
  expect(await titles({ limit: 1 })).toHaveLength(1);
});

it('rejects with the reason of the abort signal', async () => {
  const reason = new Error('too late');
  await expect(ask({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

it('returns records of the only session for a prompt about their subject and nothing for other prompts', async () => {
  await using small = await openTestMemory();
  await small.remember({
    title: 'Gift vouchers expired a day early at checkout',
    narrative:
      'The test of the checkout failed since the date a voucher expires was compared with midnight UTC.',
  });
  await small.remember({ title: 'The checkout shows when a voucher expires' });
  const opened = await small.open();
  const given = async (prompt: string) => (await recall(opened, { prompt, project: 'shop' })).hits.length;
  expect(await given(PROMPT)).toBe(2);
  for (const prompt of [
    'why does the test of the list fail when it was changed?',
    'was it the first test that failed, or the one of the other day that failed since?',
    'the leader election of the operator expires',
  ])
    expect(await given(prompt), prompt).toBe(0);
});
