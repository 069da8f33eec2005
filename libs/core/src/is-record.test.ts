import { expect, it } from 'vitest';
import { isRecord } from './is-record.js';

it('tells an object with fields from everything else', () => {
  expect([{}, { a: 1 }, Object.create(null)].every(isRecord)).toBe(true);
  expect([null, undefined, [], [{}], 'text', 0, () => ({})].some(isRecord)).toBe(false);
});
