import { createWireFake, type WireAnswer } from '@claude-mem/agent-providers/testing';
import type { UsageRow } from '@claude-mem/core';
import { createFixedClock, type FixedClock } from '@claude-mem/core/testing';
import {
  dialectOf,
  MODEL_OBSERVERS,
  observerSettings,
  plausibleReply,
  settingNeededBy,
  whyNotHere,
  type ModelObserver,
} from '@claude-mem/testing/observers';
import { writeSettings } from '@claude-mem/testing';
import { describe, expect, it } from 'vitest';
import { createProviderTable } from '../providers/create-provider-table.js';
import { openDoor } from '../testing/create-door.js';
import { createTestHome, startTestWorker, type TestWorker } from '../testing/start-test-worker.js';

const MINUTE = 60_000;
const STEP_MS = 15_000;
const TURN_EVERY_MINUTES = 4;
const TURNS_PER_SESSION = 5;
const TOOLS_PER_TURN = 3;

interface Outage {
  name: string;
  /** What the vendor answers meanwhile; without, nothing listens at its address. */
  answer?: WireAnswer;
  /** Attempts in the hour at most. */
  attempts: number;
  /** Minutes after its end within which all that waited is recorded. */
  healedWithin: number;
  /** A person has to do something: said at the start of sessions too. */
  needsPerson: boolean;
  lacksSetting?: boolean;
}

// the longest wait is 5 minutes, give or take a fifth; what waited is then worked off turn by turn, in steps of the clock
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

describe.each(MODEL_OBSERVERS)('an hour in which %s', (observer) => {
  it.skipIf(whyNotHere(observer) !== null).each(OUTAGES)(
    'P011: $name',
    { timeout: 120_000 },
    async (outage) => {
      await using lab = await openLab(observer, outage);
      const { worker, clock } = lab;

      const said = new Set<string>();
      for (let minute = 0; minute < 60; minute += 1) {
        if (minute % TURN_EVERY_MINUTES === 0) await playTurn(worker, minute / TURN_EVERY_MINUTES);
        await lab.pass(MINUTE);
        const { notices } = await worker.health();
        expect(notices.length, notices.join('\n')).toBeLessThanOrEqual(1);
        for (const notice of notices) said.add(withoutTimes(notice));
      }
      // nothing lost, no storm, one plain notice
      const turns = 60 / TURN_EVERY_MINUTES;
      expect((await worker.health()).queue).toMatchObject({
        pending: turns * (TOOLS_PER_TURN + 1),
        parked: 0,
      });
      const attempts = await lab.attempts();
      expect(attempts).toBeLessThanOrEqual(outage.attempts);
      if (outage.lacksSetting) expect(lab.vendor.requests).toEqual([]);
      else expect(attempts).toBeGreaterThan(2);
      expect([...said]).toHaveLength(1);
      expect((await sessionStart(worker)).includes(observerTrouble([...said][0] ?? ''))).toBe(
        outage.needsPerson,
      );

      await lab.end();
      const endedAt = clock.now();
      while ((await waiting(worker)) > 0 && clock.now() - endedAt < 20 * MINUTE) await lab.pass(MINUTE);
      expect((clock.now() - endedAt) / MINUTE).toBeLessThanOrEqual(outage.healedWithin);
      expect(await worker.health()).toMatchObject({
        status: 'ok',
        notices: [],
        queue: { pending: 0, parked: 0 },
      });
      expect(await outcomes(worker)).toMatchObject({
        stored: turns * (TOOLS_PER_TURN + 1),
        empty: 0,
        filtered: 0,
        dropped: 0,
      });
      expect(await titles(worker)).toHaveLength(turns);
      // one call for each turn, nothing asked twice
      expect((await lab.attempts()) - attempts).toBe(turns);
    },
  );
});

/** The part of a notice that a session start repeats: its first words. */
const observerTrouble = (notice: string) => notice.slice(0, 30);
const withoutTimes = (notice: string) => notice.replace(/\d+/g, '0');

async function openLab(observer: ModelObserver, outage: Outage) {
  const clock = createFixedClock(new Date(2026, 0, 5, 9).getTime());
  const home = createTestHome();
  const reply = plausibleReply();
  let isOut = true;
  const vendor = await createWireFake({
    dialect: dialectOf(observer),
    answer: (request) => (isOut && outage.answer ? outage.answer : reply(request)),
  });
  const door = await openDoor(vendor.url);
  if (!outage.answer) await door.shut();
  const settings = observerSettings(observer, {
    url: door.url,
    home: { root: home.root, dataDir: home.paths.dataDir },
  });
  writeSettings(home.paths, outage.lacksSetting ? { ...settings, ...without(observer) } : settings);
  const worker = await startTestWorker({ home, clock, providers: createProviderTable({ env: {} }) });
  const pass = passer(clock, worker);
  return {
    worker,
    vendor,
    clock,
    pass,
    /** Calls that were made, answered or not, as the meter counts them. */
    attempts: async () => {
      const { total } = (await worker.ask({ path: '/api/usage?by=total' })).json as { total: UsageRow };
      return total.calls + total.failedCalls;
    },
    end: async () => {
      isOut = false;
      if (!outage.answer) await door.open();
      if (outage.lacksSetting) writeSettings(home.paths, settings);
    },
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      await door[Symbol.asyncDispose]();
      await vendor[Symbol.asyncDispose]();
      home[Symbol.dispose]();
    },
  };
}

/** A program that is not there, or an empty value. */
const without = (observer: ModelObserver) => ({
  [settingNeededBy(observer)]: observer === 'claude-code' ? '/nowhere/claude' : '',
});

/** Moves the clock in steps; in each, requests that are on their way come to their end in real time. */
const passer = (clock: FixedClock, worker: TestWorker) => async (ms: number) => {
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    await clock.advance(STEP_MS);
    while (((await worker.health()).queue?.processing ?? 0) > 0)
      await new Promise((resolve) => setImmediate(resolve));
  }
};

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

const waiting = async (worker: TestWorker) => {
  const { queue } = await worker.health();
  return (queue?.pending ?? 0) + (queue?.processing ?? 0);
};

const outcomes = async (worker: TestWorker) =>
  ((await worker.ask({ path: '/api/stats' })).json as { outcomes: Record<string, number> }).outcomes;

const titles = async (worker: TestWorker) =>
  (
    (await worker.ask({ path: '/api/observations?limit=500' })).json as { items: { title: string }[] }
  ).items.map(({ title }) => title);

const sessionStart = async (worker: TestWorker) =>
  (
    await worker.hook('SessionStart', {
      session_id: 'asks',
      cwd: worker.home.project,
      source: 'startup',
    })
  ).text;
