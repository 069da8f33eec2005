import { expect, it } from 'vitest';
import { countReasons, splitIds } from './reasons.js';

it.each([
  ['no room', ['no room']],
  ['superseded by #12', ['superseded by ', { id: 12 }]],
  ['same title as #3 and #4', ['same title as ', { id: 3 }, ' and ', { id: 4 }]],
  ['#0', []],
])('splits the reason %j into text and record ids', (reason, parts) =>
  expect(splitIds(reason)).toEqual(parts),
);

it('counts skip reasons together when they differ only in the record id', () => {
  expect(countReasons(['superseded by #1', 'no room', 'superseded by #2'])).toEqual([
    { reason: 'superseded by another', count: 2 },
    { reason: 'no room', count: 1 },
  ]);
});
