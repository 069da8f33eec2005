import { plausibleReply } from '@claude-mem/testing/observers';
import { describe, expect, it } from 'vitest';
import { openObserverHarness, type ObserverHarness } from '../testing/open-observer-harness.js';
import { createTestHome, until } from '../testing/start-test-worker.js';

const MINUTE = 60_000;

async function talk(harness: ObserverHarness, from: number, to: number) {
  for (let turn = from; turn <= to; turn += 1)
    await harness.turn({
      session: 'talk',
      prompt: `Rule ${turn}: prices are in cents`,
      tools: [],
      closing: `Rule ${turn} is noted.`,
    });
  await harness.pass(5_000);
}

const rulesIn = (prompt = '') => [...new Set(Array.from(prompt.matchAll(/Rule \d+/g), ([rule]) => rule))];

describe('turns without tool uses', { timeout: 60_000 }, () => {
  it('are sent in one request when there are six of them', async () => {
    await using harness = await openObserverHarness({ answers: [plausibleReply()] });
    await talk(harness, 1, 5);
    expect(harness.vendor.requests).toHaveLength(0);
    expect(await harness.waiting()).toBe(5);
    const { items } = (await harness.worker.ask({ path: '/api/queue' })).json as {
      items: { reason: string }[];
    };
    expect(items[0]?.reason).toBe('Waiting for more turns without tool uses, for at most 10 minutes.');
    await talk(harness, 6, 12);
    await harness.pass(MINUTE);
    expect(harness.vendor.requests).toHaveLength(2);
    const [first, second] = harness.vendor.requests;
    expect(rulesIn(first?.prompt)).toEqual([1, 2, 3, 4, 5, 6].map((turn) => `Rule ${turn}`));
    expect(first?.prompt).toContain('The turns from 1 on in <conversation> are new');
    expect(second?.prompt).toMatch(/The turns from 7 on.*new/);
    expect(second?.prompt).toMatch(/Rule 7.*Rule 12/s);
    expect(await harness.outcomes()).toMatchObject({ stored: 12 });
    // one record for each request, and the conversation record
    expect((await harness.observations()).map(({ promptNumber }) => promptNumber)).toEqual([12, 6, 6]);
  });

  it('are sent when the session ends', async () => {
    await using harness = await openObserverHarness({ answers: [plausibleReply()] });
    await talk(harness, 1, 2);
    expect(harness.vendor.requests).toHaveLength(0);
    await harness.end('talk');
    await harness.pass(1_000);
    expect(harness.vendor.requests.map(({ prompt }) => rulesIn(prompt))).toEqual([['Rule 1', 'Rule 2']]);
    expect(await harness.waiting()).toBe(0);
  });

  it('are sent when the session was idle for ten minutes', async () => {
    await using harness = await openObserverHarness({ answers: [plausibleReply()] });
    await talk(harness, 1, 2);
    await harness.pass(9 * MINUTE, { stepMs: 10_000 });
    expect(harness.vendor.requests).toHaveLength(0);
    await harness.pass(MINUTE, { stepMs: 10_000 });
    expect(harness.vendor.requests).toHaveLength(1);
  });

  it('are sent with the next turn when it has tool uses', async () => {
    await using harness = await openObserverHarness({ answers: [plausibleReply()] });
    await talk(harness, 1, 3);
    await harness.turn({ session: 'talk', prompt: 'Rule 4: round once. Change it.' });
    await harness.pass(5_000);
    const [request] = harness.vendor.requests;
    expect(harness.vendor.requests).toHaveLength(1);
    expect(request?.prompt).toMatch(/Rule 1.*Rule 2.*Rule 3.*<turn number="4">.*Rule 4.*make limits/s);
    expect(await harness.outcomes()).toMatchObject({ stored: 5 });
  });

  it('are sent once when the worker restarts before the reply', async () => {
    using home = createTestHome();
    {
      await using harness = await openObserverHarness({ answers: [() => ({ kind: 'hang' })], home });
      await talk(harness, 1, 5);
      expect(harness.vendor.requests).toHaveLength(0);
      await harness.turn({ session: 'talk', prompt: 'Rule 6: round once', tools: [] });
      await harness.clock.advance(1_000);
      await until(() => harness.vendor.inFlight() === 1);
    }
    await using harness = await openObserverHarness({ answers: [plausibleReply()], home });
    await harness.pass(MINUTE);
    expect(harness.vendor.requests.map(({ prompt }) => rulesIn(prompt).length)).toEqual([6]);
    expect(await harness.outcomes()).toMatchObject({ stored: 6 });
  });

  it('are read one by one immediately when the observer uses rules', async () => {
    await using harness = await openObserverHarness({
      answers: [plausibleReply()],
      settings: { CLAUDE_MEM_PROVIDER: 'local' },
    });
    await talk(harness, 1, 2);
    expect(await harness.waiting()).toBe(0);
    expect(harness.vendor.requests).toHaveLength(0);
  });
});
