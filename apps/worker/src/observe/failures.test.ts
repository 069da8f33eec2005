import type { WireAnswer } from '@claude-mem/agent-providers/testing';
import { plausibleReply } from '@claude-mem/testing/observers';
import { describe, expect, it } from 'vitest';
import { openObserverHarness } from '../testing/open-observer-harness.js';
import { until } from '../testing/start-test-worker.js';

const MINUTE = 60_000;
const LOGIN = 'Invalid API key · Please run /login';

/** Returns the answers one by one, then plausible replies. */
function script(...answers: WireAnswer[]) {
  const otherwise = plausibleReply();
  return (asked: { instructions: string; prompt: string }) => answers.shift() ?? otherwise(asked);
}

const error = (
  status: number,
  errorKind: 'quota' | 'auth' | 'rate-limit' | 'overloaded',
  more: object = {},
) => ({ kind: 'error', status, errorKind, ...more }) as const;
const text = (reply: string): WireAnswer => ({ kind: 'reply', text: reply });

describe('a failing vendor', { timeout: 60_000 }, () => {
  it.each([2, 90])(
    'B122: waits the %d s that a rate limit names, three times, and stores one observation',
    async (seconds) => {
      const times: number[] = [];
      const answer = script(...Array(3).fill(error(429, 'rate-limit', { retryAfterSeconds: seconds })));
      await using harness = await openObserverHarness({
        answers: [
          (asked) => {
            times.push(harness.clock.now());
            return answer(asked);
          },
        ],
      });
      await harness.turn({ session: 'b122' });
      await harness.pass(MINUTE + 3_500 * seconds, { stepMs: 500 });
      expect(times).toHaveLength(4);
      for (const [at, time] of times.slice(1).entries())
        expect(time - (times[at] ?? 0)).toBeGreaterThanOrEqual(seconds * 1_000);
      expect(await harness.observations()).toHaveLength(1);
      expect(await harness.worker.health()).toMatchObject({ status: 'ok', notices: [] });
    },
  );

  it.each([
    ['402', error(402, 'quota')],
    ['403 with a key limit', error(403, 'quota', { message: 'Key limit exceeded (total limit)' })],
  ])(
    'B123: stops the calls, keeps the events and reports the failure once when the vendor answers %s',
    async (_name, answer) => {
      await using harness = await openObserverHarness({ answers: [() => answer] });
      await harness.turn({ session: 'b123' });
      await harness.pass(9 * MINUTE, { stepMs: 5_000 });
      await harness.turn({ session: 'b123-more' });
      await harness.pass(30_000);
      expect(harness.vendor.requests).toHaveLength(1);
      const health = await harness.worker.health();
      expect(health).toMatchObject({ status: 'degraded', queue: { pending: 4, parked: 0 } });
      expect(health.notices).toHaveLength(1);
      expect(health.notices[0]).toMatch(
        /^The observer claude is paused until 09:1\d, events stay in the queue: /,
      );
      const start = await harness.sessionStart();
      expect(start.split('The observer claude is paused')).toHaveLength(2);
      expect(await harness.observations()).toEqual([]);
    },
  );

  it('B124: retries after a growing pause when the vendor answers with a 529 page or cuts the connection, and stores the record once', async () => {
    const times: number[] = [];
    const answer = script({ kind: 'html', status: 529 }, { kind: 'reset' });
    await using harness = await openObserverHarness({
      answers: [
        (asked) => {
          times.push(harness.clock.now());
          return answer(asked);
        },
      ],
    });
    await harness.turn({ session: 'b124' });
    await harness.pass(1_000, { stepMs: 100 });
    expect((await harness.worker.health()).notices[0]).toContain('will be retried');
    await harness.pass(MINUTE, { stepMs: 100 });
    const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
    expect(gaps).toHaveLength(2);
    expect(gaps[0]).toBeGreaterThanOrEqual(1_500);
    expect(gaps[1]).toBeGreaterThanOrEqual(6_000);
    // the pause is randomized, so that clients do not retry at the same time
    expect(gaps).not.toEqual([2_000, 8_000]);
    expect(await harness.observations()).toHaveLength(1);
    expect(await harness.outcomes()).toMatchObject({ stored: 2 });
  });

  it('B125: keeps the batch and stores no record when the login fails, and reports a login problem', async () => {
    await using harness = await openObserverHarness({ answers: [script(text(LOGIN))] });
    await harness.turn({ session: 'b125' });
    await harness.pass(9 * MINUTE, { stepMs: 5_000 });
    expect(harness.vendor.requests).toHaveLength(1);
    expect((await harness.worker.health()).queue).toMatchObject({ pending: 2, parked: 0 });
    const { observer } = (await harness.worker.ask({ path: '/api/health' })).json as {
      observer: { providers: { state: string; reason: string }[] };
    };
    expect(observer.providers).toMatchObject([{ name: 'claude', state: 'aside' }]);
    expect(observer.providers[0]?.reason).toMatch(/key|log ?in/i);
    await harness.pass(5 * MINUTE, { stepMs: 5_000 });
    expect(await harness.observations()).toHaveLength(1);
    expect(await harness.worker.health()).toMatchObject({ status: 'ok', queue: { pending: 0 } });
  });

  it.each([
    'Prompt is too long',
    'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"unexpected field"}}',
    '<html><head><title>Blocked by the proxy</title></head><body></body></html>',
  ])('R15: pauses the provider and keeps all events when a successful answer says %j', async (failure) => {
    await using harness = await openObserverHarness({ answers: [script(...Array(3).fill(text(failure)))] });
    await harness.turn({ session: 'r15', tools: [{}, {}, {}] });
    await harness.pass(5_000, { stepMs: 500 });
    expect(harness.vendor.requests.length).toBeLessThanOrEqual(3);
    const { queue, notices } = await harness.worker.health();
    expect(queue).toMatchObject({ pending: 4, parked: 0 });
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain('The observer answered with a failure instead of a memory');
    await harness.pass(35 * MINUTE, { stepMs: 5_000 });
    expect(await harness.observations()).toHaveLength(1);
    expect(await harness.worker.health()).toMatchObject({ status: 'ok', queue: { pending: 0, parked: 0 } });
  });

  it('R15: reduces a request at most twice when the text of an answer says that it is too long', async () => {
    await using harness = await openObserverHarness({ answers: [() => text('Prompt is too long')] });
    const tool_response = { stdout: 'a line of the output\n'.repeat(2_000) };
    await harness.turn({ session: 'r15-large', tools: Array.from({ length: 8 }, () => ({ tool_response })) });
    await harness.pass(9 * MINUTE, { stepMs: 5_000 });
    expect(harness.vendor.requests.length).toBeLessThanOrEqual(3);
    expect((await harness.worker.health()).queue).toMatchObject({ pending: 9, parked: 0 });
  });

  it('B016: parks a batch after three empty replies, lists it, and stores it after a retry', async () => {
    const prose = text('I looked at the events and they seem fine to me, the module is in good shape.');
    await using harness = await openObserverHarness({ answers: [script(...Array(3).fill(prose))] });
    await harness.turn({ session: 'b016', tools: [] });
    await harness.end('b016');
    await harness.pass(5 * MINUTE, { stepMs: 5_000 });
    expect(harness.vendor.requests).toHaveLength(3);
    expect((await harness.worker.health()).queue).toMatchObject({ pending: 0, parked: 1 });
    const { items } = (await harness.worker.ask({ path: '/api/queue?status=parked' })).json as {
      items: { lastError: string }[];
    };
    expect(items[0]?.lastError).toContain('prose');
    await harness.worker.ask({ method: 'POST', path: '/api/queue/retry', body: { status: 'parked' } });
    await harness.pass(5_000);
    expect(await harness.observations()).toHaveLength(1);
    expect((await harness.worker.health()).queue).toMatchObject({ pending: 0, parked: 0 });
  });

  it('B065: sends no answered part again after a failure', async () => {
    const answered: string[] = [];
    const answer = script(error(529, 'overloaded'));
    await using harness = await openObserverHarness({
      answers: [
        (asked) => {
          const message = answer(asked);
          if (message.kind === 'reply') answered.push(asked.prompt);
          return message;
        },
      ],
      settings: { CLAUDE_MEM_BATCH_MAX_SIZE: 2 },
    });
    const tools = Array.from({ length: 6 }, (_, index) => ({
      tool_input: { command: `make part-${index}` },
      tool_response: { stdout: `built part ${index}\n`.repeat(400) },
    }));
    await harness.turn({ session: 'b065', tools });
    await harness.pass(MINUTE);
    const [failed, again] = harness.vendor.requests;
    expect(again?.raw.equals(failed?.raw ?? Buffer.alloc(0))).toBe(true);
    for (let index = 0; index < 6; index += 1)
      expect(answered.filter((prompt) => prompt.includes(`make part-${index}`))).toHaveLength(1);
    expect(harness.vendor.requests).toHaveLength(answered.length + 1);
  });

  it('B027: keeps the number of requests in flight within the session limit', async () => {
    let most = 0;
    await using harness = await openObserverHarness({
      answers: [
        async (asked) => {
          // the first request waits for a second one; every request waits for others that would exceed the limit
          await until(() => {
            most = Math.max(most, harness.vendor.inFlight());
            return most > 1;
          });
          for (let round = 0; round < 5; round += 1) await harness.worker.health();
          most = Math.max(most, harness.vendor.inFlight());
          return plausibleReply()(asked);
        },
      ],
    });
    for (let session = 0; session < 10; session += 1) await harness.turn({ session: `b027-${session}` });
    await harness.pass(10_000);
    expect(await harness.waiting()).toBe(0);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(4);
  });
});

describe('a failing vendor with a fallback', { timeout: 60_000 }, () => {
  const by = async (harness: Awaited<ReturnType<typeof openObserverHarness>>) =>
    (await harness.observations()).map(({ provider }) => provider).reverse();

  it('sends the batch to the fallback immediately, and returns to the first provider later', async () => {
    const first = script(error(402, 'quota'), error(402, 'quota'));
    await using harness = await openObserverHarness({
      observers: ['claude', 'gemini'],
      answers: [first, plausibleReply()],
    });
    await harness.turn({ session: 'one' });
    await harness.pass(2_000);
    expect(await by(harness)).toEqual(['gemini']);
    const { notices } = await harness.worker.health();
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain('paused until 09:10, gemini is used instead');
    await harness.turn({ session: 'two' });
    await harness.pass(2_000);
    expect(harness.vendor.requests).toHaveLength(1);
    for (const session of ['three', 'four']) {
      await harness.pass(10 * MINUTE, { stepMs: 5_000 });
      await harness.turn({ session });
      await harness.pass(2_000);
    }
    expect(await by(harness)).toEqual(['gemini', 'gemini', 'gemini', 'claude']);
    expect(harness.vendor.requests).toHaveLength(3);
    expect(await harness.worker.health()).toMatchObject({ status: 'ok', notices: [] });
  });

  it('uses the local provider after the third failure in a row, and returns to the vendor later', async () => {
    let isOut = true;
    const reply = plausibleReply();
    await using harness = await openObserverHarness({
      answers: [(asked) => (isOut ? error(529, 'overloaded') : reply(asked))],
      settings: { CLAUDE_MEM_PROVIDER_FALLBACK: 'local' },
    });
    const edit = (name: string) => {
      const file_path = `${harness.worker.home.project}/src/${name}.ts`;
      const tool_input = { file_path, old_string: 'limit = 1', new_string: 'limit = 2' };
      return { tool_name: 'Edit', tool_input, tool_response: { filePath: file_path } };
    };
    await harness.turn({
      session: 'one',
      tools: [edit('one')],
      closing: 'Raised the limit in `src/one.ts`.',
    });
    await harness.pass(5_000);
    expect(await harness.observations()).toEqual([]);
    await harness.pass(MINUTE);
    expect(harness.vendor.requests).toHaveLength(3);
    expect(await by(harness)).toEqual(['local']);
    isOut = false;
    await harness.pass(10 * MINUTE, { stepMs: 5_000 });
    await harness.turn({ session: 'two', tools: [edit('two')] });
    await harness.pass(5_000);
    expect(await by(harness)).toEqual(['local', 'claude']);
    expect(await harness.worker.health()).toMatchObject({ status: 'ok', notices: [] });
  });

  it('sends no part of a running turn to a provider that reads complete turns', async () => {
    await using harness = await openObserverHarness({
      answers: [() => error(402, 'quota')],
      settings: { CLAUDE_MEM_PROVIDER_FALLBACK: 'local' },
    });
    await harness.turn({ session: 'first' });
    await harness.pass(5_000);
    expect(await harness.waiting()).toBe(0);
    await harness.turn({ session: 'long', tools: Array.from({ length: 30 }, () => ({})), closing: null });
    await harness.pass(MINUTE);
    expect(await harness.waiting()).toBe(30);
  });

  it('names the setup command when a provider is not set up, and uses the fallback', async () => {
    await using harness = await openObserverHarness({
      answers: [() => ({ kind: 'hang' })],
      settings: { CLAUDE_MEM_PROVIDER: 'gemini', CLAUDE_MEM_PROVIDER_FALLBACK: 'local' },
    });
    const { notices } = await harness.worker.health();
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain('claude-mem settings set CLAUDE_MEM_GEMINI_API_KEY');
    expect(await harness.sessionStart()).toContain('CLAUDE_MEM_GEMINI_API_KEY');
    await harness.turn({ session: 'one' });
    await harness.pass(5_000);
    expect(await harness.waiting()).toBe(0);
  });
});
