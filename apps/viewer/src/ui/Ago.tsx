import { useSyncExternalStore } from 'react';
import { formatAgo, formatMoment } from '../format/format-time.js';

/** Relative time, such as `3 minutes ago` or `in 2 hours`, updated while it is shown. The title has the full date. */
export function Ago({ epoch }: { epoch: number }) {
  const now = useSyncExternalStore(onTick, currentTick);
  return (
    <time dateTime={new Date(epoch).toISOString()} title={formatMoment(epoch)}>
      {formatAgo(epoch, now)}
    </time>
  );
}

const TICK_MS = 30_000;
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

const currentTick = () => Math.floor(Date.now() / 1_000) * 1_000;

function onTick(watcher: () => void): () => void {
  watchers.add(watcher);
  timer ??= setInterval(() => {
    for (const each of watchers) each();
  }, TICK_MS);
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
