import type { StreamEvent } from '@claude-mem/worker-protocol';
import { takePlace } from './take-place.js';

/**
 * `away`: the worker is not reachable. `signed-out`: the worker does not accept this browser. `full`: the browser or
 * the worker has reached its limit of streams. The page leaves these states automatically when the cause ends.
 */
export type StreamState = 'connecting' | 'live' | 'away' | 'signed-out' | 'full';

const EVENT_TYPES = [
  'observation-created',
  'observation-updated',
  'summary-created',
  'prompt-created',
  'memory-forgotten',
  'session-updated',
  'queue-changed',
  'stream-reset',
] as const satisfies readonly StreamEvent['type'][];

export interface Stream {
  /** Calls the listener for each event, in order. Returns a function that removes the listener. */
  onEvent(listener: (event: StreamEvent) => void): () => void;
  onState(listener: () => void): () => void;
  state(): StreamState;
}

/**
 * Opens one event stream for the page and resumes it after the last received event. Browsers limit a host to six
 * connections across all tabs. Hidden pages therefore have no stream, and at most `MAX_STREAMS` visible pages have
 * one. The other pages emit `stream-reset` regularly.
 */
export function openStream({ path = '/stream' }: { path?: string } = {}): Stream {
  const listeners = new Set<(event: StreamEvent) => void>();
  const watchers = new Set<() => void>();
  let state: StreamState = 'connecting';
  let source: EventSource | null = null;
  let lastEventId = '';
  let wait = FIRST_WAIT_MS;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let hideTimer: ReturnType<typeof setTimeout> | undefined;
  let waitTimer: ReturnType<typeof setTimeout> | undefined;
  let leavePlace: (() => void) | null = null;
  let hasPlace = false;
  let wasWaiting = false;

  const setState = (next: StreamState) => {
    if (next === state) return;
    state = next;
    for (const watcher of watchers) watcher();
  };
  const emit = (event: StreamEvent) => {
    for (const listener of listeners) listener(event);
  };

  const connect = () => {
    disconnect();
    const opened = new EventSource(
      lastEventId === '' ? path : `${path}?lastEventId=${encodeURIComponent(lastEventId)}`,
    );
    source = opened;
    // the first connection has no event to resume after, so it may miss changes
    let isGap = lastEventId === '';
    wasWaiting = false;
    opened.onopen = () => {
      wait = FIRST_WAIT_MS;
      setState('live');
      if (isGap) emit({ type: 'stream-reset', data: {} });
      isGap = false;
    };
    opened.onerror = () => {
      if (opened !== source) return;
      // unless the source is closed, the browser reconnects and resumes automatically
      if (opened.readyState === EventSource.CLOSED) void tryLater();
      else setState('away');
    };
    for (const type of EVENT_TYPES)
      opened.addEventListener(type, (message) => {
        lastEventId = message.lastEventId;
        emit({ type, data: JSON.parse(String(message.data)) } as StreamEvent);
      });
  };
  const disconnect = () => {
    clearTimeout(retryTimer);
    source?.close();
    source = null;
  };
  const tryLater = async () => {
    disconnect();
    const reason = await refusalOf(path);
    if (source !== null || !hasPlace || document.hidden) return;
    setState(reason);
    retryTimer = setTimeout(connect, wait * (0.75 + Math.random() / 2));
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  };

  const start = () => {
    const waitOn = () => {
      if (wasWaiting) emit({ type: 'stream-reset', data: {} });
      wasWaiting = true;
      setState('full');
      waitTimer = setTimeout(waitOn, RELOAD_MS);
    };
    waitTimer = setTimeout(waitOn, RECONNECT_TIMEOUT_MS);
    leavePlace = takePlace('claude-mem-stream', MOST_STREAMS, () => {
      hasPlace = true;
      clearTimeout(waitTimer);
      connect();
    });
  };
  const stop = () => {
    clearTimeout(waitTimer);
    disconnect();
    leavePlace?.();
    leavePlace = null;
    hasPlace = false;
  };

  document.addEventListener('visibilitychange', () => {
    clearTimeout(hideTimer);
    if (document.hidden) {
      hideTimer = setTimeout(stop, HIDDEN_MS);
      return;
    }
    wait = FIRST_WAIT_MS;
    if (leavePlace === null) start();
    else if (hasPlace && source === null) connect();
  });
  if (!document.hidden) start();

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

/** Finds out why a stream was rejected, because `EventSource` does not report the status. */
async function refusalOf(path: string): Promise<'away' | 'signed-out' | 'full'> {
  const ended = new AbortController();
  try {
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(LONGEST_WAIT_MS)]);
    const { status } = await fetch(path, { credentials: 'same-origin', signal });
    if (status === 401) return 'signed-out';
    return status === 503 ? 'full' : 'away';
  } catch {
    return 'away';
  } finally {
    ended.abort();
  }
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** Maximum number of streams of a browser. The other connections are used for requests. */
const MOST_STREAMS = 4;
/** Interval of `stream-reset` on a page without a stream. */
const RELOAD_MS = 10_000;
const RECONNECT_TIMEOUT_MS = 1_000;
/** A page that is hidden for a shorter time keeps its stream. */
const HIDDEN_MS = 5_000;
