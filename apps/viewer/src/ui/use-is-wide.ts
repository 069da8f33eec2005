import { useSyncExternalStore } from 'react';

const WIDE = '(width >= 96rem)';

/** True where there is room for what is in focus beside the list that it is in. */
export function useIsWide(): boolean {
  return useSyncExternalStore(onChange, () => matchMedia(WIDE).matches);
}

function onChange(watcher: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener('change', watcher);
  return () => query.removeEventListener('change', watcher);
}
