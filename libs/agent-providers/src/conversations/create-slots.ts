/** The user of a slot. */
export interface SlotOwner {
  /** The owner does not need its slot at the moment. */
  isIdle(): boolean;
  /** Makes the owner release its slot. */
  leave(): Promise<void>;
}

/** A fixed number of slots. */
export interface Slots {
  /** Waits for a slot. The owner that has been idle for longest releases its slot. An owner with a slot keeps it. */
  enter(owner: SlotOwner, signal?: AbortSignal): Promise<void>;
  leave(owner: SlotOwner): void;
  /** Reports that an owner may have become idle. */
  changed(): void;
}

export function createSlots(size: number): Slots {
  // ordered by last use, oldest first
  const owners = new Set<SlotOwner>();
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
