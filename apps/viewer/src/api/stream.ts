import type { StreamEvent } from '@claude-mem/worker-protocol';
import { takePlace } from './take-place.js';

/**
 * `signed-out`: the worker does not know this browser; `full`: it, or the browser, has as many streams as it takes. Both and
 * `away` end by themselves when their reason does.
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
  /** Calls back for each event, in order, once; returns how to stop. */
  onEvent(listener: (event: StreamEvent) => void): () => void;
  onState(listener: () => void): () => void;
  state(): StreamState;
}

/**
 * One connection for the whole page, resumed after the last event that was heard. A browser opens six connections to a host
 * in all its tabs: a hidden page has none, and of those in view a few; the others say `stream-reset` now and then.
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
    // without an event to resume after, changes since the page was read would be missed
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
      // as long as the browser tries by itself it resumes by itself
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

/** Why a stream is refused, which the browser does not tell. */
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
/** Of the pages of one browser; the other connections are for what is asked for. */
const MOST_STREAMS = 4;
/** A page that has no stream is read anew so often. */
const RELOAD_MS = 10_000;
const RECONNECT_TIMEOUT_MS = 1_000;
/** A short look elsewhere costs no new connection. */
const HIDDEN_MS = 5_000;
