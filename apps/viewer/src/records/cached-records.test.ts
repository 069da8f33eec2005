import { describe, expect, it } from 'vitest';
import { withChanged, withoutForgotten } from './cached-records.js';
import { observationOf } from './testing/observation-of.js';

const one = observationOf({ id: 1 });
const two = observationOf({ id: 2 });

describe('withChanged', () => {
  it('changes the observation at every position in a cached response', () => {
    const changed = { uid: one.uid, pinned: true };
    expect(withChanged(one, changed)).toEqual({ ...one, pinned: true });
    const pages = { pages: [{ items: [{ kind: 'observation', item: one }] }], pageParams: [null] };
    expect(withChanged(pages, changed).pages[0]?.items[0]?.item.pinned).toBe(true);
    expect(pages.pages[0]?.items[0]?.item.pinned).toBe(false);
  });

  it('keeps the identity of unchanged parts', () => {
    const data = { items: [{ item: one }, { item: two }], total: 2 };
    const changed = withChanged(data, { uid: one.uid, pinned: true });
    expect(changed.items[1]).toBe(data.items[1]);
    expect(withChanged(data, { uid: 'other', pinned: true })).toBe(data);
  });
});

describe('withoutForgotten', () => {
  const forgotten = { observationIds: [1], sessionIds: [] };

  it('removes deleted observations and their entries from every list', () => {
    const data = { items: [{ item: one }, { item: two }], hits: [one, two] };
    expect(withoutForgotten(data, forgotten)).toEqual({ items: [{ item: two }], hits: [two] });
  });

  it('removes prompts and sessions only when their session was deleted', () => {
    const prompt = { id: 1, uid: 'prompt', sessionId: 7, promptText: '' };
    const session = { id: 7, uid: 'session', contentSessionId: 'x' };
    const data = { items: [{ kind: 'prompt', item: prompt }], sessions: [session] };
    expect(withoutForgotten(data, forgotten)).toBe(data);
    expect(withoutForgotten(data, { observationIds: [], sessionIds: [7] })).toEqual({
      items: [],
      sessions: [],
    });
  });

  it('returns the same response when it contains no deleted record', () => {
    const data = { items: [{ item: two }] };
    expect(withoutForgotten(data, forgotten)).toBe(data);
  });
});
