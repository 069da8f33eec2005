import type { EnteredSettings } from '../../settings-form/entered-settings.js';

/** Unsaved input of the context page. Kept when the user visits other pages, lost when the tab is closed. */
export interface ContextDraft {
  prompt: string;
  file: string;
  settings: EnteredSettings;
}

let draft: ContextDraft = { prompt: '', file: '', settings: {} };
const watchers = new Set<() => void>();

export const contextDraft = {
  current: () => draft,
  change(change: Partial<ContextDraft>): void {
    draft = { ...draft, ...change };
    for (const watcher of watchers) watcher();
  },
  watch(watcher: () => void): () => void {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  },
};
