/** Maximum number of sessions in memory. The oldest are removed first. */
const CAPACITY = 1_000;

/** The turn of an event, and whether the event was stored before. */
interface LatestEvent {
  turn: number;
  isKnown: boolean;
}

/**
 * The latest event of each session. When a session is sent again, the ends of its turns have no id, and the events
 * before them identify the turn. This is only a hint, so it may be lost when the process exits.
 */
export interface LatestEvents {
  get(sessionId: number): LatestEvent | undefined;
  set(sessionId: number, event: LatestEvent): void;
}

export function createLatestEvents(): LatestEvents {
  const events = new Map<number, LatestEvent>();
  return {
    get: (sessionId) => events.get(sessionId),
    set(sessionId, event) {
      events.delete(sessionId);
      events.set(sessionId, event);
      for (const oldest of events.keys()) {
        if (events.size <= CAPACITY) break;
        events.delete(oldest);
      }
    },
  };
}
