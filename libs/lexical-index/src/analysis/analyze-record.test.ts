import type { Fact } from '@claude-mem/core';
import { expect, it } from 'vitest';
import { analyzeRecord, FIELDS } from './analyze-record.js';

const analyze = (facts: readonly Fact[]) =>
  analyzeRecord({
    kind: 'observation',
    type: 'decision',
    title: null,
    subtitle: null,
    narrative: null,
    facts,
    concepts: [],
    filesRead: [],
    filesModified: [],
  });

it('counts the terms of a fact twice and its length once when the user stated it', () => {
  const { terms, lengths } = analyze([
    { text: 'Deploy with blue-green', origin: 'user' },
    { text: 'Deploy takes a minute', origin: 'agent' },
  ]);
  const inFacts = (term: string) => terms.get(term)?.[FIELDS.indexOf('facts')];
  expect(inFacts('deploi')).toBe(3);
  expect(inFacts('blue')).toBe(2);
  expect(inFacts('minut')).toBe(1);
  expect(lengths[FIELDS.indexOf('facts')]).toBe(8);
});

it.each(['agreed', 'agent', 'evidence', 'rejected', 'external', null] as const)(
  'counts the terms of a fact once when its origin is %s',
  (origin) => {
    expect(analyze([{ text: 'minute', origin }]).terms.get('minut')).toEqual(
      FIELDS.map((field) => (field === 'facts' ? 1 : 0)),
    );
  },
);
