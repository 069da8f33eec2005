import {
  toStorableText,
  uuidV7,
  type CapturedEvent,
  type CaptureResult,
  type ToolUsePayload,
} from '@claude-mem/core';
import type { Database } from '../database/driver.js';
import { TEXT_LIMITS } from '../limits.js';
import type { MessageWriter } from '../queue/message-writer.js';
import { storableJson, storableOrNull, storableReply, storableText } from '../records/storable.js';
import type { ToolUseWriter } from '../records/tool-uses.js';
import type { IndexWriter } from '@claude-mem/lexical-index';
import { createLatestEvents } from './latest-events.js';
import type { Ledger } from './ledger.js';
import type { OpenSession, SessionWriter } from './session-writer.js';

/** The same prompt again within this time, with no other event between, comes from a hook that is registered twice. */
const DOUBLE_PROMPT_MS = 10_000;

type Event<Kind extends CapturedEvent['kind']> = Extract<CapturedEvent, { kind: Kind }>;

export interface CaptureParts {
  database: Database;
  sessions: SessionWriter;
  messages: MessageWriter;
  ledger: Ledger;
  search: IndexWriter;
  toolUses: ToolUseWriter;
}

/** Stores host events in order. The caller commits the transaction before it acknowledges the events. */
export function createCapture(parts: CaptureParts): (event: CapturedEvent) => CaptureResult {
  const { database, sessions, messages, ledger, search, toolUses } = parts;
  const latest = createLatestEvents();
  const promptOf = database.prepare(
    `SELECT prompt_text AS text, created_at_epoch AS at FROM user_prompts WHERE session_id = ? AND prompt_number = ?`,
  );
  const numberOfPromptId = database
    .prepare(
      'SELECT prompt_number FROM user_prompts WHERE session_id = ? AND prompt_id = ? ORDER BY prompt_number LIMIT 1',
    )
    .pluck();
  const insertPrompt = database.prepare(`
    INSERT INTO user_prompts
      (uid, session_id, project_id, prompt_number, prompt_id, prompt_text, created_at_epoch, branch, head_commit)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);

  /** A prompt that was added to the running turn has the id of the first prompt of the turn. */
  const setReply = database.prepare(`
    UPDATE user_prompts SET agent_reply = :reply
    WHERE id = (SELECT id FROM user_prompts
        WHERE session_id = :sessionId AND (prompt_number = :promptNumber OR prompt_id = :promptId)
        ORDER BY prompt_number DESC LIMIT 1)
      AND length(coalesce(agent_reply, '')) < length(:reply)`);

  /** The turn of an event: the turn of its prompt id if the host sends one, or else the latest turn. */
  const turnOf = (session: OpenSession, event: CapturedEvent): number =>
    namedTurn(session, event) ?? session.promptCounter;

  const namedTurn = (session: OpenSession, { promptId }: CapturedEvent): number | undefined =>
    promptId === null
      ? undefined
      : (numberOfPromptId.get(session.id, toStorableText(promptId)) as number | undefined);

  const result = (
    kind: CaptureResult['kind'],
    session: OpenSession,
    promptNumber: number,
  ): CaptureResult => ({
    kind,
    sessionId: session.id,
    projectId: session.projectId,
    promptNumber,
  });

  const filtered = (session: OpenSession, event: CapturedEvent, dedupeKey: string, promptNumber: number) => {
    ledger.add({
      sessionId: session.id,
      dedupeKey,
      promptNumber,
      outcome: 'filtered',
      reason: event.filterReason,
    });
    sessions.touch(session, event.occurredAtEpoch);
    return result('filtered', session, promptNumber);
  };

  const closeOpenTurns = (session: OpenSession, now: number) => {
    for (const promptNumber of messages.openTurns(session.id, session.promptCounter)) {
      const dedupeKey = `turn-interrupted@${promptNumber}`;
      const place = { sessionId: session.id, promptNumber, dedupeKey };
      if (ledger.find(session.id, dedupeKey) !== null) continue;
      ledger.add({ ...place, outcome: null });
      const payload = { reason: 'interrupted', lastAssistantMessage: null } as const;
      messages.add({ ...place, now, kind: 'summarize', payload });
    }
  };

  const isDoubled = (session: OpenSession, event: Event<'prompt'>, text: string): boolean => {
    if (event.promptId !== null) return false;
    const previous = promptOf.get(session.id, session.promptCounter) as
      { text: string; at: number } | undefined;
    return (
      previous !== undefined &&
      previous.text === text &&
      Math.abs(event.occurredAtEpoch - previous.at) <= DOUBLE_PROMPT_MS &&
      !ledger.hasEvents(session.id, session.promptCounter)
    );
  };

  /**
   * The turn that a repeated prompt without an id belongs to: the turn after the latest event, if that event was
   * repeated too.
   */
  const repeatedTurn = (session: OpenSession, event: Event<'prompt'>): number | null => {
    const before = latest.get(session.id);
    if (event.promptId !== null || before?.isKnown !== true) return null;
    const next = promptOf.get(session.id, before.turn + 1) as { text: string } | undefined;
    const isEqual = next !== undefined && next.text === storableText(event.text, TEXT_LIMITS.promptText);
    return isEqual ? before.turn + 1 : null;
  };

  const capturePrompt = (session: OpenSession, event: Event<'prompt'>): CaptureResult => {
    const { dedupeKey, occurredAtEpoch: now } = event;
    const known = ledger.find(session.id, dedupeKey) ?? repeatedTurn(session, event);
    if (known !== null) {
      latest.set(session.id, { turn: known, isKnown: true });
      return result('duplicate', session, known);
    }
    if (event.filterReason !== null) return filtered(session, event, dedupeKey, session.promptCounter);
    const text = storableText(event.text, TEXT_LIMITS.promptText);
    if (isDoubled(session, event, text)) {
      const promptNumber = session.promptCounter;
      ledger.add({ sessionId: session.id, dedupeKey, promptNumber, outcome: 'prompt', reason: 'doubled' });
      return result('duplicate', session, promptNumber);
    }
    const joinsRunningTurn = namedTurn(session, event) !== undefined;
    if (!joinsRunningTurn) closeOpenTurns(session, now);
    sessions.touch(session, now);
    const promptNumber = sessions.beginTurn(session, text);
    const promptId = storableOrNull(event.promptId, TEXT_LIMITS.agent);
    const { id: sessionId, projectId } = session;
    const uid = uuidV7(now);
    const { lastInsertRowid } = insertPrompt.run(
      uid,
      sessionId,
      projectId,
      promptNumber,
      promptId,
      text,
      now,
      storableOrNull(event.head?.branch, TEXT_LIMITS.branch),
      event.head?.commit ?? null,
    );
    const place = { sessionId, projectId, promptNumber, createdAtEpoch: now };
    const id = Number(lastInsertRowid);
    search.add([{ kind: 'prompt', id, promptText: text, ...place }]);
    ledger.add({ sessionId: session.id, dedupeKey, promptNumber, outcome: 'prompt' });
    latest.set(session.id, { turn: promptNumber, isKnown: false });
    const prompt = { id, uid, sessionId, promptNumber, promptText: text, createdAtEpoch: now };
    return { ...result('stored', session, promptNumber), prompt };
  };

  const captureToolUse = (session: OpenSession, event: Event<'tool-use'>): CaptureResult => {
    const { dedupeKey, occurredAtEpoch: now, filterReason: reason } = event;
    const sessionId = session.id;
    const promptNumber = turnOf(session, event);
    const outcome = reason === null ? null : 'filtered';
    if (!ledger.add({ sessionId, dedupeKey, promptNumber, outcome, reason })) {
      const turn = ledger.find(sessionId, dedupeKey) ?? promptNumber;
      latest.set(sessionId, { turn, isKnown: true });
      return result('duplicate', session, turn);
    }
    latest.set(sessionId, { turn: promptNumber, isKnown: false });
    toolUses.count(sessionId, { tool: event.toolName, isFailed: event.outcome === 'failed' });
    sessions.touch(session, now);
    if (outcome !== null) return result(outcome, session, promptNumber);
    const isEvidence = event.isEvidence ?? false;
    const payload = toolUsePayload(event);
    messages.add({ sessionId, promptNumber, dedupeKey, now, kind: 'observation', payload, isEvidence });
    return result('stored', session, promptNumber);
  };

  /** Returns an unused deduplication key, because a continued turn can end with the same text again. */
  const unusedKey = (session: OpenSession, key: string): string => {
    let unused = key;
    for (let count = 2; ledger.find(session.id, unused) !== null; count += 1) unused = `${key}#${count}`;
    return unused;
  };

  /** Returns the turns in which an event without an id may have been stored before. */
  const possibleTurns = (session: OpenSession, turn: number) => [
    ...new Set([latest.get(session.id)?.turn ?? turn, turn]),
  ];

  const captureTurnEnd = (session: OpenSession, event: Event<'turn-end'>): CaptureResult => {
    const { occurredAtEpoch: now } = event;
    const promptNumber = turnOf(session, event);
    const keyAt = (turn: number) =>
      event.promptId === null ? `${event.dedupeKey}@${turn}` : event.dedupeKey;
    const known = possibleTurns(session, promptNumber).find(
      (turn) =>
        ledger.find(session.id, keyAt(turn)) !== null &&
        (event.promptId !== null || !messages.hasOpenWork(session.id, turn)),
    );
    if (known !== undefined) {
      latest.set(session.id, { turn: known, isKnown: true });
      return result('duplicate', session, known);
    }
    const dedupeKey = unusedKey(session, keyAt(promptNumber));
    if (event.filterReason !== null) return filtered(session, event, dedupeKey, promptNumber);
    const assumed = messages.withdrawAssumedEnd(session.id, promptNumber);
    if (assumed !== null) ledger.remove(session.id, assumed);
    else if (ledger.find(session.id, `turn-interrupted@${promptNumber}`) !== null)
      return result('duplicate', session, promptNumber);
    latest.set(session.id, { turn: promptNumber, isKnown: false });
    const place = { sessionId: session.id, promptNumber, dedupeKey };
    const message = storableOrNull(event.lastAssistantMessage, TEXT_LIMITS.closingMessage);
    ledger.add({ ...place, outcome: null });
    messages.add({
      ...place,
      now,
      kind: 'summarize',
      payload: { reason: 'turn-end', lastAssistantMessage: message },
    });
    if (event.lastAssistantMessage !== null)
      setReply.run({
        sessionId: session.id,
        promptNumber,
        promptId: event.promptId === null ? null : toStorableText(event.promptId),
        reply: storableReply(event.lastAssistantMessage),
      });
    sessions.touch(session, now);
    return result('stored', session, promptNumber);
  };

  const captureSessionEnd = (session: OpenSession, event: Event<'session-end'>): CaptureResult => {
    const keyAt = (turn: number) => `${event.dedupeKey}@${turn}`;
    const promptNumber = session.promptCounter;
    const before = latest.get(session.id);
    const isRepeated = before?.isKnown === true && ledger.find(session.id, keyAt(before.turn)) !== null;
    if (isRepeated || session.status === 'completed') return result('duplicate', session, promptNumber);
    closeOpenTurns(session, event.occurredAtEpoch);
    ledger.add({
      sessionId: session.id,
      dedupeKey: keyAt(promptNumber),
      promptNumber,
      outcome: 'session-end',
    });
    sessions.complete(session, event.occurredAtEpoch);
    return result('stored', session, promptNumber);
  };

  return (captured) => {
    // Modification times of files have fractions of a millisecond, but the tables contain integers.
    const event = { ...captured, occurredAtEpoch: Math.trunc(captured.occurredAtEpoch) };
    const { session, isNew, isFilled } = sessions.ensure(event);
    if (isNew) toolUses.begin(session.id);
    switch (event.kind) {
      case 'session-start':
      case 'compaction':
        // Another start event means that the session is sent again from its first turn.
        if (!isNew && event.kind === 'session-start' && event.source === 'startup')
          latest.set(session.id, { turn: 0, isKnown: true });
        return result(isNew || isFilled ? 'stored' : 'duplicate', session, session.promptCounter);
      case 'prompt':
        return capturePrompt(session, event);
      case 'tool-use':
        return captureToolUse(session, event);
      case 'turn-end':
        return captureTurnEnd(session, event);
      case 'session-end':
        return captureSessionEnd(session, event);
    }
  };
}

function toolUsePayload(event: Event<'tool-use'>): ToolUsePayload {
  const text = (value: string | null) => (value === null ? null : toStorableText(value));
  return {
    toolName: toStorableText(event.toolName),
    toolUseId: text(event.toolUseId),
    input: storableJson(event.input),
    response: storableJson(event.response),
    outcome: event.outcome,
    error: text(event.error),
    isInterrupt: event.isInterrupt,
    durationMs: event.durationMs,
    cwd: text(event.cwd),
    agentId: text(event.agentId),
    agentType: text(event.agentType),
  };
}
