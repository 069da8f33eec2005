import type { WireAnswer } from '@claude-mem/agent-providers/testing';
import type { UsageRow } from '@claude-mem/core';
import { bySize, isFullRun } from '@claude-mem/testing';
import {
  MODEL_OBSERVERS,
  observerSettings,
  plausibleReply,
  getRequiredSetting,
  getSkipReason,
  type ModelObserver,
} from '@claude-mem/testing/observers';
import { describe, expect, it } from 'vitest';
import { openDoor, type Door } from '../testing/create-door.js';
import { openObserverHarness } from '../testing/open-observer-harness.js';
import type { TestWorker } from '../testing/start-test-worker.js';

const MINUTE = 60_000;
const STEP_MS = bySize({ quick: 30_000, full: 15_000 });
const TURN_EVERY_MINUTES = bySize({ quick: 6, full: 4 });
const TURNS_PER_SESSION = 5;
const TOOLS_PER_TURN = bySize({ quick: 1, full: 3 });

interface Outage {
  name: string;
  /** The response of the vendor during the outage. Without it, the vendor is not reachable. */
  answer?: WireAnswer;
  /** Maximum number of attempts per hour. */
  attempts: number;
  /** Minutes after the end of the outage until all waiting messages are observed. */
  healedWithin: number;
  /** The user has to act: the start of sessions reports it too. */
  needsPerson: boolean;
  lacksSetting?: boolean;
}

// The longest delay is 5 minutes, plus or minus a fifth. Afterwards the messages are observed turn by turn, in steps of
// the clock.
const passing = { attempts: 25, healedWithin: 8, needsPerson: false };
const lasting = { attempts: 10, healedWithin: 12, needsPerson: true };
const error = (status: number, errorKind: 'rate-limit' | 'quota' | 'auth' | 'overloaded') =>
  ({ kind: 'error', status, errorKind }) as const;

const OUTAGES: readonly Outage[] = [
  { name: 'cannot be reached', ...passing },
  {
    name: 'answers 429 and asks for a minute',
    answer: { ...error(429, 'rate-limit'), retryAfterSeconds: 60 },
    ...passing,
  },
  { name: 'answers 429 and names no time', answer: error(429, 'rate-limit'), ...passing },
  { name: 'answers 529', answer: error(529, 'overloaded'), ...passing },
  { name: 'answers 402', answer: error(402, 'quota'), ...lasting },
  { name: 'answers 401', answer: error(401, 'auth'), ...lasting },
  { name: 'is not set up', ...lasting, healedWithin: 1, lacksSetting: true },
];

/** Each kind of outage with one observer. The full run combines each kind with every observer. */
const CASES = OUTAGES.flatMap((outage, at) => {
  const here = MODEL_OBSERVERS.filter((observer) => getSkipReason(observer) === null);
  const observers = isFullRun ? here : here.slice(at % here.length).slice(0, 1);
  return observers.map((observer) => [observer, outage.name, outage] as const);
});

describe('an outage of one hour', () => {
  it.each(CASES)(
    'P011: loses nothing, reports the outage once and recovers when %s %s',
    { timeout: 120_000 },
    async (observer, _name, outage) => {
      await using harness = await openOutage(observer, outage);
      const { worker, clock } = harness;

      const reported = new Set<string>();
      for (let minute = 0; minute < 60; minute += 1) {
        if (minute % TURN_EVERY_MINUTES === 0) await playTurn(worker, minute / TURN_EVERY_MINUTES);
        await harness.pass(MINUTE);
        const { notices } = await worker.health();
        expect(notices.length, notices.join('\n')).toBeLessThanOrEqual(1);
        for (const notice of notices) reported.add(withoutTimes(notice));
      }
      // Nothing is lost, there are few attempts, and one notice.
      const turns = 60 / TURN_EVERY_MINUTES;
      expect((await worker.health()).queue).toMatchObject({
        pending: turns * (TOOLS_PER_TURN + 1),
        parked: 0,
      });
      const attempts = await harness.attempts();
      expect(attempts).toBeLessThanOrEqual(outage.attempts);
      if (outage.lacksSetting) expect(harness.vendor.requests).toEqual([]);
      else expect(attempts).toBeGreaterThan(2);
      expect([...reported]).toHaveLength(1);
      expect((await harness.sessionStart()).includes(observerProblem([...reported][0] ?? ''))).toBe(
        outage.needsPerson,
      );

      await harness.end();
      const endedAt = clock.now();
      while ((await harness.waiting()) > 0 && clock.now() - endedAt < 20 * MINUTE) await harness.pass(MINUTE);
      expect((clock.now() - endedAt) / MINUTE).toBeLessThanOrEqual(outage.healedWithin);
      expect(await worker.health()).toMatchObject({
        status: 'ok',
        notices: [],
        queue: { pending: 0, parked: 0 },
      });
      expect(await harness.outcomes()).toMatchObject({
        stored: turns * (TOOLS_PER_TURN + 1),
        empty: 0,
        filtered: 0,
        dropped: 0,
      });
      expect(await harness.observations()).toHaveLength(turns);
      // One call for each turn, without duplicates.
      expect((await harness.attempts()) - attempts).toBe(turns);
    },
  );
});

/** The first words of a notice, which a session start repeats. */
const observerProblem = (notice: string) => notice.slice(0, 30);
const withoutTimes = (notice: string) => notice.replace(/\d+/g, '0');

async function openOutage(observer: ModelObserver, outage: Outage) {
  const reply = plausibleReply();
  let isOut = true;
  let door: Door | undefined;
  let url = '';
  const harness = await openObserverHarness({
    observers: [observer],
    answers: [(request) => (isOut && outage.answer ? outage.answer : reply(request))],
    urlOf: async (vendor) => {
      door = await openDoor(vendor.url);
      if (!outage.answer) await door.shut();
      return (url = door.url);
    },
    settings: outage.lacksSetting ? without(observer) : {},
  });
  const { home } = harness.worker;
  return {
    ...harness,
    pass: (ms: number) => harness.pass(ms, { stepMs: STEP_MS }),
    /** All calls in the usage, with or without a reply. */
    attempts: async () => {
      const { total } = (await harness.worker.ask({ path: '/api/usage?by=total' })).json as {
        total: UsageRow;
      };
      return total.calls + total.failedCalls;
    },
    end: async () => {
      isOut = false;
      if (!outage.answer) await door?.open();
      const folders = { root: home.root, dataDir: home.paths.dataDir };
      if (outage.lacksSetting) await harness.change(observerSettings(observer, { url, home: folders }));
    },
    async [Symbol.asyncDispose]() {
      await harness[Symbol.asyncDispose]();
      await door?.[Symbol.asyncDispose]();
    },
  };
}

/** The required setting with an empty value or with a program that does not exist. */
const without = (observer: ModelObserver) => ({
  [getRequiredSetting(observer)]: observer === 'claude-code' ? '/nowhere/claude' : '',
});

async function playTurn(worker: TestWorker, turn: number) {
  const base = {
    session_id: `session-${Math.floor(turn / TURNS_PER_SESSION)}`,
    cwd: worker.home.project,
  };
  await worker.hook('UserPromptSubmit', { ...base, prompt: `Raise limit ${turn}` });
  for (let index = 0; index < TOOLS_PER_TURN; index += 1) {
    const file_path = `${worker.home.project}/src/limit-${turn}-${index}.ts`;
    await worker.hook('PostToolUse', {
      ...base,
      tool_name: 'Edit',
      tool_use_id: `call-${turn}-${index}`,
      tool_input: { file_path, old_string: 'const limit = 1;', new_string: `const limit = ${turn};` },
      tool_response: { filePath: file_path },
    });
  }
  await worker.hook('Stop', { ...base, last_assistant_message: `Limit ${turn} is raised.` });
}
