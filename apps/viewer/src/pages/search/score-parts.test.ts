import { expect, it } from 'vitest';
import { scoreParts } from './score-parts.js';

it('describes the parts of a score in words, largest first, with their share of the largest part', () => {
  const shown = scoreParts(
    [
      { name: 'recency', value: 0.1 },
      { name: 'lexical', value: 0.5, detail: 'retri 1.20, time out 0.80' },
      { name: 'supersession', value: -0.25 },
      { name: 'semantic', value: 0.2, detail: 'obs_12_fact_0 0.71' },
    ],
    ['retrying', 'other'],
  );
  expect(shown.map(({ label: words, share, detail }) => [words, share, detail])).toEqual([
    ['Lexical match', 1, 'retrying, time out'],
    ['Superseding or superseded record', 0.5, null],
    ['Semantic match', 0.4, null],
    ['Recency of the session', 0.2, null],
  ]);
});

it('shows an unknown part of a score by its name, and returns no parts when there are none', () => {
  expect(scoreParts([{ name: 'novel', value: 1 }])[0]?.label).toBe('novel');
  expect(scoreParts([])).toEqual([]);
});
