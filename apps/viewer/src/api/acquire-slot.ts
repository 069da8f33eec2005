/**
 * Acquires one of a few slots that all pages of this browser share, as soon as one is free. A closed page releases
 * its slot. A browser offers no locks on an insecure address; a slot is then always free.
 * @param onAcquired may be called before this function returns
 * @returns releases the slot, or stops waiting for one
 */
export function acquireSlot(name: string, slots: number, onAcquired: () => void): () => void {
  const { locks } = navigator as Partial<Navigator>;
  if (locks === undefined) {
    onAcquired();
    return () => undefined;
  }
  const waiting = new AbortController();
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let isSettled = false;
  const take = () => {
    if (isSettled) return undefined;
    isSettled = true;
    waiting.abort();
    onAcquired();
    return released;
  };
  for (let number = 1; number <= slots; number += 1)
    locks.request(`${name}-${number}`, { signal: waiting.signal }, take).catch((reason: unknown) => {
      if (!waiting.signal.aborted) throw reason;
    });
  return () => {
    isSettled = true;
    waiting.abort();
    release();
  };
}
