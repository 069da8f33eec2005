import { useSyncExternalStore } from 'react';

const NARROW = '(width < 40rem)';

/** True on a phone: for what style sheets cannot do. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(onChange, () => matchMedia(NARROW).matches);
}

function onChange(watcher: () => void): () => void {
  const query = matchMedia(NARROW);
  query.addEventListener('change', watcher);
  return () => query.removeEventListener('change', watcher);
}
