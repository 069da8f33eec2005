import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import {
  createTempHome,
  isFullRun,
  peekDatabase,
  spooledFiles,
  startWorker,
  waitUntilDrained,
  type TempHome,
} from '@claude-mem/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playRecordedHooks } from './play-recorded-hooks.js';
import { contextFor } from './play-turn.js';

const RECORDED = path.join(import.meta.dirname, '__fixtures__', 'claude-code');

interface Outcome {
  /** Number of sessions. All of them have ended. */
  sessions: number;
  prompts: readonly string[];
  /** Number of events with an outcome. */
  ends: number;
  /** Names of the files that the records report as changed. */
  files: readonly string[];
  /** Events with injected context: the source of a session start, or `prompt`. */
  given: readonly string[];
  /** The context that the next session gets. */
  reported: string;
}

const BEFORE = 'Keep the total in cents';
const OTHER = 'Raise the other limit';
const QUESTION = 'What is the limit?';

/** The expected result of each recording, for every client. */
const OUTCOMES: Readonly<Record<string, Outcome>> = {
  capture: {
    sessions: 2,
    prompts: ['Raise the limit of the cart', QUESTION, 'Look it up'],
    ends: 5 + 5,
    files: ['limit.ts'],
    given: ['startup'],
    reported: 'The limit is 10 now, in limit.ts',
  },
  'failed-tool': {
    sessions: 1,
    prompts: ['Repair the voucher'],
    ends: 6,
    files: ['voucher.ts'],
    given: [],
    reported: 'voucher.ts',
  },
  interrupt: {
    sessions: 1,
    prompts: ['Wait for the server', 'Then raise the limit'],
    ends: 6,
    files: ['limit.ts'],
    given: [],
    reported: 'The limit is 10 now, in limit.ts',
  },
  escape: {
    sessions: 1,
    prompts: ['Wait for the server', 'Then raise the limit'],
    ends: 6,
    files: ['limit.ts'],
    given: [],
    reported: 'The limit is 10 now, in limit.ts',
  },
  'sub-agent': {
    sessions: 1,
    prompts: ['Raise all limits'],
    ends: 6,
    files: ['limits.ts'],
    given: [],
    reported: 'All limits are 10 now',
  },
  compaction: {
    sessions: 2,
    prompts: [BEFORE, QUESTION, OTHER],
    ends: 5 + 2 + 5,
    files: ['before.ts', 'other.ts'],
    given: ['startup', 'compact'],
    reported: 'The limit is 10 now, in other.ts',
  },
  'compaction-by-itself': {
    sessions: 2,
    prompts: [BEFORE, 'Raise the other limits'],
    ends: 5 + 6,
    files: ['before.ts', 'duty.ts', 'excise.ts', 'tariff.ts'],
    given: ['startup', 'compact'],
    reported: 'Tariff, duty and excise are 10 now',
  },
  clear: {
    sessions: 2,
    prompts: ['Raise the limit of the cart', QUESTION],
    ends: 5 + 3,
    files: ['limit.ts'],
    given: ['clear'],
    reported: 'The limit is 10 now, in limit.ts',
  },
  resume: {
    sessions: 2,
    prompts: [BEFORE, QUESTION, OTHER],
    ends: 5 + 3 + 5,
    files: ['before.ts', 'other.ts'],
    given: ['startup'],
    reported: 'The limit is 10 now, in other.ts',
  },
  fork: {
    sessions: 3,
    prompts: [BEFORE, QUESTION, OTHER],
    ends: 5 + 3 + 5,
    files: ['before.ts', 'other.ts'],
    given: ['startup'],
    reported: 'The limit is 10 now, in other.ts',
  },
  cd: {
    sessions: 1,
    prompts: ['Move the limit'],
    ends: 6,
    files: ['api/src/limit.ts'],
    given: [],
    reported: 'The limit lives in the api now',
  },
  'two-at-once': {
    sessions: 2,
    prompts: ['Raise the limit of the cart', 'Raise the limit of the voucher'],
    ends: 10,
    files: ['cart.ts', 'voucher.ts'],
    given: [],
    reported: 'voucher.ts',
  },
  'worker-killed': {
    sessions: 1,
    prompts: ['Raise both limits'],
    ends: 6,
    files: ['one.ts', 'two.ts'],
    given: [],
    reported: 'Both limits are 10 now',
  },
  'client-killed': {
    sessions: 1,
    prompts: ['Raise the limit of the cart', 'Go on'],
    ends: 6,
    files: ['limit.ts'],
    given: [],
    reported: 'limit.ts',
  },
};

/** Scenarios in which the older client sends other events: it reports a fork with the id of the resumed session. */
const DIFFERING_SCENARIOS: Readonly<Record<string, readonly string[]>> = { 'claude-code-js': ['fork'] };

/**
 * Each client recorded every scenario. The quick run skips scenarios in which an older client sends the same events.
 */
const CLIENTS = readdirSync(RECORDED);
const NEWEST = 'claude-code-native';
const scenariosOf = (client: string) =>
  Object.entries(OUTCOMES).filter(
    ([scenario]) => isFullRun || client === NEWEST || DIFFERING_SCENARIOS[client]?.includes(scenario),
  );

describe.each(CLIENTS)('events that the hooks of %s sent', { timeout: 240_000 }, (client) => {
  let home: TempHome;
  beforeAll(async () => {
    home = await createTempHome({ env: { CLAUDE_MEM_EMBEDDER: 'none' } });
    await startWorker(home);
  });
  afterAll(() => home[Symbol.asyncDispose]());

  it.each(scenariosOf(client))(
    'are stored once and injected into the next session: %s',
    async (scenario, outcome) => {
      const file = path.join(RECORDED, client, `${scenario}.jsonl`);
      expect(existsSync(file), 'npm run test:clients -- --record').toBe(true);
      const { project, given, sessionIds } = await playInTime(home, { file, scenario });
      await waitUntilDrained(home);
      const { left, prompts, ...remembered } = readSessions(home, sessionIds);
      expect({ ...remembered, given }).toEqual({
        projects: [path.basename(project)],
        sessions: sessionIds.map((id) => [id, 'completed']),
        ends: outcome.ends,
        files: outcome.files,
        given: outcome.given,
      });
      // The prompts are sorted, because simultaneous sessions can be stored in any order.
      expect(prompts.sort()).toEqual([...outcome.prompts].sort());
      expect(sessionIds).toHaveLength(outcome.sessions);
      expect(left).toBe(0);
      expect(await contextFor(home, project)).toContain(outcome.reported);
    },
  );
});

const MAX_ATTEMPTS = 10;

/** Plays the scenario in a new project. Repeats the scenario when a hook timed out. */
async function playInTime(home: TempHome, { file, scenario }: { file: string; scenario: string }) {
  for (let attempt = 1; ; attempt += 1) {
    const project = path.join(home.project, `${scenario}-${attempt}`);
    mkdirSync(project);
    const played = await playRecordedHooks(home, { file, project });
    if (!played.isLate || attempt === MAX_ATTEMPTS) return { project, ...played };
  }
}

/** Returns the stored content of these sessions. `left` is the number of events that are not processed. */
function readSessions(home: TempHome, sessionIds: readonly string[]) {
  using database = peekDatabase(home);
  const theirs = `content_session_id IN (${sessionIds.map((id) => `'${id}'`).join(', ')})`;
  const ofTheirs = `session_id IN (SELECT id FROM sdk_sessions WHERE ${theirs})`;
  const count = (from: string) => Number(database.value(`SELECT count(*) FROM ${from}`));
  const sessions = database.rows(
    `SELECT content_session_id AS session, status FROM sdk_sessions WHERE ${theirs} ORDER BY id`,
  );
  const projects = database.rows(
    `SELECT name FROM projects WHERE id IN (SELECT project_id FROM sdk_sessions WHERE ${theirs})`,
  );
  const prompts = database.rows(`SELECT prompt_text AS text FROM user_prompts WHERE ${ofTheirs} ORDER BY id`);
  const records = database.rows(`SELECT files_modified AS files FROM observations WHERE ${ofTheirs}`);
  return {
    projects: projects.map(({ name }) => name),
    sessions: sessions.map(({ session, status }) => [session, status]),
    prompts: prompts.map(({ text }) => text),
    ends: count(`event_ledger WHERE ${ofTheirs} AND outcome IS NOT NULL AND outcome <> 'dropped'`),
    files: records.flatMap(({ files }) => JSON.parse(String(files)) as string[]).sort(),
    left:
      count('pending_messages') +
      count(`event_ledger WHERE ${ofTheirs} AND (outcome IS NULL OR outcome = 'dropped')`) +
      spooledFiles(home).length,
  };
}
