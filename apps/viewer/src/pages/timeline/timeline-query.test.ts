import type { TimelineItem } from '@claude-mem/worker-protocol';
import { expect, it } from 'vitest';
import { observationOf } from '../../records/testing/observation-of.js';
import { toStretch } from './timeline-query.js';

const entry = (id: number): TimelineItem => ({
  kind: 'observation',
  item: observationOf({ id }),
  project: 'shop',
});
const entries = (...ids: number[]) => ids.map(entry);
const idsOf = (items: readonly TimelineItem[]) => items.map(({ item }) => item.id);

it('knows that more lies on a side only when that side is full', () => {
  const reply = { items: entries(1, 2, 3, 4), anchorIndex: 2, degraded: [] };
  const stretch = toStretch(reply, { anchor: '#3', before: 2, after: 2 });
  expect(stretch).toMatchObject({ anchorIndex: 2, hasEarlier: true, hasLater: false });
});

it('leaves the record that a stretch was added at out of it', () => {
  const reply = { items: entries(1, 2, 3), anchorIndex: 2, degraded: [] };
  const stretch = toStretch(reply, { anchor: '3', before: 2, after: 0 });
  expect(idsOf(stretch.items)).toEqual([1, 2]);
  expect(stretch).toMatchObject({ anchorIndex: null, hasEarlier: true, hasLater: false });
});

it('marks nothing around a moment, and keeps all of it', () => {
  const reply = { items: entries(1, 2, 3, 4), anchorIndex: 2, degraded: [] };
  const stretch = toStretch(reply, { anchor: '2026-11-28T12:00', before: 2, after: 2 });
  expect(idsOf(stretch.items)).toEqual([1, 2, 3, 4]);
  expect(stretch).toMatchObject({ anchorIndex: null, hasEarlier: true, hasLater: true });
});
