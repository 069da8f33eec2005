import type { StreamEvent } from '@claude-mem/worker-protocol';
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { openStream, type Stream, type StreamState } from './stream.js';

let stream: Stream | null = null;
const sharedStream = () => (stream ??= openStream());

/** Calls `listener` for each event of the worker while the component is there. */
export function useStreamEvent(listener: (event: StreamEvent) => void): void {
  const onEvent = useEffectEvent(listener);
  useEffect(() => sharedStream().onEvent((event) => onEvent(event)), []);
}

export function useStreamState(): StreamState {
  return useSyncExternalStore(
    (watcher) => sharedStream().onState(watcher),
    () => sharedStream().state(),
  );
}
