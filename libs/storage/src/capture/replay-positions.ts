/** Sessions remembered; the oldest are forgotten first. */
const CAPACITY = 1_000;

/**
 * The turn whose prompt was seen last, also when that prompt was known already. Without it, the end of an early turn
 * that comes in again would be taken for the end of the latest one. Only a hint, so it may be lost with the process.
 */
export interface ReplayPositions {
  get(sessionId: number): number | undefined;
  set(sessionId: number, promptNumber: number): void;
}

export function createReplayPositions(): ReplayPositions {
  const positions = new Map<number, number>();
  return {
    get: (sessionId) => positions.get(sessionId),
    set(sessionId, promptNumber) {
      positions.delete(sessionId);
      positions.set(sessionId, promptNumber);
      for (const oldest of positions.keys()) {
        if (positions.size <= CAPACITY) break;
        positions.delete(oldest);
      }
    },
  };
}
