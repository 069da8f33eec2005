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
])('parses words and prefixes that must all match: %s', (query) => {
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
])('leaves queries with other syntax to FTS5: %s', (query) => {
  expect(readBeginnings(query)).toBeNull();
});
