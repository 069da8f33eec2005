import { describe, expect, it } from 'vitest';
import { withChanged, withoutForgotten } from './cached-records.js';
import { observationOf } from './testing/observation-of.js';

const one = observationOf({ id: 1 });
const two = observationOf({ id: 2 });

describe('withChanged', () => {
  it('changes an observation wherever it stands in an answer', () => {
    const changed = { uid: one.uid, pinned: true };
    expect(withChanged(one, changed)).toEqual({ ...one, pinned: true });
    const pages = { pages: [{ items: [{ kind: 'observation', item: one }] }], pageParams: [null] };
    expect(withChanged(pages, changed).pages[0]?.items[0]?.item.pinned).toBe(true);
    expect(pages.pages[0]?.items[0]?.item.pinned).toBe(false);
  });

  it('keeps the identity of what is not about it', () => {
    const data = { items: [{ item: one }, { item: two }], total: 2 };
    const changed = withChanged(data, { uid: one.uid, pinned: true });
    expect(changed.items[1]).toBe(data.items[1]);
    expect(withChanged(data, { uid: 'other', pinned: true })).toBe(data);
  });
});

describe('withoutForgotten', () => {
  it('takes entries and observations out of every list', () => {
    const data = { items: [{ item: one }, { item: two }], hits: [one, two] };
    expect(withoutForgotten(data, new Set([one.uid]))).toEqual({ items: [{ item: two }], hits: [two] });
  });

  it('leaves an answer without them as it is', () => {
    const data = { items: [{ item: two }] };
    expect(withoutForgotten(data, new Set([one.uid]))).toBe(data);
  });
});
