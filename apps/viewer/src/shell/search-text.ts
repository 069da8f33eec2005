/**
 * What is being typed into the search box, ahead of the address, which follows a moment later: browsers limit how often an
 * address may change, and no key should wait for it. Null: nothing is ahead, the address counts.
 */
export interface SearchText {
  typed(): string | null;
  type(text: string): void;
  /** The address is where it should be, or was changed by something else than typing. */
  settle(): void;
  /** Writes the address now, when that is still due. */
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
