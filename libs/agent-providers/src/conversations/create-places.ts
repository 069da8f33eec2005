/** Whoever takes a place. */
export interface PlaceOwner {
  /** It does not need its place at this moment. */
  isIdle(): boolean;
  /** Makes it give its place back. */
  leave(): Promise<void>;
}

/** A fixed number of places. */
export interface Places {
  /** Waits for a place; the owner that is idle for longest gives up its own. Who has a place keeps it. */
  enter(owner: PlaceOwner, signal?: AbortSignal): Promise<void>;
  leave(owner: PlaceOwner): void;
  /** Says that an owner may have become idle. */
  changed(): void;
}

export function createPlaces(size: number): Places {
  // longest unused first
  const owners = new Set<PlaceOwner>();
  const waiting = new Set<() => void>();

  const changed = () => {
    for (const wake of waiting) wake();
  };

  return {
    async enter(owner, signal) {
      for (;;) {
        signal?.throwIfAborted();
        if (owners.delete(owner) || owners.size < size) {
          owners.add(owner);
          return;
        }
        const idle = [...owners].find((other) => other.isIdle());
        if (idle) await idle.leave();
        else await change(waiting, signal);
      }
    },
    leave(owner) {
      if (owners.delete(owner)) changed();
    },
    changed,
  };
}

function change(waiting: Set<() => void>, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopWaiting = () => {
      waiting.delete(wake);
      signal?.removeEventListener('abort', giveUp);
    };
    const wake = () => {
      stopWaiting();
      resolve();
    };
    const giveUp = () => {
      stopWaiting();
      reject(signal?.reason);
    };
    waiting.add(wake);
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}
