/**
 * Takes one of a few places that all pages of this browser share, as soon as one is free. A page that is closed leaves its own.
 * Where the browser has no locks, which is where the address is not a safe one, there is always a place.
 * @param onTaken may be called before this returns
 * @returns leaves the place, or waits for none any more
 */
export function takePlace(name: string, places: number, onTaken: () => void): () => void {
  const { locks } = navigator as Partial<Navigator>;
  if (locks === undefined) {
    onTaken();
    return () => undefined;
  }
  const waiting = new AbortController();
  let leave = () => {};
  const left = new Promise<void>((resolve) => (leave = resolve));
  let isSettled = false;
  const take = () => {
    if (isSettled) return undefined;
    isSettled = true;
    waiting.abort();
    onTaken();
    return left;
  };
  for (let number = 1; number <= places; number += 1)
    locks.request(`${name}-${number}`, { signal: waiting.signal }, take).catch((reason: unknown) => {
      if (!waiting.signal.aborted) throw reason;
    });
  return () => {
    isSettled = true;
    waiting.abort();
    leave();
  };
}
