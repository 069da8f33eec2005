import type { UserPrompt } from '@claude-mem/core';
import { expect, it } from 'vitest';
import { findPrompt } from './find-prompt.js';

const LENGTH = 1_200;
const prompts = Array.from(
  { length: LENGTH },
  (_, index) => ({ promptNumber: LENGTH - index }) as UserPrompt,
);
let asked = 0;
const find = (promptNumber: number) => {
  asked = 0;
  return findPrompt(
    ({ limit, cursor = '0' }) => {
      asked += 1;
      const end = Number(cursor) + limit;
      return Promise.resolve({
        items: prompts.slice(Number(cursor), end),
        nextCursor: end < LENGTH ? String(end) : null,
      });
    },
    { sessionId: 1, promptNumber },
  );
};

it('finds the first prompt of a session when the session has several pages of prompts', async () => {
  expect(await find(1)).toEqual({ promptNumber: 1 });
  expect(asked).toBe(3);
});

it('stops reading prompts when the number is found or passed', async () => {
  expect(await find(900)).toEqual({ promptNumber: 900 });
  expect(asked).toBe(1);
  prompts.splice(0, prompts.length, ...prompts.filter(({ promptNumber }) => promptNumber !== 900));
  expect(await find(900)).toBeNull();
  expect(await find(2_000)).toBeNull();
  expect(asked).toBe(1);
});
