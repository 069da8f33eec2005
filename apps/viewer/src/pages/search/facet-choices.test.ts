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

it('puts what is chosen first, also when nothing found has it', () => {
  expect(facetChoices('type', { facets, chosen: ['change', 'decision'] })).toEqual([
    { value: 'change', count: null, isChosen: true },
    { value: 'decision', count: 2, isChosen: true },
    { value: 'bugfix', count: 3, isChosen: false },
  ]);
});

it('is what is chosen as long as no counts are known', () => {
  expect(facetChoices('project', { facets: undefined, chosen: ['shop'] })).toEqual([
    { value: 'shop', count: null, isChosen: true },
  ]);
});

it('counts hosts, and asks for those that are chosen', () => {
  expect(facetChoices('host', { facets, chosen: [] })).toEqual([
    { value: 'codex', count: 5, isChosen: false },
  ]);
  expect(toSearch('retry ', { host: ['codex'], kind: ['sessions'] })).toMatchObject({
    kind: 'sessions',
    query: 'retry',
    host: ['codex'],
  });
});

it('counts a path of several projects once', () => {
  expect(facetChoices('files', { facets, chosen: [] })).toEqual([
    { value: 'src/a.ts', count: 3, isChosen: false },
  ]);
});
