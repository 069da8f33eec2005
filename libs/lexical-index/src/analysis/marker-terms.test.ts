import { expect, it } from 'vitest';
import { fileTerms, labelTerm } from './marker-terms.js';

it.each<[string, ReturnType<typeof fileTerms>]>([
  [
    'src/api/Router.ts',
    { complete: '/src/api/router.ts', reversed: '//router.ts/api/src/', folders: ['/src/', '/src/api/'] },
  ],
  ['./a.ts', { complete: '/a.ts', reversed: '//a.ts/', folders: [] }],
  ['/etc/hosts', { complete: '/etc/hosts', reversed: '//hosts/etc/', folders: ['/etc/'] }],
  [
    'C:\\repos\\a.ts',
    { complete: '/c:/repos/a.ts', reversed: '//a.ts/repos/c:/', folders: ['/c:/', '/c:/repos/'] },
  ],
  ['src//a.ts', { complete: '/src/a.ts', reversed: '//a.ts/src/', folders: ['/src/'] }],
  ['src/api/', { complete: '/src/api', reversed: '//api/src/', folders: ['/src/', '/src/api/'] }],
  ['cafe\u0301.ts', { complete: '/café.ts', reversed: '//café.ts/', folders: [] }],
  ['', { complete: '/', reversed: '///', folders: [] }],
])('returns the path, the reversed path and the folders of a file: %s', (path, terms) => {
  expect(fileTerms(path)).toEqual(terms);
});

it('limits the length and number of terms of a path', () => {
  const { complete, reversed, folders } = fileTerms(`${'x'.repeat(20)}/`.repeat(10_000));
  expect(
    Math.max(complete.length, reversed.length, ...folders.map(({ length }) => length)),
  ).toBeLessThanOrEqual(512);
  expect(folders.length).toBeLessThanOrEqual(32);
  expect(fileTerms(`${'🙂'.repeat(400)}`).complete.isWellFormed()).toBe(true);
});

it('returns the complete name of a concept in lower case', () => {
  expect(labelTerm(' How It Works ')).toBe('#how it works');
});
