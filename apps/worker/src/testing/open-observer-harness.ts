import { createWireFake, type WireFake, type WireFakeOptions } from '@claude-mem/agent-providers/testing';
import type { Observation, Summary } from '@claude-mem/core';
import { createFixedClock, type FixedClock } from '@claude-mem/core/testing';
import { writeSettings } from '@claude-mem/testing';
import { dialectOf, observerSettings, type ModelObserver } from '@claude-mem/testing/observers';
import type { HealthDetail } from '@claude-mem/worker-protocol';
import { createProviderTable } from '../providers/create-provider-table.js';
import type { ProviderTable } from '@claude-mem/observer';
import { createClockStepper, type ClockStepper } from './create-clock-stepper.js';
import {
  createTestHome,
  startTestWorker,
  until,
  type TestHome,
  type TestWorker,
} from './start-test-worker.js';

export interface ObserverHarness extends AsyncDisposable {
  worker: TestWorker;
  /** The vendors, in the order of the observers. */
  vendors: readonly WireFake[];
  vendor: WireFake;
  clock: FixedClock;
  pass: ClockStepper['pass'];
  /** Saves settings, and resolves when the observer uses them. */
  change(settings: Record<string, unknown>): Promise<void>;
  turn(turn: TurnScript): Promise<void>;
  /** Ends a session. */
  end(session: string): Promise<void>;
  observations(): Promise<readonly Observation[]>;
  summaries(): Promise<readonly Summary[]>;
  outcomes(): Promise<Readonly<Record<string, number>>>;
  waiting(): Promise<number>;
  /** The context of a session that starts now. */
  sessionStart(): Promise<string>;
}

/** The events of one turn; without an end the turn continues. */
interface TurnScript {
  session: string;
  prompt?: string;
  tools?: readonly object[];
  /** Null: the turn does not end. */
  closing?: string | null;
  stop?: object;
}

/** Enough content for an observer call. */
const CLOSING =
  'The limit is raised: the old one was from the days of small disks, and nothing else in the module depends on it any more.';

/** A complete worker with real providers that call fake vendors, and a clock that the test advances. */
export async function openObserverHarness({
  observers = ['claude'],
  answers,
  home: keptHome,
  urlOf = ({ url }) => url,
  settings = {},
}: {
  observers?: readonly ModelObserver[];
  /** The reaction of each vendor to a request. */
  answers: readonly WireFakeOptions['answer'][];
  /** A home folder that is kept. @default a home that is deleted with the harness */
  home?: TestHome;
  /** Returns the URL at which the worker reaches a vendor. @default the URL of the vendor */
  urlOf?: (vendor: WireFake) => string | Promise<string>;
  settings?: Record<string, unknown>;
}): Promise<ObserverHarness> {
  const clock = createFixedClock(new Date(2026, 0, 5, 9).getTime());
  const home = keptHome ?? createTestHome();
  const vendors = await Promise.all(
    observers.map((name, at) =>
      createWireFake({ dialect: dialectOf(name), answer: answers[at] ?? (() => ({ kind: 'hang' })) }),
    ),
  );
  const folders = { root: home.root, dataDir: home.paths.dataDir };
  const urls = await Promise.all(vendors.map(urlOf));
  const current: Record<string, unknown> = Object.assign(
    {},
    ...observers.map((name, at) => observerSettings(name, { url: urls[at] ?? '', home: folders })),
    {
      CLAUDE_MEM_PROVIDER: observers[0],
      CLAUDE_MEM_PROVIDER_FALLBACK: observers.slice(1).join(','),
      ...settings,
    },
  );
  writeSettings(home.paths, current);
  const { providers, loadsOf } = countLoads(createProviderTable({ env: {} }));
  const worker = await startTestWorker({ home, clock, providers });
  // The providers are loaded in real time, which the clock does not control.
  await until(async () => {
    const { observer } = (await worker.ask({ path: '/api/health' })).json as HealthDetail;
    return observer.providers.length > 0 || observer.problem !== undefined;
  });
  const stepper = createClockStepper({ clock, database: home.paths.database });
  const items = async <Item>(path: string) =>
    ((await worker.ask({ path })).json as { items: readonly Item[] }).items;
  return {
    worker,
    vendors,
    vendor: vendors[0] as WireFake,
    clock,
    pass: stepper.pass,
    async change(changes) {
      Object.assign(current, changes);
      const last = [current['CLAUDE_MEM_PROVIDER'], current['CLAUDE_MEM_PROVIDER_FALLBACK']]
        .join()
        .split(',')
        .findLast((name) => name !== '');
      const before = loadsOf(String(last));
      writeSettings(home.paths, current);
      // The worker rereads the settings file before it responds.
      await worker.ask({ path: '/api/settings' });
      await until(() => loadsOf(String(last)) > before);
    },
    async turn({ session, prompt, tools = [{}], closing, stop = {} }) {
      // The same text at the same time would be the same event.
      const number = (turns += 1);
      const base = { session_id: session, cwd: home.project };
      await worker.hook('UserPromptSubmit', { ...base, prompt: prompt ?? `Raise limit ${number}` });
      for (const tool of tools)
        await worker.hook('PostToolUse', {
          ...base,
          tool_name: 'Bash',
          tool_use_id: `tool-${(toolUses += 1)}`,
          tool_input: { command: 'make limits' },
          tool_response: { stdout: 'ok' },
          ...tool,
        });
      if (closing !== null)
        await worker.hook('Stop', {
          ...base,
          last_assistant_message: closing ?? `${CLOSING} (${number})`,
          ...stop,
        });
    },
    async end(session) {
      await worker.hook('SessionEnd', { session_id: session, cwd: home.project, reason: 'other' });
    },
    observations: () => items<Observation>('/api/observations?limit=500'),
    summaries: () => items<Summary>('/api/summaries?limit=500'),
    outcomes: async () =>
      ((await worker.ask({ path: '/api/stats' })).json as { outcomes: Record<string, number> }).outcomes,
    async waiting() {
      const { queue } = await worker.health();
      return (queue?.pending ?? 0) + (queue?.processing ?? 0);
    },
    sessionStart: async () =>
      (
        await worker.hook('SessionStart', {
          session_id: `asks-${(toolUses += 1)}`,
          cwd: home.project,
          source: 'startup',
        })
      ).text,
    async [Symbol.asyncDispose]() {
      stepper[Symbol.dispose]();
      await worker[Symbol.asyncDispose]();
      for (const vendor of vendors) await vendor[Symbol.asyncDispose]();
      if (keptHome === undefined) home[Symbol.dispose]();
    },
  };
}

let toolUses = 0;
let turns = 0;

/** Counts how often each provider was loaded. */
function countLoads(table: ProviderTable) {
  const counts = new Map<string, number>();
  const providers = Object.fromEntries(
    Object.entries(table).map(([name, load]) => [
      name,
      async (...parameters: Parameters<typeof load>) => {
        const provider = await load(...parameters);
        counts.set(name, (counts.get(name) ?? 0) + 1);
        return provider;
      },
    ]),
  ) as ProviderTable;
  return { providers, loadsOf: (name: string) => counts.get(name) ?? 0 };
}
