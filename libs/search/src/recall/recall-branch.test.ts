import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestMemory, type TestMemory } from '../__fixtures__/open-test-memory.js';
import type { Memory } from '../memory.js';
import { recallBranch, type BranchRecallRequest } from './recall-branch.js';

let test: TestMemory;
let memory: Memory;

beforeEach(async () => {
  test = await openTestMemory();
  await test.remember({ session: 'vouchers', title: 'Gift vouchers expired a day early at checkout' });
  await test.remember({ session: 'vouchers', title: 'The checkout compares the day a voucher expires' });
  for (let number = 0; number < 30; number += 1)
    await test.remember({
      session: `catalogue-${number}`,
      title: `Fix of page ${number} of the catalogue`,
    });
  memory = await test.open();
});
afterEach(() => test[Symbol.asyncDispose]());

const titles = async (branch: string, request: Partial<BranchRecallRequest> = {}) =>
  (await recallBranch(memory, { branch, project: 'shop', ...request })).map(({ title }) => title);

it.each(['voucher-expires', 'someone/fix/voucher_expires', 'fix-voucher'])(
  'returns the records that match the name of the branch %s',
  async (branch) => {
    expect((await titles(branch)).sort()).toEqual([
      'Gift vouchers expired a day early at checkout',
      'The checkout compares the day a voucher expires',
    ]);
  },
);

it.each(['fix-page', 'voucher/fix-page', 'SHOP-123', '--', ''])(
  'returns nothing for the branch %j',
  async (branch) => {
    expect(await titles(branch)).toEqual([]);
  },
);

it('returns at most the requested number of records, only of the project and none that was superseded', async () => {
  expect(await titles('voucher', { limit: 1 })).toHaveLength(1);
  await test.remember({ project: 'garden', title: 'Watered the roses' });
  expect(await titles('voucher', { project: 'garden' })).toEqual([]);
  const { items } = await memory.search({ query: 'voucher', explain: true });
  const superseded = {
    search: async () => ({
      items: items.map((hit) => ({ ...hit, item: { ...hit.item, supersededBy: 1 } })),
      strategy: 'lexical' as const,
      degraded: [],
      hasMore: false,
    }),
  };
  expect(await recallBranch(superseded, { branch: 'voucher', project: 'shop' })).toEqual([]);
});

it('rejects with the reason of the abort signal', async () => {
  const reason = new Error('too late');
  await expect(titles('voucher', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
