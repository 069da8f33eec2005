import { useCallback, useSyncExternalStore } from 'react';

/** Returns whether a media query matches. */
export function useMedia(query: string): boolean {
  const watch = useCallback(
    (watcher: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', watcher);
      return () => list.removeEventListener('change', watcher);
    },
    [query],
  );
  return useSyncExternalStore(watch, () => matchMedia(query).matches);
}
