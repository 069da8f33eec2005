import { toFacts } from '@claude-mem/core';
import { expect, it } from 'vitest';
import { observationOf } from './__fixtures__/observation-of.js';
import { vectorDocuments } from './vector-documents.js';

it('returns a document for the narrative with its title and one for each fact', () => {
  const observation = observationOf(7, {
    title: 'T',
    subtitle: 'S',
    narrative: 'N',
    facts: toFacts(['a', 'b'], null),
  });
  expect(vectorDocuments(observation).map(({ id, text }) => [id, text])).toEqual([
    ['obs_7_narrative', 'T\nS\nN'],
    ['obs_7_fact_0', 'a'],
    ['obs_7_fact_1', 'b'],
  ]);
});

it('B132: returns no document with null or empty text when fields are missing', () => {
  const bare = { title: null, subtitle: null, narrative: null, facts: toFacts(['', 'kept', ' \n'], null) };
  const documents = vectorDocuments(observationOf(7, bare));
  expect(documents).toEqual([
    {
      id: 'obs_7_fact_1',
      text: 'kept',
      contentHash: expect.stringMatching(/^[\w-]{22}$/),
      metadata: { observationId: 7, projectId: 1, type: 'discovery', createdAtEpoch: 1_007 },
    },
  ]);
  expect(vectorDocuments(observationOf(7, { ...bare, facts: [] }))).toEqual([]);
});

it('limits the number and length of documents without splitting a character', () => {
  const facts = Array.from({ length: 500 }, () => 'x'.repeat(3_999) + '🎉🎉');
  const documents = vectorDocuments(observationOf(7, { facts: toFacts(facts, null) }));
  expect(documents).toHaveLength(65);
  for (const { text } of documents) {
    expect(text.length).toBeLessThanOrEqual(4_000);
    expect(text.isWellFormed()).toBe(true);
  }
});

it('computes the hash of a document from its text and metadata only', () => {
  const hashOf = (fields: Parameters<typeof observationOf>[1]) =>
    vectorDocuments(observationOf(7, fields))[0]?.contentHash;
  const before = hashOf({});
  expect(hashOf({ pinned: true, concepts: ['gotcha'], facts: [] })).toBe(before);
  for (const fields of [{ title: 'Other' }, { type: 'bugfix' }, { projectId: 2 }, { createdAtEpoch: 5 }]) {
    expect(hashOf(fields)).not.toBe(before);
  }
});
