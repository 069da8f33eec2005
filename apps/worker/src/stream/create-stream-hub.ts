import type { StreamEvent } from '@claude-mem/worker-protocol';

const KEPT = 500;
/** Size of the replay buffer in characters. */
const KEPT_LENGTH = 8 * 1024 * 1024;
const MAX_CLIENTS = 64;
/** Maximum unread bytes of a client before it is disconnected. It resumes by id. */
const MAX_UNREAD = 1024 * 1024;

/** The part of a response that the hub writes to. */
export interface StreamSink {
  write(chunk: string): boolean;
  end(): void;
  destroy(): void;
  readonly writableLength: number;
  on(event: 'close' | 'error', listener: () => void): unknown;
}

export interface StreamHub {
  publish(event: StreamEvent): void;
  /** Clears the replay buffer. Reconnecting clients must load their lists again. */
  forgetSent(): void;
  /** Adds a client, and first sends the events after `lastEventId`. Returns false when there are too many. */
  attach(sink: StreamSink, options: { lastEventId: string | null }): boolean;
  clientCount(): number;
  /** Sends a comment to all clients, which keeps their connections open. */
  sendHeartbeat(): void;
  close(): void;
}

/**
 * Sends events to the clients of `/stream`. Ids have the form `run-number`. The last few hundred events are kept for
 * reconnecting clients. A client that missed more must load its lists again.
 * @param run identifies this process, so that ids of an earlier process are not mistaken
 */
export function createStreamHub({ run }: { run: string }): StreamHub {
  const clients = new Set<StreamSink>();
  let kept: { number: number; frame: string; state: string | null }[] = [];
  let keptLength = 0;
  let number = 0;
  /** The last event that was removed from the buffer, except those that a later event replaces. */
  let lost = 0;

  const frameOf = (event: StreamEvent) =>
    `id: ${run}-${number}\nevent: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`;
  const send = (client: StreamSink, text: string) => {
    if (client.writableLength > MAX_UNREAD) {
      clients.delete(client);
      client.destroy();
    } else client.write(text);
  };
  const letGo = ({ frame }: { frame: string }): false => {
    keptLength -= frame.length;
    return false;
  };
  const missedSince = (lastEventId: string): string[] | null => {
    const [itsRun, itsNumber] = lastEventId.split('-');
    const since = Number(itsNumber);
    if (itsRun !== run || !Number.isInteger(since) || since > number) return null;
    if (since < lost) return null;
    return kept.filter((event) => event.number > since).map(({ frame }) => frame);
  };

  return {
    publish(event) {
      number += 1;
      const frame = frameOf(event);
      const state = stateOf(event);
      if (state !== null) kept = kept.filter((one) => one.state !== state || letGo(one));
      kept.push({ number, frame, state });
      keptLength += frame.length;
      while (kept.length > KEPT || keptLength > KEPT_LENGTH) {
        const [oldest] = kept.splice(0, 1);
        if (oldest === undefined) break;
        letGo(oldest);
        lost = oldest.number;
      }
      for (const client of clients) send(client, frame);
    },
    forgetSent() {
      kept = [];
      keptLength = 0;
      lost = number;
    },
    attach(sink, { lastEventId }) {
      if (clients.size >= MAX_CLIENTS) return false;
      const drop = () => clients.delete(sink);
      sink.on('close', drop);
      sink.on('error', drop);
      clients.add(sink);
      const missed = lastEventId === null ? [] : missedSince(lastEventId);
      sink.write(`retry: 2000\n\n`);
      if (missed === null) sink.write(`event: stream-reset\ndata: {}\n\n`);
      else for (const frame of missed) sink.write(frame);
      // Set only now, because an earlier lost connection must resume before the missed events.
      sink.write(`id: ${run}-${number}\n\n`);
      return true;
    },
    clientCount: () => clients.size,
    sendHeartbeat() {
      for (const client of clients) send(client, ': beat\n\n');
    },
    close() {
      for (const client of clients) client.end();
      clients.clear();
    },
  };
}

/**
 * Returns the name of the state in an event; a later event with the same name replaces it. Null for an event without
 * state.
 */
function stateOf(event: StreamEvent): string | null {
  if (event.type === 'queue-changed') return event.type;
  return event.type === 'session-updated' ? `${event.type} ${event.data.id}` : null;
}
