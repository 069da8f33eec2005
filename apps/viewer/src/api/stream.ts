import type { StreamEvent } from '@claude-mem/worker-protocol';

/** `resumed`: the connection is back, and what was missed comes or `stream-reset` does. */
export type StreamState = 'connecting' | 'live' | 'away';

const EVENT_TYPES = [
  'observation-created',
  'observation-updated',
  'summary-created',
  'memory-forgotten',
  'session-updated',
  'queue-changed',
  'stream-reset',
] as const satisfies readonly StreamEvent['type'][];

export interface Stream {
  /** Calls back for each event, in order, once; returns how to stop. */
  onEvent(listener: (event: StreamEvent) => void): () => void;
  onState(listener: () => void): () => void;
  state(): StreamState;
}

/**
 * One connection for the whole page. The browser resumes it with the last id it saw; where the worker let the browser go
 * for good, it is opened anew and everything shown is read again.
 */
export function openStream({ path = '/stream' }: { path?: string } = {}): Stream {
  const listeners = new Set<(event: StreamEvent) => void>();
  const watchers = new Set<() => void>();
  let state: StreamState = 'connecting';
  const setState = (next: StreamState) => {
    if (next === state) return;
    state = next;
    for (const watcher of watchers) watcher();
  };
  const tell = (event: StreamEvent) => {
    for (const listener of listeners) listener(event);
  };
  let wait = FIRST_WAIT_MS;

  const connect = (isFirst: boolean) => {
    const source = new EventSource(path);
    source.onopen = () => {
      wait = FIRST_WAIT_MS;
      setState('live');
      if (!isFirst) tell({ type: 'stream-reset', data: {} });
    };
    source.onerror = () => {
      setState('away');
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(() => connect(false), wait);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    };
    for (const type of EVENT_TYPES)
      source.addEventListener(type, (message) =>
        tell({ type, data: JSON.parse(String(message.data)) } as StreamEvent),
      );
  };
  connect(true);

  return {
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onState(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    state: () => state,
  };
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
