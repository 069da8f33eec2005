import type { TimelineItem } from '@claude-mem/worker-protocol';
import { expect, it } from 'vitest';
import { observationOf } from '../../records/testing/observation-of.js';
import { toTimelinePart } from './timeline-query.js';

const entry = (id: number): TimelineItem => ({
  kind: 'observation',
  item: observationOf({ id }),
  project: 'shop',
});
const entries = (...ids: number[]) => ids.map(entry);
const idsOf = (items: readonly TimelineItem[]) => items.map(({ item }) => item.id);

it('reports more timeline entries on a side only when that side is full', () => {
  const reply = { items: entries(1, 2, 3, 4), anchorIndex: 2, degraded: [] };
  const part = toTimelinePart(reply, { anchor: '#3', before: 2, after: 2 });
  expect(part).toMatchObject({ anchorIndex: 2, hasEarlier: true, hasLater: false });
});

it('excludes the anchor when entries are added to one side of the timeline', () => {
  const reply = { items: entries(1, 2, 3), anchorIndex: 2, degraded: [] };
  const part = toTimelinePart(reply, { anchor: '3', before: 2, after: 0 });
  expect(idsOf(part.items)).toEqual([1, 2]);
  expect(part).toMatchObject({ anchorIndex: null, hasEarlier: true, hasLater: false });
});

it('marks no anchor and keeps all entries when the timeline is centred on a time', () => {
  const reply = { items: entries(1, 2, 3, 4), anchorIndex: 2, degraded: [] };
  const part = toTimelinePart(reply, { anchor: '2026-11-28T12:00', before: 2, after: 2 });
  expect(idsOf(part.items)).toEqual([1, 2, 3, 4]);
  expect(part).toMatchObject({ anchorIndex: null, hasEarlier: true, hasLater: true });
});
