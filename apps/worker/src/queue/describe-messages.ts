import {
  isRecord,
  toSingleLine,
  truncate,
  type PendingMessage,
  type Store,
  type WaitingTurn,
} from '@claude-mem/core';
import type { QueueItem } from '@claude-mem/worker-protocol';

const LONGEST_SUBJECT = 200;
/** Fields of a tool's input that describe its target, best first. */
const SUBJECTS = [
  'file_path',
  'filePath',
  'notebook_path',
  'path',
  'command',
  'query',
  'pattern',
  'url',
  'description',
  'prompt',
];

/** Describes pending messages for display: project, tool, and why they wait. */
export async function describeMessages(
  messages: readonly PendingMessage[],
  {
    store,
    turns,
    problem,
    now,
  }: {
    store: Pick<Store, 'sessionsByIds' | 'listProjects'>;
    turns: readonly WaitingTurn[];
    /** Why the observer is paused. Null when it is running. */
    problem: string | null;
    now: number;
  },
): Promise<QueueItem[]> {
  if (messages.length === 0) return [];
  const [sessions, projects] = await Promise.all([
    store.sessionsByIds([...new Set(messages.map(({ sessionId }) => sessionId))]),
    store.listProjects(),
  ]);
  const sessionOf = new Map(sessions.map((session) => [session.id, session]));
  const nameOf = new Map(projects.map(({ id, name }) => [id, name]));
  const turnOf = new Map(turns.map((turn) => [turn.sessionId, turn]));
  return messages.map((message) => {
    const { payload: _, ...rest } = message;
    const session = sessionOf.get(message.sessionId);
    return {
      ...rest,
      project: nameOf.get(session?.projectId ?? 0) ?? '',
      host: session?.host ?? null,
      toolName: message.kind === 'observation' ? message.payload.toolName : null,
      subject: message.kind === 'observation' ? subjectOf(message.payload.input) : null,
      reason: reasonOf(message, { turn: turnOf.get(message.sessionId), problem, now }),
    };
  });
}

function subjectOf(input: unknown): string | null {
  if (typeof input === 'string') return truncate(toSingleLine(input), LONGEST_SUBJECT) || null;
  if (!isRecord(input)) return null;
  const text = SUBJECTS.map((name) => input[name]).find((value) => typeof value === 'string' && value !== '');
  return typeof text === 'string' ? truncate(toSingleLine(text), LONGEST_SUBJECT) : null;
}

function reasonOf(
  { status, attempts, lastError, availableAtEpoch, promptNumber }: PendingMessage,
  { turn, problem, now }: { turn: WaitingTurn | undefined; problem: string | null; now: number },
): string | null {
  if (status === 'processing') return null;
  if (status === 'parked') return lastError ?? `Failed ${attempts} times.`;
  if (availableAtEpoch > now) return lastError ?? 'Failed, will be retried.';
  if (problem !== null) return problem;
  if (turn === undefined || turn.promptNumber < promptNumber)
    return 'Waiting for earlier events of the session.';
  if (turn.isConversation) return 'Waiting for more turns without tool uses, for at most 10 minutes.';
  return turn.isOver || turn.hasLaterPrompt ? null : 'The turn has not ended.';
}
