import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestMemory, type TestMemory } from '../__fixtures__/open-test-memory.js';
import type { Memory } from '../memory.js';

let test: TestMemory;

beforeEach(async () => {
  test = await openTestMemory();
});
afterEach(() => test[Symbol.asyncDispose]());

const titles = async (memory: Memory, query: string) =>
  (await memory.search({ query })).items.map(({ item }) => item.title);

describe('search in stored text', () => {
  it('B079: treats wildcard characters as plain text', async () => {
    await test.remember({ title: '100% done' });
    await test.remember({ title: '100 done' });
    const memory = await test.open();
    expect(await titles(memory, '100%')).toEqual(['100% done']);
    expect((await titles(memory, 'done')).toSorted()).toEqual(['100 done', '100% done']);
    for (const query of ['%', '_', '*', '%done%', 'don_']) await titles(memory, query);
    expect(await titles(memory, '%')).toEqual([]);
  });

  it('B128: finds only phrases that occur in text of scripts without spaces', async () => {
    await test.remember({ title: '修复了用户身份验证模块' });
    await test.remember({ title: 'ユーザー認証を修正した' });
    await test.remember({ title: 'แก้ไขการเข้าสู่ระบบ' });
    const memory = await test.open();
    expect(await titles(memory, '用户身份')).toEqual(['修复了用户身份验证模块']);
    expect(await titles(memory, '数据库连接')).toEqual([]);
    expect(await titles(memory, '認証')).toEqual(['ユーザー認証を修正した']);
    expect(await titles(memory, 'เข้าสู่ระบบ')).toEqual(['แก้ไขการเข้าสู่ระบบ']);
  });

  it('B129: returns only well-formed text', async () => {
    for (let length = 1; length < 40; length += 1)
      await test.remember({ title: '🙂'.repeat(length * 13), narrative: `a\ud83d ${length}` });
    await test.ask('🙂\udc00 what is this');
    const memory = await test.open();
    const found = await memory.search({ query: '🙂', limit: 200, explain: true });
    expect(found.items).toHaveLength(39);
    const answers = [
      found,
      await memory.searchSessions({ query: '🙂 \ud83d', explain: true }),
      await memory.searchUserPrompts({ query: '🙂', explain: true }),
      await memory.timeline({ anchor: { query: '🙂' } }),
    ];
    for (const answer of answers) expect(JSON.stringify(answer).isWellFormed()).toBe(true);
    // JSON writes a lone surrogate as an escape, which only looks well formed.
    for (const answer of answers) expect(JSON.stringify(answer)).not.toMatch(/\\ud[89a-f]/i);
  });

  it('B130: finds a text by another Unicode normal form', async () => {
    await test.remember({ title: 'Le café est ouvert' });
    await test.remember({ title: 'Der Ko\u0308nig schla\u0308ft' });
    const memory = await test.open();
    for (const query of ['cafe\u0301', 'café', 'CAFÉ'])
      expect(await titles(memory, query)).toEqual(['Le café est ouvert']);
    for (const query of ['König', 'Ko\u0308nig'])
      expect(await titles(memory, query)).toEqual(['Der König schläft']);
  });

  it('B131: finds a text by the words on both sides of a zero byte', async () => {
    await test.remember({ title: 'before\u0000behind' });
    const memory = await test.open();
    const found = await titles(memory, 'before');
    expect(found).toHaveLength(1);
    expect(await titles(memory, 'behind')).toEqual(found);
    expect(await titles(memory, 'before\u0000behind')).toEqual(found);
  });

  it('B078: finds a deleted record in no search method', async () => {
    const gone = await test.remember({
      title: 'The webhook is signed',
      concepts: ['gotcha'],
      filesRead: ['src/hook.ts'],
    });
    await test.remember({ title: 'The webhook is sent', session: 'other' });
    const memory = await test.open();
    const find = async () => [
      (await memory.search({ query: 'webhook' })).items.length,
      (await memory.search({})).items.length,
      (await memory.search({ query: 'webhook', syntax: 'fts5' })).items.length,
      (await memory.findByConcept('gotcha')).items.length,
      (await memory.findByFile('src/hook.ts')).items.length,
      (await memory.searchSessions({ query: 'signed' })).items.length,
      (await memory.getObservations([gone.id])).length,
      (await memory.getRecentContext({ project: 'shop' }))?.sessions.flatMap(
        ({ observations }) => observations,
      ).length,
    ];
    expect(await find()).toEqual([2, 2, 2, 1, 1, 1, 1, 2]);
    await test.storage.store.forget({ ids: [gone.id], now: 0 });
    expect(await find()).toEqual([1, 1, 1, 0, 0, 0, 0, 1]);
    await test.storage.index.step({ foldAt: 1 });
    expect(await find()).toEqual([1, 1, 1, 0, 0, 0, 0, 1]);
  });
});
