import { expect, it } from 'vitest';
import { isRecord } from './is-record.js';

it('distinguishes an object with fields from other values', () => {
  expect([{}, { a: 1 }, Object.create(null)].every(isRecord)).toBe(true);
  expect([null, undefined, [], [{}], 'text', 0, () => ({})].some(isRecord)).toBe(false);
});
