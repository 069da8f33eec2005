import type { Observation } from '@claude-mem/core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nearestOf } from '../__fixtures__/nearest-of.js';
import { openTestMemory, type TestMemory } from '../__fixtures__/open-test-memory.js';
import { createHashingEmbedder } from '../testing/create-hashing-embedder.js';

let test: TestMemory;

beforeEach(async () => {
  test = await openTestMemory();
  await test.storage.vectors.useTarget('fake');
});
afterEach(() => test[Symbol.asyncDispose]());

const NOISE = [
  'The cart keeps its currency',
  'Fonts are loaded late',
  'The mailer waits',
  'A seed for the tests',
];

/** Titles of the results of a query when the nearest vectors are those of these records, in this order. */
async function titlesNear(near: readonly Observation[], query: string): Promise<string[]> {
  const memory = await test.open({ vectors: nearestOf(near), embedder: createHashingEmbedder() });
  return (await memory.search({ query })).items.map(({ item }) => item.title ?? '');
}

async function rememberAll(titles: readonly string[]): Promise<Observation[]> {
  const stored: Observation[] = [];
  for (const title of titles) stored.push(await test.remember({ title }));
  return stored;
}

it('returns only the records that contain the word of the query when they are nearest', async () => {
  const [first, ...others] = await rememberAll(['The voucher expired', ...NOISE, 'A VOUCHER is spent twice']);
  const second = others.pop()!;
  const found = await titlesNear([second, first!, ...others], 'voucher');
  expect(found.slice(0, 2).sort()).toEqual(['A VOUCHER is spent twice', 'The voucher expired']);
  expect(found.slice(2)).toEqual([]);
});

it('places a semantic result that is at least as near behind the record with the word', async () => {
  const [coupon, voucher, ...others] = await rememberAll([
    'Coupons of a partner',
    'The voucher expired',
    ...NOISE,
  ]);
  const found = await titlesNear([coupon!, voucher!, ...others], 'voucher');
  expect(found).toEqual(['The voucher expired', 'Coupons of a partner']);
});

it('R12: skips semantic results that are farther than the record with the word', async () => {
  const [voucher, coupon, ...others] = await rememberAll([
    'The voucher expired',
    'Coupons of a partner',
    ...NOISE,
    ...NOISE.map((title) => `${title} again`),
  ]);
  expect(await titlesNear([voucher!, coupon!, ...others], 'voucher')).toEqual(['The voucher expired']);
});

it('drops semantic results when the vectors do not find the record with the word', async () => {
  const [, ...others] = await rememberAll(['The voucher expired', ...NOISE]);
  expect(await titlesNear(others, 'voucher')).toEqual(['The voucher expired']);
});

it.each(['where is the voucher', 'voucher partner campaign'])(
  'includes semantic results for a question and when no record contains all words of the query: %s',
  async (query) => {
    const [voucher, ...others] = await rememberAll(['The voucher expired', ...NOISE]);
    const found = await titlesNear([voucher!, ...others], query);
    expect(found[0]).toBe('The voucher expired');
    expect(found).toEqual(expect.arrayContaining(NOISE));
  },
);

it('returns semantic results when no record contains the word of the query', async () => {
  const stored = await rememberAll(NOISE);
  expect(await titlesNear(stored, 'voucher')).toHaveLength(NOISE.length);
});
