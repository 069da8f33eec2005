/** Whoever has a child. */
export interface ChildOwner {
  /** Its child is not needed at this moment. */
  isIdle(): boolean;
  /** Ends its child and gives the place back. */
  leave(): Promise<void>;
}

/** A fixed number of places for children. */
export interface ChildPool {
  /** Waits for a place; an idle owner gives up its own. The same owner keeps its place until it leaves. */
  enter(owner: ChildOwner, signal?: AbortSignal): Promise<void>;
  leave(owner: ChildOwner): void;
  /** Says that an owner may have become idle. */
  changed(): void;
}

export function createChildPool(size: number): ChildPool {
  // longest unused first
  const owners = new Set<ChildOwner>();
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
    const over = () => {
      waiting.delete(over);
      signal?.removeEventListener('abort', onAbort);
      resolve();
    };
    const onAbort = () => {
      waiting.delete(over);
      reject(signal?.reason);
    };
    waiting.add(over);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
