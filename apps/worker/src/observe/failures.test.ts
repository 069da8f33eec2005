import type { WireAnswer } from '@claude-mem/agent-providers/testing';
import { plausibleReply } from '@claude-mem/testing/observers';
import { describe, expect, it } from 'vitest';
import { openObserverLab } from '../testing/open-observer-lab.js';
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
      await using lab = await openObserverLab({
        answers: [
          (asked) => {
            times.push(lab.clock.now());
            return answer(asked);
          },
        ],
      });
      await lab.turn({ session: 'b122' });
      await lab.pass(MINUTE + 3_500 * seconds, { stepMs: 500 });
      expect(times).toHaveLength(4);
      for (const [at, time] of times.slice(1).entries())
        expect(time - (times[at] ?? 0)).toBeGreaterThanOrEqual(seconds * 1_000);
      expect(await lab.observations()).toHaveLength(1);
      expect(await lab.worker.health()).toMatchObject({ status: 'ok', notices: [] });
    },
  );

  it.each([
    ['402', error(402, 'quota')],
    ['403 with a key limit', error(403, 'quota', { message: 'Key limit exceeded (total limit)' })],
  ])(
    'B123: stops the calls, keeps the events and reports the failure once when the vendor answers %s',
    async (_name, answer) => {
      await using lab = await openObserverLab({ answers: [() => answer] });
      await lab.turn({ session: 'b123' });
      await lab.pass(9 * MINUTE, { stepMs: 5_000 });
      await lab.turn({ session: 'b123-more' });
      await lab.pass(30_000);
      expect(lab.vendor.requests).toHaveLength(1);
      const health = await lab.worker.health();
      expect(health).toMatchObject({ status: 'degraded', queue: { pending: 4, parked: 0 } });
      expect(health.notices).toHaveLength(1);
      expect(health.notices[0]).toMatch(
        /^The observer claude is paused until 09:1\d, events stay in the queue: /,
      );
      const start = await lab.sessionStart();
      expect(start.split('The observer claude is paused')).toHaveLength(2);
      expect(await lab.observations()).toEqual([]);
    },
  );

  it('B124: retries after a growing pause when the vendor answers with a 529 page or cuts the connection, and stores the record once', async () => {
    const times: number[] = [];
    const answer = script({ kind: 'html', status: 529 }, { kind: 'reset' });
    await using lab = await openObserverLab({
      answers: [
        (asked) => {
          times.push(lab.clock.now());
          return answer(asked);
        },
      ],
    });
    await lab.turn({ session: 'b124' });
    await lab.pass(1_000, { stepMs: 100 });
    expect((await lab.worker.health()).notices[0]).toContain('will be retried');
    await lab.pass(MINUTE, { stepMs: 100 });
    const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
    expect(gaps).toHaveLength(2);
    expect(gaps[0]).toBeGreaterThanOrEqual(1_500);
    expect(gaps[1]).toBeGreaterThanOrEqual(6_000);
    // the pause is randomized, so that clients do not retry at the same time
    expect(gaps).not.toEqual([2_000, 8_000]);
    expect(await lab.observations()).toHaveLength(1);
    expect(await lab.outcomes()).toMatchObject({ stored: 2 });
  });

  it('B125: stores no login failure as a record, keeps its batch and reports the failure as a login problem', async () => {
    await using lab = await openObserverLab({ answers: [script(text(LOGIN))] });
    await lab.turn({ session: 'b125' });
    await lab.pass(9 * MINUTE, { stepMs: 5_000 });
    expect(lab.vendor.requests).toHaveLength(1);
    expect((await lab.worker.health()).queue).toMatchObject({ pending: 2, parked: 0 });
    const { observer } = (await lab.worker.ask({ path: '/api/health' })).json as {
      observer: { providers: { state: string; reason: string }[] };
    };
    expect(observer.providers).toMatchObject([{ name: 'claude', state: 'aside' }]);
    expect(observer.providers[0]?.reason).toMatch(/key|log ?in/i);
    await lab.pass(5 * MINUTE, { stepMs: 5_000 });
    expect(await lab.observations()).toHaveLength(1);
    expect(await lab.worker.health()).toMatchObject({ status: 'ok', queue: { pending: 0 } });
  });

  it.each([
    'Prompt is too long',
    'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"unexpected field"}}',
    '<html><head><title>Blocked by the proxy</title></head><body></body></html>',
  ])('R15: pauses the provider and keeps all events when a successful answer says %j', async (failure) => {
    await using lab = await openObserverLab({ answers: [script(...Array(3).fill(text(failure)))] });
    await lab.turn({ session: 'r15', tools: [{}, {}, {}] });
    await lab.pass(5_000, { stepMs: 500 });
    expect(lab.vendor.requests.length).toBeLessThanOrEqual(3);
    const { queue, notices } = await lab.worker.health();
    expect(queue).toMatchObject({ pending: 4, parked: 0 });
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain('The observer answered with a failure instead of a memory');
    await lab.pass(35 * MINUTE, { stepMs: 5_000 });
    expect(await lab.observations()).toHaveLength(1);
    expect(await lab.worker.health()).toMatchObject({ status: 'ok', queue: { pending: 0, parked: 0 } });
  });

  it('R15: reduces a request at most twice when the text of an answer says that it is too long', async () => {
    await using lab = await openObserverLab({ answers: [() => text('Prompt is too long')] });
    const tool_response = { stdout: 'a line of the output\n'.repeat(2_000) };
    await lab.turn({ session: 'r15-large', tools: Array.from({ length: 8 }, () => ({ tool_response })) });
    await lab.pass(9 * MINUTE, { stepMs: 5_000 });
    expect(lab.vendor.requests.length).toBeLessThanOrEqual(3);
    expect((await lab.worker.health()).queue).toMatchObject({ pending: 9, parked: 0 });
  });

  it('B016: parks a batch after three empty replies, lists it, and stores it after a retry', async () => {
    const prose = text('I looked at the events and they seem fine to me, the module is in good shape.');
    await using lab = await openObserverLab({ answers: [script(...Array(3).fill(prose))] });
    await lab.turn({ session: 'b016', tools: [] });
    await lab.end('b016');
    await lab.pass(5 * MINUTE, { stepMs: 5_000 });
    expect(lab.vendor.requests).toHaveLength(3);
    expect((await lab.worker.health()).queue).toMatchObject({ pending: 0, parked: 1 });
    const { items } = (await lab.worker.ask({ path: '/api/queue?status=parked' })).json as {
      items: { lastError: string }[];
    };
    expect(items[0]?.lastError).toContain('prose');
    await lab.worker.ask({ method: 'POST', path: '/api/queue/retry', body: { status: 'parked' } });
    await lab.pass(5_000);
    expect(await lab.observations()).toHaveLength(1);
    expect((await lab.worker.health()).queue).toMatchObject({ pending: 0, parked: 0 });
  });

  it('B065: sends no answered part again after a failure', async () => {
    const answered: string[] = [];
    const answer = script(error(529, 'overloaded'));
    await using lab = await openObserverLab({
      answers: [
        (asked) => {
          const said = answer(asked);
          if (said.kind === 'reply') answered.push(asked.prompt);
          return said;
        },
      ],
      settings: { CLAUDE_MEM_BATCH_MAX_SIZE: 2 },
    });
    const tools = Array.from({ length: 6 }, (_, index) => ({
      tool_input: { command: `make part-${index}` },
      tool_response: { stdout: `built part ${index}\n`.repeat(400) },
    }));
    await lab.turn({ session: 'b065', tools });
    await lab.pass(MINUTE);
    const [failed, again] = lab.vendor.requests;
    expect(again?.raw.equals(failed?.raw ?? Buffer.alloc(0))).toBe(true);
    for (let index = 0; index < 6; index += 1)
      expect(answered.filter((prompt) => prompt.includes(`make part-${index}`))).toHaveLength(1);
    expect(lab.vendor.requests).toHaveLength(answered.length + 1);
  });

  it('B027: keeps the number of requests in flight within the session limit', async () => {
    let most = 0;
    await using lab = await openObserverLab({
      answers: [
        async (asked) => {
          // the first request waits for a second one; every request waits for others that would exceed the limit
          await until(() => {
            most = Math.max(most, lab.vendor.inFlight());
            return most > 1;
          });
          for (let round = 0; round < 5; round += 1) await lab.worker.health();
          most = Math.max(most, lab.vendor.inFlight());
          return plausibleReply()(asked);
        },
      ],
    });
    for (let session = 0; session < 10; session += 1) await lab.turn({ session: `b027-${session}` });
    await lab.pass(10_000);
    expect(await lab.waiting()).toBe(0);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(4);
  });
});

describe('a failing vendor with a fallback', { timeout: 60_000 }, () => {
  const by = async (lab: Awaited<ReturnType<typeof openObserverLab>>) =>
    (await lab.observations()).map(({ provider }) => provider).reverse();

  it('sends the batch to the fallback immediately, and returns to the first provider later', async () => {
    const first = script(error(402, 'quota'), error(402, 'quota'));
    await using lab = await openObserverLab({
      observers: ['claude', 'gemini'],
      answers: [first, plausibleReply()],
    });
    await lab.turn({ session: 'one' });
    await lab.pass(2_000);
    expect(await by(lab)).toEqual(['gemini']);
    const { notices } = await lab.worker.health();
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain('paused until 09:10, gemini is used instead');
    await lab.turn({ session: 'two' });
    await lab.pass(2_000);
    expect(lab.vendor.requests).toHaveLength(1);
    for (const session of ['three', 'four']) {
      await lab.pass(10 * MINUTE, { stepMs: 5_000 });
      await lab.turn({ session });
      await lab.pass(2_000);
    }
    expect(await by(lab)).toEqual(['gemini', 'gemini', 'gemini', 'claude']);
    expect(lab.vendor.requests).toHaveLength(3);
    expect(await lab.worker.health()).toMatchObject({ status: 'ok', notices: [] });
  });

  it('uses local after the third failure in a row, and returns to the vendor later', async () => {
    let isOut = true;
    const reply = plausibleReply();
    await using lab = await openObserverLab({
      answers: [(asked) => (isOut ? error(529, 'overloaded') : reply(asked))],
      settings: { CLAUDE_MEM_PROVIDER_FALLBACK: 'local' },
    });
    const edit = (name: string) => {
      const file_path = `${lab.worker.home.project}/src/${name}.ts`;
      const tool_input = { file_path, old_string: 'limit = 1', new_string: 'limit = 2' };
      return { tool_name: 'Edit', tool_input, tool_response: { filePath: file_path } };
    };
    await lab.turn({ session: 'one', tools: [edit('one')], closing: 'Raised the limit in `src/one.ts`.' });
    await lab.pass(5_000);
    expect(await lab.observations()).toEqual([]);
    await lab.pass(MINUTE);
    expect(lab.vendor.requests).toHaveLength(3);
    expect(await by(lab)).toEqual(['local']);
    isOut = false;
    await lab.pass(10 * MINUTE, { stepMs: 5_000 });
    await lab.turn({ session: 'two', tools: [edit('two')] });
    await lab.pass(5_000);
    expect(await by(lab)).toEqual(['local', 'claude']);
    expect(await lab.worker.health()).toMatchObject({ status: 'ok', notices: [] });
  });

  it('sends no part of a running turn to a provider that reads complete turns', async () => {
    await using lab = await openObserverLab({
      answers: [() => error(402, 'quota')],
      settings: { CLAUDE_MEM_PROVIDER_FALLBACK: 'local' },
    });
    await lab.turn({ session: 'first' });
    await lab.pass(5_000);
    expect(await lab.waiting()).toBe(0);
    await lab.turn({ session: 'long', tools: Array.from({ length: 30 }, () => ({})), closing: null });
    await lab.pass(MINUTE);
    expect(await lab.waiting()).toBe(30);
  });

  it('names the setup command when a provider is not set up, and uses the fallback', async () => {
    await using lab = await openObserverLab({
      answers: [() => ({ kind: 'hang' })],
      settings: { CLAUDE_MEM_PROVIDER: 'gemini', CLAUDE_MEM_PROVIDER_FALLBACK: 'local' },
    });
    const { notices } = await lab.worker.health();
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain('claude-mem settings set CLAUDE_MEM_GEMINI_API_KEY');
    expect(await lab.sessionStart()).toContain('CLAUDE_MEM_GEMINI_API_KEY');
    await lab.turn({ session: 'one' });
    await lab.pass(5_000);
    expect(await lab.waiting()).toBe(0);
  });
});
