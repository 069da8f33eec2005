import { expect, it } from 'vitest';
import { readBeginnings } from './translate-syntax.js';

it.each([
  'har*',
  'clo* AND lease',
  'lease har*',
  'l* pier',
  '"har" *',
  'leas* expir* har*',
  'nothing*',
  'har* AND nothing',
])('reads words and beginnings that must all match: %s', (query) => {
  expect(readBeginnings(query)).not.toBeNull();
  expect(readBeginnings(`(${query})`)).toBeNull();
});

it.each([
  'har',
  'har* OR pier',
  'har* NOT pier',
  'title:har*',
  'har* AND',
  'AND har*',
  'har**',
  '* har',
  'pre-edit*',
  '^har*',
])('leaves to FTS5 what is more than words and beginnings: %s', (query) => {
  expect(readBeginnings(query)).toBeNull();
});
