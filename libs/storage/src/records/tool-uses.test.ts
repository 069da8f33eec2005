import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEvents } from '../__fixtures__/events.js';
import { openTestStorage, type TestStorage } from '../__fixtures__/open-test-storage.js';

let test: TestStorage;
beforeEach(async () => {
  test = await openTestStorage();
});
afterEach(() => test.dispose());

describe('toolUses', () => {
  it('counts each use once, including failed and filtered uses', async () => {
    const { store } = test.storage;
    const events = createEvents();
    const twice = events.toolUse({ toolName: 'Read' });
    const [{ sessionId } = { sessionId: 0 }] = await store.capture([
      events.prompt('Go'),
      twice,
      twice,
      events.toolUse({ toolName: 'Bash', outcome: 'failed', error: 'exit code 1' }),
      events.toolUse({ toolName: 'Bash' }),
      events.toolUse({ toolName: 'TodoWrite', filterReason: 'tool TodoWrite is skipped by setting' }),
      events.turnEnd(),
    ]);
    expect(await store.toolUses(sessionId)).toEqual([
      { tool: 'Bash', count: 2, failed: 1 },
      { tool: 'Read', count: 1, failed: 0 },
      { tool: 'TodoWrite', count: 1, failed: 0 },
    ]);
    await store.capture([twice]);
    expect((await store.toolUses(sessionId))?.find(({ tool }) => tool === 'Read')?.count).toBe(1);
  });

  it('returns an empty list for a session without tool uses and null for a session from before counting', async () => {
    const { store } = test.storage;
    const events = createEvents();
    const [{ sessionId } = { sessionId: 0 }] = await store.capture([events.prompt('Go')]);
    expect(await store.toolUses(sessionId)).toEqual([]);
    test.tamper((database) => database.exec('DELETE FROM session_tool_uses'));
    await store.capture([events.toolUse()]);
    expect(await store.toolUses(sessionId)).toBeNull();
    expect(await store.toolUses(999)).toBeNull();
  });

  it('starts from zero when the session was deleted', async () => {
    const { store } = test.storage;
    const events = createEvents();
    const [{ sessionId } = { sessionId: 0 }] = await store.capture([
      events.toolUse({ toolName: 'secret-tool' }),
    ]);
    await store.forget({ sessionIds: [sessionId], now: 1 });
    expect(await store.toolUses(sessionId)).toEqual([]);
    await store.capture([events.toolUse({ toolName: 'Bash' })]);
    expect(await store.toolUses(sessionId)).toEqual([{ tool: 'Bash', count: 1, failed: 0 }]);
  });

  it('limits the number of tools and the length of their names', async () => {
    const { store } = test.storage;
    const events = createEvents();
    const many = Array.from({ length: 600 }, (_, n) => events.toolUse({ toolName: `tool-${n}` }));
    const [{ sessionId } = { sessionId: 0 }] = await store.capture([
      ...many,
      events.toolUse({ toolName: '' }),
      events.toolUse({ toolName: 'x'.repeat(10_000) }),
    ]);
    const counts = (await store.toolUses(sessionId)) ?? [];
    expect(counts).toHaveLength(501);
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(602);
    expect(counts[0]).toEqual({ tool: 'other tools', count: 102, failed: 0 });
    expect(Math.max(...counts.map(({ tool }) => tool.length))).toBeLessThanOrEqual(200);
  });
});
