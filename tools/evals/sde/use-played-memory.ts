import type { Observation } from '@claude-mem/core';
import {
  claudePayloads,
  createTempHome,
  requestWorker,
  runHook,
  runProgram,
  startWorker,
  waitFor,
  waitUntilDrained,
  writeSettings,
  type HookRun,
  type TempHome,
} from '@claude-mem/testing';
import { promptsOf, type Conversation } from './sde-bench.js';

/** The memory of one project after hooks have reported conversations. */
export interface PlayedMemory {
  /** Conversation ids of all visible observations that are not superseded, one for each observation. */
  visible: readonly string[];
  /** Searches observations. Returns the ids of their conversations, best first. */
  search(query: string): Promise<readonly string[]>;
  /**
   * Sends a prompt in a new session and forgets the session. Without `isStarted`, the host does not report the start of the
   * session. Records that the start injects are not injected again with the prompt.
   */
  ask(prompt: string, options: { isStarted: boolean }): Promise<Answer>;
}

export interface Answer {
  /** Text that the start of the session injects. Empty when the start is not reported. */
  started: string;
  /** Text that the prompt injects. */
  injected: string;
  /** Conversation ids of the records that the prompt injects, in their order. */
  conversations: readonly string[];
  /** Duration of the prompt hook in milliseconds, for each attempt. */
  durations: readonly number[];
}

const SEARCHED = 20;
const PAGE = 500;
/** Milliseconds. A hook that takes longer and prints nothing has probably timed out. */
const LATE_START_MS = 700;
const LATE_PROMPT_MS = 250;
const MAX_ATTEMPTS = 5;
/** Time limit in milliseconds for the vectors of the complete memory. */
const INDEX_DEADLINE_MS = 300_000;

/** Plays conversations in their order for the worker of an empty home, and removes the home after `use`. */
export async function usePlayedMemory(
  conversations: readonly Conversation[],
  use: (memory: PlayedMemory) => Promise<void>,
): Promise<void> {
  await using home = await createTempHome();
  writeSettings(home, { CLAUDE_MEM_RECALL_ON_PROMPT: 'true' });
  const git = await runProgram('git', ['init', '--quiet'], { cwd: home.project, env: home.env });
  if (git.exit !== 0) throw new Error(`git init failed: ${git.stderr}`);
  await using _worker = await startWorker(home);
  const conversationOf = new Map<number, string>();
  for (const conversation of conversations)
    conversationOf.set(await play(home, conversation), conversation.id);
  await waitFor(async () => (await get<{ isDone: boolean }>(home, '/api/reindex')).isDone, {
    what: 'all records to be indexed',
    deadlineMs: INDEX_DEADLINE_MS,
  });

  const observations = await listObservations(home);
  const idsOf = (some: readonly Observation[]) =>
    some.map(({ sessionId }) => conversationOf.get(sessionId) ?? '');
  await use({
    visible: idsOf(observations.filter(({ supersededBy }) => supersededBy === null)),
    async search(query) {
      const parameters = new URLSearchParams({ query, limit: String(SEARCHED) }).toString();
      const { items } = await get<Page<{ item: Observation }>>(home, `/api/search?${parameters}`);
      return idsOf(items.map(({ item }) => item));
    },
    async ask(prompt, options) {
      const answer = await ask(home, prompt, options);
      // The line of a record begins with its id, and a heading of statements contains the id of its record.
      const shown = [...answer.injected.matchAll(/^(?:\W*|Decided in .*)#(\d+)/gm)].map(([, id]) =>
        Number(id),
      );
      const byId = new Map(observations.map((observation) => [observation.id, observation]));
      return { ...answer, conversations: idsOf(shown.flatMap((id) => byId.get(id) ?? [])) };
    },
  });
}

/** Plays a conversation. Returns the id of its session after the observer has processed it. */
async function play(home: TempHome, conversation: Conversation): Promise<number> {
  const payloads = claudePayloads({ cwd: home.project });
  await fire(home, 'SessionStart', payloads.sessionStart());
  for (const { prompt, answer } of promptsOf(conversation)) {
    await fire(home, 'UserPromptSubmit', payloads.prompt(prompt));
    // The host reports no end of an interrupted turn, which has no answer.
    if (answer !== null) await fire(home, 'Stop', payloads.stop(answer));
  }
  await fire(home, 'SessionEnd', payloads.sessionEnd());
  await waitUntilDrained(home);
  const { items } = await get<Page<{ id: number }>>(
    home,
    `/api/sessions?host=claude-code&contentSessionId=${payloads.sessionId}`,
  );
  const [session] = items;
  if (session === undefined) throw new Error(`the session of ${conversation.id} was not stored`);
  return session.id;
}

/** Sends a prompt in a new session. Repeats it when the hook timed out, because the machine was busy. */
async function ask(
  home: TempHome,
  prompt: string,
  { isStarted }: { isStarted: boolean },
): Promise<Omit<Answer, 'conversations'>> {
  const durations: number[] = [];
  while (durations.length < MAX_ATTEMPTS) {
    const payloads = claudePayloads({ cwd: home.project });
    const start = isStarted
      ? await fire(home, 'SessionStart', payloads.sessionStart())
      : { context: '', ms: 0 };
    const submit = await fire(home, 'UserPromptSubmit', payloads.prompt(prompt));
    durations.push(submit.ms);
    // The session is deleted, so that its prompt does not influence other questions.
    await request(home, {
      method: 'POST',
      path: '/api/memory/forget',
      body: { session: payloads.sessionId, confirm: true },
    });
    const isLate =
      (start.context === '' && start.ms >= LATE_START_MS) ||
      (submit.context === '' && submit.ms >= LATE_PROMPT_MS);
    if (!isLate) return { started: start.context, injected: submit.context, durations };
  }
  throw new Error(`the worker was late ${MAX_ATTEMPTS} times`);
}

async function fire(
  home: TempHome,
  event: string,
  payload: unknown,
): Promise<Pick<HookRun, 'ms'> & { context: string }> {
  const { exit, stdout, stderr, ms } = await runHook(home, event, payload);
  if (exit !== 0 || stderr !== '') throw new Error(`the ${event} hook ended with ${exit}: ${stderr}`);
  const answer = JSON.parse(stdout.trim() || '{}') as {
    hookSpecificOutput?: { additionalContext?: string };
  };
  return { ms, context: answer.hookSpecificOutput?.additionalContext ?? '' };
}

interface Page<Item> {
  items: readonly Item[];
  nextCursor: string | null;
}

async function listObservations(home: TempHome): Promise<readonly Observation[]> {
  const observations: Observation[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Page<Observation> = await get(home, `/api/observations?limit=${PAGE}${more}`);
    observations.push(...page.items);
    cursor = page.nextCursor;
  }
  return observations;
}

const get = <Reply>(home: TempHome, path: string) => request(home, { path }) as Promise<Reply>;

async function request(home: TempHome, options: Parameters<typeof requestWorker>[1]): Promise<unknown> {
  const { status, json, text } = await requestWorker(home, options);
  if (status !== 200) throw new Error(`${options.path} answered with ${status}: ${text}`);
  return json;
}
