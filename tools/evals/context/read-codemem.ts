import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isRecord, type JsonValue, type ObservedToolUse, type ObserverBatch } from '@claude-mem/core';

export const PROJECT = { key: '/home/dev/Work/entire/devenv/cli', name: 'cli' };

type RecordedEvent = { t: string } & (
  | { k: 'prompt' | 'say'; text: string }
  | { k: 'tool'; name: string; file: string | null; in: string; out: string; err: boolean }
);

interface RecordedSession {
  sid: string;
  branch: string;
  events: readonly RecordedEvent[];
}

/** One turn of a recorded session, as input of the observer. */
export interface RecordedTurn {
  session: string;
  branch: string;
  beganAt: number;
  endedAt: number;
  batch: ObserverBatch;
}

/** The first prompt of a session, and the earlier sessions about the same subject. */
export interface RecordedQuery {
  text: string;
  session: string;
  at: number;
  relevant: ReadonlySet<string>;
}

export function readTurns(shared: string): RecordedTurn[] {
  return readLines<RecordedSession>(shared, 'sessions.dev.jsonl.gz').flatMap(turnsOf);
}

export function readQueries(shared: string): RecordedQuery[] {
  return readLines<{ query: string; query_session: string; t: string; gold_sessions: string[] }>(
    shared,
    'prompt_to_sessions.dev.jsonl.gz',
  ).map(({ query, query_session, t, gold_sessions }) => ({
    text: query,
    session: query_session,
    at: Date.parse(t),
    relevant: new Set(gold_sessions),
  }));
}

function readLines<Line>(shared: string, name: string): Line[] {
  return gunzipSync(readFileSync(join(shared, 'data', 'codemem', name)))
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Line);
}

function turnsOf({ sid, branch, events }: RecordedSession): RecordedTurn[] {
  const turns: RecordedEvent[][] = [];
  for (const event of events) {
    if (event.k === 'prompt' || turns.length === 0) turns.push([]);
    turns.at(-1)?.push(event);
  }
  const goal = events.find(({ k }) => k === 'prompt');
  const conversation = turns.map((turn, index) => ({
    promptNumber: index + 1,
    prompt: turn.flatMap((event) => (event.k === 'prompt' ? [event.text] : [])).join('\n\n'),
    reply: turn.flatMap((event) => (event.k === 'say' ? [event.text] : [])).at(-1) ?? null,
  }));
  return turns.map((turn, index) => {
    const [first] = turn;
    const last = turn.at(-1);
    const { prompt, reply } = conversation[index]!;
    return {
      session: sid,
      branch,
      beganAt: Date.parse(first?.t ?? ''),
      endedAt: Date.parse(last?.t ?? ''),
      batch: {
        session: {
          id: 1,
          host: 'claude-code',
          contentSessionId: sid,
          project: PROJECT.name,
          projectRoot: PROJECT.key,
          goal: goal?.k === 'prompt' ? goal.text : null,
          memorySessionId: null,
        },
        promptNumber: index + 1,
        firstPromptNumber: index + 1,
        prompt: prompt || null,
        recordedTitles: [],
        lastSummary: null,
        toolUses: turn.flatMap((event, place) => (event.k === 'tool' ? [toolUseOf(event, place + 1)] : [])),
        closing: { reason: 'turn-end', lastAssistantMessage: reply },
        conversation: conversation.slice(0, index + 1),
      },
    };
  });
}

/** The recording removed the path from the input and shortened both texts. */
function toolUseOf(event: Extract<RecordedEvent, { k: 'tool' }>, messageId: number): ObservedToolUse {
  const input = inputOf(event.in);
  return {
    messageId,
    createdAtEpoch: Date.parse(event.t),
    toolName: event.name,
    toolUseId: null,
    input: event.file === null ? input : { ...input, file_path: `${PROJECT.key}/${event.file}` },
    response: event.out,
    outcome: event.err ? 'failed' : 'succeeded',
    error: event.err ? event.out : null,
    isInterrupt: false,
    durationMs: null,
    cwd: PROJECT.key,
    agentId: null,
    agentType: null,
  };
}

function inputOf(text: string): Record<string, JsonValue> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (value as Record<string, JsonValue>) : {};
  } catch {
    return cutStringsOf(text);
  }
}

/** Extracts the texts of truncated JSON. The last text may be incomplete. */
function cutStringsOf(text: string): Record<string, JsonValue> {
  const found: Record<string, JsonValue> = {};
  for (const [, key = '', value = ''] of text.matchAll(/"(\w+)": "((?:[^"\\]|\\.)*)/g))
    found[key] = value.replaceAll('\\n', '\n').replaceAll('\\t', '\t').replaceAll('\\"', '"');
  return found;
}
