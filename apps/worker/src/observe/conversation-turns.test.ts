import { plausibleReply } from '@claude-mem/testing/observers';
import { describe, expect, it } from 'vitest';
import { openObserverLab, type ObserverLab } from '../testing/open-observer-lab.js';
import { createTestHome, until } from '../testing/start-test-worker.js';

const MINUTE = 60_000;

async function talk(lab: ObserverLab, from: number, to: number) {
  for (let turn = from; turn <= to; turn += 1)
    await lab.turn({
      session: 'talk',
      prompt: `Rule ${turn}: prices are in cents`,
      tools: [],
      closing: `Rule ${turn} is noted.`,
    });
  await lab.pass(5_000);
}

const rulesIn = (prompt = '') => [...new Set(Array.from(prompt.matchAll(/Rule \d+/g), ([rule]) => rule))];

describe('turns without tool uses', { timeout: 60_000 }, () => {
  it('are sent in one request when there are six of them', async () => {
    await using lab = await openObserverLab({ answers: [plausibleReply()] });
    await talk(lab, 1, 5);
    expect(lab.vendor.requests).toHaveLength(0);
    expect(await lab.waiting()).toBe(5);
    const { items } = (await lab.worker.ask({ path: '/api/queue' })).json as { items: { reason: string }[] };
    expect(items[0]?.reason).toBe('Waiting for more turns without tool uses, for at most 10 minutes.');
    await talk(lab, 6, 12);
    await lab.pass(MINUTE);
    expect(lab.vendor.requests).toHaveLength(2);
    const [first, second] = lab.vendor.requests;
    expect(rulesIn(first?.prompt)).toEqual([1, 2, 3, 4, 5, 6].map((turn) => `Rule ${turn}`));
    expect(first?.prompt).toContain('The turns from 1 on in <conversation> are new');
    expect(second?.prompt).toMatch(/The turns from 7 on.*new/);
    expect(second?.prompt).toMatch(/Rule 7.*Rule 12/s);
    expect(await lab.outcomes()).toMatchObject({ stored: 12 });
    // one record for each request, and the conversation record
    expect((await lab.observations()).map(({ promptNumber }) => promptNumber)).toEqual([12, 6, 6]);
  });

  it('are sent when the session ends', async () => {
    await using lab = await openObserverLab({ answers: [plausibleReply()] });
    await talk(lab, 1, 2);
    expect(lab.vendor.requests).toHaveLength(0);
    await lab.end('talk');
    await lab.pass(1_000);
    expect(lab.vendor.requests.map(({ prompt }) => rulesIn(prompt))).toEqual([['Rule 1', 'Rule 2']]);
    expect(await lab.waiting()).toBe(0);
  });

  it('are sent when the session was idle for ten minutes', async () => {
    await using lab = await openObserverLab({ answers: [plausibleReply()] });
    await talk(lab, 1, 2);
    await lab.pass(9 * MINUTE, { stepMs: 10_000 });
    expect(lab.vendor.requests).toHaveLength(0);
    await lab.pass(MINUTE, { stepMs: 10_000 });
    expect(lab.vendor.requests).toHaveLength(1);
  });

  it('are sent with the next turn when it has tool uses', async () => {
    await using lab = await openObserverLab({ answers: [plausibleReply()] });
    await talk(lab, 1, 3);
    await lab.turn({ session: 'talk', prompt: 'Rule 4: round once. Change it.' });
    await lab.pass(5_000);
    const [request] = lab.vendor.requests;
    expect(lab.vendor.requests).toHaveLength(1);
    expect(request?.prompt).toMatch(/Rule 1.*Rule 2.*Rule 3.*<turn number="4">.*Rule 4.*make limits/s);
    expect(await lab.outcomes()).toMatchObject({ stored: 5 });
  });

  it('are sent once when the worker restarts before the answer', async () => {
    using home = createTestHome();
    {
      await using lab = await openObserverLab({ answers: [() => ({ kind: 'hang' })], home });
      await talk(lab, 1, 5);
      expect(lab.vendor.requests).toHaveLength(0);
      await lab.turn({ session: 'talk', prompt: 'Rule 6: round once', tools: [] });
      await lab.clock.advance(1_000);
      await until(() => lab.vendor.inFlight() === 1);
    }
    await using lab = await openObserverLab({ answers: [plausibleReply()], home });
    await lab.pass(MINUTE);
    expect(lab.vendor.requests.map(({ prompt }) => rulesIn(prompt).length)).toEqual([6]);
    expect(await lab.outcomes()).toMatchObject({ stored: 6 });
  });

  it('are read one by one, at once, when the observer uses rules', async () => {
    await using lab = await openObserverLab({
      answers: [plausibleReply()],
      settings: { CLAUDE_MEM_PROVIDER: 'local' },
    });
    await talk(lab, 1, 2);
    expect(await lab.waiting()).toBe(0);
    expect(lab.vendor.requests).toHaveLength(0);
  });
});
