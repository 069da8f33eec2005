import { describe, expect, it } from 'vitest';
import { createNotices } from './notices.js';

describe('notices', () => {
  it('are queued until they can be shown, except those that were closed before', () => {
    const notices = createNotices();
    let calls = 0;
    notices.onFirst(() => (calls += 1));
    expect(notices.hasAny()).toBe(false);
    const [first, second] = [notices.add({ title: 'One' }), notices.add({ title: 'Two' })];
    expect([calls, notices.hasAny()]).toEqual([1, true]);
    notices.close(first);
    const shown: unknown[] = [];
    const closed: unknown[] = [];
    notices.showWith({
      add: ({ id = '', title }) => {
        shown.push([id, title]);
        return id;
      },
      close: (id) => void closed.push(id),
    });
    expect(shown).toEqual([[second, 'Two']]);
    const third = notices.add({ title: 'Three' });
    expect(shown.at(-1)).toEqual([third, 'Three']);
    notices.close(second);
    expect(closed).toEqual([second]);
  });
});
