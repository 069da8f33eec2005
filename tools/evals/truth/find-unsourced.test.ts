import type { ObservationDraft } from '@claude-mem/core';
import { createObserverBatch } from '@claude-mem/core/testing';
import { bash, edit } from '@claude-mem/evidence/testing';
import { describe, expect, it } from 'vitest';
import { checkRecords } from './find-unsourced.js';

const batch = createObserverBatch({
  prompt: 'The kiln is too hot.',
  toolUses: [
    edit('src/kiln.ts', 'const LIMIT = 1300;', 'const LIMIT = 1200;'),
    bash('npm test', 'Tests: 4 passed, 4 total'),
  ],
  closing: "I've lowered `LIMIT` (in the kiln) because the old glaze cracked.",
});

function unsourcedIn(fields: Partial<ObservationDraft>): string[] {
  const observation: ObservationDraft = {
    type: 'change',
    title: null,
    subtitle: null,
    narrative: null,
    facts: [],
    concepts: [],
    filesRead: [],
    filesModified: [],
    ...fields,
  };
  return checkRecords(batch, { observations: [observation], summaries: [] }).flatMap((one) =>
    one.unsourced.length > 0 ? `${one.kind}: ${one.text}` : [],
  );
}

describe('the source check of records', () => {
  it('accepts quotations, names and results of the turn with the phrases of the observer around them', () => {
    const narrative =
      'The user asked: “The kiln is too hot.” According to the agent: Lowered `LIMIT` because old glaze cracked. `npm test`: 4 tests passed.';
    const facts = [{ text: '`src/kiln.ts`: `1300;` became `1200;`', origin: 'evidence' as const }];
    expect(unsourcedIn({ title: 'Lowered LIMIT', narrative, facts })).toEqual([]);
  });

  it.each([
    'Nothing was changed.',
    'The user asked: “The kiln is too cold.”',
    'Lowered `MAXIMUM`.',
    'No test ran.',
  ])('reports %j', (narrative) => expect(unsourcedIn({ narrative })).toEqual([`narrative: ${narrative}`]));

  it('reports a fact of origin evidence that names no file, command, commit or count', () => {
    const text = 'glaze cracked';
    expect(unsourcedIn({ facts: [{ text, origin: 'evidence' }] })).toEqual([
      `fact (evidence) that names nothing of the evidence: ${text}`,
    ]);
  });
});
