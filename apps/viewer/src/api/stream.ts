import type { StreamEvent } from '@claude-mem/worker-protocol';
import { acquireSlot } from './acquire-slot.js';

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
  let releaseSlot: (() => void) | null = null;
  let hasSlot = false;
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
      if (opened.readyState === EventSource.CLOSED) void retryLater();
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
  const retryLater = async () => {
    disconnect();
    const reason = await rejectionReasonOf(path);
    if (source !== null || !hasSlot || document.hidden) return;
    setState(reason);
    retryTimer = setTimeout(connect, wait * (0.75 + Math.random() / 2));
    wait = Math.min(wait * 2, MAX_WAIT_MS);
  };

  const start = () => {
    const waitForSlot = () => {
      if (wasWaiting) emit({ type: 'stream-reset', data: {} });
      wasWaiting = true;
      setState('full');
      waitTimer = setTimeout(waitForSlot, RELOAD_MS);
    };
    waitTimer = setTimeout(waitForSlot, RECONNECT_TIMEOUT_MS);
    releaseSlot = acquireSlot('claude-mem-stream', MAX_STREAMS, () => {
      hasSlot = true;
      clearTimeout(waitTimer);
      connect();
    });
  };
  const stop = () => {
    clearTimeout(waitTimer);
    disconnect();
    releaseSlot?.();
    releaseSlot = null;
    hasSlot = false;
  };

  document.addEventListener('visibilitychange', () => {
    clearTimeout(hideTimer);
    if (document.hidden) {
      hideTimer = setTimeout(stop, HIDDEN_MS);
      return;
    }
    wait = FIRST_WAIT_MS;
    if (releaseSlot === null) start();
    else if (hasSlot && source === null) connect();
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
async function rejectionReasonOf(path: string): Promise<'away' | 'signed-out' | 'full'> {
  const ended = new AbortController();
  try {
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(MAX_WAIT_MS)]);
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
const MAX_WAIT_MS = 30_000;
/** Maximum number of streams of a browser. The other connections are used for requests. */
const MAX_STREAMS = 4;
/** Interval of `stream-reset` on a page without a stream. */
const RELOAD_MS = 10_000;
const RECONNECT_TIMEOUT_MS = 1_000;
/** A page that is hidden for a shorter time keeps its stream. */
const HIDDEN_MS = 5_000;
