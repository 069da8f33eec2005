import { expect, it } from 'vitest';
import { facetChoices } from './facet-choices.js';
import { toSearch } from './search-query.js';

const facets = {
  total: 5,
  projects: [{ id: 1, name: 'shop', count: 4 }],
  hosts: [{ value: 'codex' as const, count: 5 }],
  kinds: [],
  types: [
    { value: 'bugfix', count: 3 },
    { value: 'decision', count: 2 },
  ],
  concepts: [],
  files: [
    { value: 'src/a.ts', count: 2, project: 'shop' },
    { value: 'src/a.ts', count: 1, project: 'site' },
  ],
};

it('lists chosen facet values first, even when no result has them', () => {
  expect(facetChoices('type', { facets, chosen: ['change', 'decision'] })).toEqual([
    { value: 'change', count: null, isChosen: true },
    { value: 'decision', count: 2, isChosen: true },
    { value: 'bugfix', count: 3, isChosen: false },
  ]);
});

it('lists only the chosen facet values while the counts are unknown', () => {
  expect(facetChoices('project', { facets: undefined, chosen: ['shop'] })).toEqual([
    { value: 'shop', count: null, isChosen: true },
  ]);
});

it('counts hosts as facet values, and sends the chosen hosts with the search', () => {
  expect(facetChoices('host', { facets, chosen: [] })).toEqual([
    { value: 'codex', count: 5, isChosen: false },
  ]);
  expect(toSearch('retry ', { host: ['codex'], kind: ['sessions'] })).toMatchObject({
    kind: 'sessions',
    query: 'retry',
    host: ['codex'],
  });
});

it('lists a path once with the sum of its counts when several projects contain the path', () => {
  expect(facetChoices('files', { facets, chosen: [] })).toEqual([
    { value: 'src/a.ts', count: 3, isChosen: false },
  ]);
});
