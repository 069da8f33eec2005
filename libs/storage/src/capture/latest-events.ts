/** Sessions remembered; the oldest are forgotten first. */
const CAPACITY = 1_000;

/** The turn of an event, and whether the event was stored before. */
interface LatestEvent {
  turn: number;
  isKnown: boolean;
}

/**
 * The latest event of each session. When a session comes in again, the ends of its turns carry no id: the events before them show which
 * turn they end. Only a hint, so it may be lost with the process.
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
