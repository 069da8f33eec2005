import type { Toast } from '@base-ui/react/toast';

type ToastManager = ReturnType<typeof Toast.createToastManager>;
type Notice = Omit<Parameters<ToastManager['add']>[0], 'id'>;

/** Short notices over the page. The component that shows them is loaded with the first one. */
export interface Notices {
  /** Shows a notice. Returns its id. */
  add(notice: Notice): string;
  close(id: string): void;
  /** Whether any notice was added. */
  hasAny(): boolean;
  onFirst(watcher: () => void): () => void;
  /** Sets the toast manager, and passes it the notices that were added before. */
  showWith(manager: Pick<ToastManager, 'add' | 'close'>): void;
}

export function createNotices(): Notices {
  let manager: Pick<ToastManager, 'add' | 'close'> | null = null;
  let waiting: (Notice & { id: string })[] = [];
  let count = 0;
  const watchers = new Set<() => void>();
  return {
    add(notice) {
      count += 1;
      const id = `notice-${count}`;
      if (manager === null) waiting.push({ ...notice, id });
      else manager.add({ ...notice, id });
      if (count === 1) for (const watcher of watchers) watcher();
      return id;
    },
    close(id) {
      waiting = waiting.filter((notice) => notice.id !== id);
      manager?.close(id);
    },
    hasAny: () => count > 0,
    onFirst(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    showWith(shown) {
      manager = shown;
      for (const notice of waiting.splice(0)) manager.add(notice);
    },
  };
}

/** The notices of this page. */
export const notices = createNotices();
