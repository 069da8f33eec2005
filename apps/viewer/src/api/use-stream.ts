import type { StreamEvent } from '@claude-mem/worker-protocol';
import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import { openStream, type Stream, type StreamState } from './stream.js';

let stream: Stream | null = null;
const sharedStream = () => (stream ??= openStream());

/** Calls `listener` for each event of the worker while the component is mounted. */
export function useStreamEvent(listener: (event: StreamEvent) => void): void {
  const onEvent = useEffectEvent(listener);
  useEffect(() => sharedStream().onEvent((event) => onEvent(event)), []);
}

/** Calls `listener` each time the stream is connected again after the worker was not reachable. */
export function useWorkerReturn(listener: () => void): void {
  const state = useStreamState();
  const wasAway = useRef(false);
  const onReturn = useEffectEvent(listener);
  useEffect(() => {
    if (state === 'away') wasAway.current = true;
    if (state !== 'live' || !wasAway.current) return;
    wasAway.current = false;
    onReturn();
  }, [state]);
}

export function useStreamState(): StreamState {
  return useSyncExternalStore(
    (watcher) => sharedStream().onState(watcher),
    () => sharedStream().state(),
  );
}
