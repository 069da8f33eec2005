import type { PendingMessage, ToolUsePayload } from '../../pending-message.js';
import {
  EVIDENCE_PER_CLAIM,
  type MessageSelection,
  type PendingMessages,
  type WaitingTurn,
} from '../../ports/pending-messages.js';
import type { OpenedPendingMessages, PendingSeed, SeededEvent } from './opened-pending-messages.js';

interface MemorySession {
  id: number;
  promptCounter: number;
  isOver: boolean;
  messageIds: Set<number>;
}

/** The reference implementation of `PendingMessages`. It passes the conformance suite and stores nothing on disk. */
export function createMemoryPendingMessages(): OpenedPendingMessages {
  const sessions = new Map<string, MemorySession>();
  const rows = new Map<number, PendingMessage>();
  let lastId = 0;

  const inOrder = (some: Iterable<PendingMessage>) =>
    [...some].sort((a, b) => a.promptNumber - b.promptNumber || a.id - b.id);
  const ofSession = (sessionId: number): PendingMessage[] => {
    const session = [...sessions.values()].find(({ id }) => id === sessionId);
    return [...(session?.messageIds ?? [])].flatMap((id) => rows.get(id) ?? []);
  };
  const isBusy = (sessionId: number) => ofSession(sessionId).some(({ status }) => status === 'processing');
  const remove = (ids: Iterable<number>) => {
    for (const id of ids) {
      rows.delete(id);
      for (const { messageIds } of sessions.values()) messageIds.delete(id);
    }
  };
  const oldestTurns = (sessionId: number, maxTurns: number) => {
    const pending = inOrder(ofSession(sessionId).filter(({ status }) => status === 'pending'));
    const numbers = [...new Set(pending.map(({ promptNumber }) => promptNumber))].slice(0, maxTurns);
    const worked = pending.find(({ kind }) => kind === 'observation')?.promptNumber ?? Infinity;
    return pending.filter(({ promptNumber }) => numbers.includes(promptNumber) && promptNumber <= worked);
  };
  const change = (
    ids: readonly number[],
    from: PendingMessage['status'],
    to: (row: PendingMessage) => object,
  ) => {
    let changed = 0;
    for (const id of new Set(ids)) {
      const row = rows.get(id);
      if (row?.status !== from) continue;
      rows.set(id, { ...row, ...to(row) });
      changed += 1;
    }
    return changed;
  };
  const selected = (selection: MessageSelection) =>
    'ids' in selection
      ? [...selection.ids]
      : inOrder(rows.values()).filter(({ status }) => status === selection.status).map(({ id }) => id); // prettier-ignore

  const messages: PendingMessages = {
    async waitingTurns({ maxTurns = 1 } = {}) {
      const turns: (WaitingTurn & { firstId: number })[] = [];
      for (const { id: sessionId, promptCounter, isOver } of sessions.values()) {
        const turn = oldestTurns(sessionId, maxTurns);
        const [first] = turn;
        const promptNumber = turn.at(-1)?.promptNumber ?? 0;
        if (!first || isBusy(sessionId)) continue;
        turns.push({
          firstId: first.id,
          sessionId,
          promptNumber,
          turns: new Set(turn.map((message) => message.promptNumber)).size,
          isConversation: turn.every(({ kind }) => kind === 'summarize'),
          isSessionOver: isOver,
          count: turn.filter(({ isEvidence }) => !isEvidence).length,
          bytes: turn.reduce((sum, { bytes }) => sum + bytes, 0),
          isOver: turn.some((one) => one.kind === 'summarize' && one.promptNumber === promptNumber),
          hasLaterPrompt: promptCounter > promptNumber,
          firstAtEpoch: first.createdAtEpoch,
          newestAtEpoch: Math.max(...turn.map(({ createdAtEpoch }) => createdAtEpoch)),
          availableAtEpoch: first.availableAtEpoch,
        });
      }
      return turns.sort((a, b) => a.firstId - b.firstId).map(({ firstId: _, ...turn }) => turn);
    },

    async claim({ sessionId, now, maxCount, maxBytes, maxTurns = 1 }) {
      if (isBusy(sessionId)) return [];
      const taken: PendingMessage[] = [];
      let places = 0;
      let bytes = 0;
      for (const row of oldestTurns(sessionId, maxTurns)) {
        places += row.isEvidence ? 0 : 1;
        bytes += row.bytes;
        if (row.availableAtEpoch > now || taken.length >= maxCount + EVIDENCE_PER_CLAIM) break;
        if (taken.length > 0 && (places > maxCount || bytes > maxBytes)) break;
        taken.push({ ...row, status: 'processing', claimedAtEpoch: now });
      }
      for (const row of taken) rows.set(row.id, row);
      return taken;
    },

    async renew({ ids, now }) {
      change(ids, 'processing', () => ({ claimedAtEpoch: now }));
    },

    async release({ ids, availableAt, error }) {
      change(ids, 'processing', ({ attempts, lastError }) => ({
        status: 'pending',
        claimedAtEpoch: null,
        availableAtEpoch: availableAt,
        attempts: error === undefined ? attempts : attempts + 1,
        lastError: error ?? lastError,
      }));
    },

    async park({ ids, error }) {
      change(ids, 'processing', ({ attempts }) => ({
        status: 'parked',
        claimedAtEpoch: null,
        attempts: attempts + 1,
        lastError: error,
      }));
    },

    async recoverClaims({ claimedBefore, now, parkAfter }) {
      const claimed = inOrder(rows.values()).filter(
        ({ claimedAtEpoch }) => (claimedAtEpoch ?? Infinity) <= claimedBefore,
      );
      return change(
        claimed.map(({ id }) => id),
        'processing',
        ({ attempts }) => ({
          status: attempts + 1 >= parkAfter ? 'parked' : 'pending',
          claimedAtEpoch: null,
          availableAtEpoch: now,
          attempts: attempts + 1,
          lastError: 'the process that had claimed it ended',
        }),
      );
    },

    async list({ status, sessionId, limit = 100, afterId = 0 } = {}) {
      return [...rows.values()]
        .filter(
          (row) =>
            row.id > afterId &&
            (status === undefined || row.status === status) &&
            (sessionId === undefined || row.sessionId === sessionId),
        )
        .sort((a, b) => a.id - b.id)
        .slice(0, limit);
    },

    async counts({ sessionId } = {}) {
      const all = sessionId === undefined ? [...rows.values()] : ofSession(sessionId);
      const of = (status: PendingMessage['status']) => all.filter((row) => row.status === status);
      const pendingSince = of('pending').map(({ createdAtEpoch }) => createdAtEpoch);
      return {
        pending: pendingSince.length,
        processing: of('processing').length,
        parked: of('parked').length,
        orphans: 0,
        oldestPendingEpoch: pendingSince.length > 0 ? Math.min(...pendingSince) : null,
      };
    },

    async retry(selection, now) {
      return change(selected(selection), 'parked', () => ({
        status: 'pending',
        attempts: 0,
        availableAtEpoch: now,
      }));
    },

    async drop(selection) {
      const ids = new Set(selected(selection).filter((id) => (rows.get(id)?.status ?? 'processing') !== 'processing')); // prettier-ignore
      remove(ids);
      return ids.size;
    },
  };

  const queueMessage = (
    session: MemorySession,
    at: number,
    content: Pick<PendingMessage, 'kind' | 'payload'>,
    isEvidence = false,
  ) => {
    lastId += 1;
    session.messageIds.add(lastId);
    rows.set(lastId, {
      ...(content as Extract<PendingMessage, { kind: 'summarize' }>),
      id: lastId,
      sessionId: session.id,
      promptNumber: session.promptCounter,
      bytes: new TextEncoder().encode(JSON.stringify(content.payload)).length,
      isEvidence,
      status: 'pending',
      attempts: 0,
      lastError: null,
      createdAtEpoch: at,
      claimedAtEpoch: null,
      availableAtEpoch: at,
    });
  };

  const seedOne = ({ session: name, kind, at, text = 'event', isEvidence }: PendingSeed): SeededEvent => {
    const session = sessions.get(name) ?? {
      id: sessions.size + 1,
      promptCounter: 0,
      isOver: false,
      messageIds: new Set(),
    };
    sessions.set(name, session);
    session.isOver = kind === 'session-end';
    if (kind === 'prompt' || kind === 'session-end') {
      const open = ofSession(session.id).filter((row) => row.promptNumber === session.promptCounter);
      if (open.length > 0 && open.every((row) => row.kind === 'observation'))
        queueMessage(session, at, {
          kind: 'summarize',
          payload: { reason: 'interrupted', lastAssistantMessage: null },
        });
      if (kind === 'prompt') session.promptCounter += 1;
    } else if (kind === 'turn-end') {
      queueMessage(session, at, {
        kind: 'summarize',
        payload: { reason: 'turn-end', lastAssistantMessage: text },
      });
    } else {
      const payload: ToolUsePayload = {
        toolName: 'Bash',
        toolUseId: `toolu_${lastId + 1}`,
        input: { command: `run ${lastId + 1}` },
        response: { stdout: text },
        outcome: 'succeeded',
        error: null,
        isInterrupt: false,
        durationMs: 5,
        cwd: '/home/dev/shop',
        agentId: null,
        agentType: null,
      };
      queueMessage(session, at, { kind: 'observation', payload }, isEvidence);
    }
    return { sessionId: session.id, promptNumber: session.promptCounter };
  };

  return {
    messages,
    seed: async (events) => events.map(seedOne),
    async confirm(confirmed) {
      remove(confirmed.map(({ id }) => id));
    },
    async close() {
      rows.clear();
    },
  };
}
