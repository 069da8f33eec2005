import { statSync } from 'node:fs';
import type { Clock } from '@claude-mem/core';
import type { LoadedSettings, Settings } from '@claude-mem/settings';

export interface LiveSettings {
  current(): Settings;
  loaded(): LoadedSettings;
  /** Reads the file again now. */
  refresh(): void;
  /** Resolves at the next change of one of the properties, or on abort. */
  changed(properties: readonly (keyof Settings)[], options: { signal: AbortSignal }): Promise<void>;
}

const LOOK_MS = 1_000;

/** Current settings of the file. Changes of the file take effect without a restart. An invalid file changes nothing. */
export function createLiveSettings({
  load,
  clock,
}: {
  load: () => LoadedSettings;
  clock: Clock;
}): LiveSettings {
  let loaded = load();
  let stamp = stampOf(loaded.paths.settingsFile);
  let lookedAt = clock.now();
  const waiters = new Set<(before: Settings, after: Settings) => void>();

  const refresh = () => {
    lookedAt = clock.now();
    const newStamp = stampOf(loaded.paths.settingsFile);
    if (newStamp === stamp) return;
    stamp = newStamp;
    const before = loaded.settings;
    const next = load();
    // A file that becomes invalid during an edit must not remove its exclusions.
    loaded = next.isFileUsable ? next : { ...loaded, problems: next.problems };
    for (const waiter of [...waiters]) waiter(before, loaded.settings);
  };
  const look = () => {
    if (clock.now() - lookedAt >= LOOK_MS) refresh();
    return loaded;
  };

  return {
    current: () => look().settings,
    loaded: look,
    refresh,
    changed: (properties, { signal }) =>
      new Promise((resolve) => {
        const finish = () => {
          waiters.delete(compare);
          resolve();
        };
        const compare = (before: Settings, after: Settings) => {
          const isDifferent = properties.some(
            (property) => JSON.stringify(before[property]) !== JSON.stringify(after[property]),
          );
          if (isDifferent) finish();
        };
        waiters.add(compare);
        if (signal.aborted) finish();
        else signal.addEventListener('abort', finish, { once: true });
      }),
  };
}

function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.ino}:${found.size}:${found.mtimeMs}`;
}
