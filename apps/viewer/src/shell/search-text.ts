/**
 * The text of the search box. The URL is updated with a delay, because browsers limit how often it can change.
 * `typed()` returns null while the URL is current.
 */
export interface SearchText {
  typed(): string | null;
  type(text: string): void;
  /** Discards the typed text when the URL is current, or changed for another reason than typing. */
  settle(): void;
  /** Updates the URL immediately if an update is pending. */
  flush(): void;
  watch(watcher: () => void): () => void;
}

const ADDRESS_AFTER_MS = 150;

export function createSearchText({ writeAddress }: { writeAddress: (text: string) => void }): SearchText {
  let typed: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watchers = new Set<() => void>();
  const set = (next: string | null) => {
    typed = next;
    for (const watcher of watchers) watcher();
  };
  const write = () => {
    timer = undefined;
    if (typed !== null) writeAddress(typed);
  };
  return {
    typed: () => typed,
    type(text) {
      set(text);
      clearTimeout(timer);
      timer = setTimeout(write, ADDRESS_AFTER_MS);
    },
    settle() {
      if (timer === undefined && typed !== null) set(null);
    },
    flush() {
      if (timer === undefined) return;
      clearTimeout(timer);
      write();
    },
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}
