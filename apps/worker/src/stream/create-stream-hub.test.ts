import { describe, expect, it } from 'vitest';
import { createStreamHub, type StreamSink } from './create-stream-hub.js';

function createSink(): StreamSink & { text: string; unread: number; isGone: boolean } {
  return {
    text: '',
    unread: 0,
    isGone: false,
    write(chunk) {
      this.text += chunk;
      return true;
    },
    end() {
      this.isGone = true;
    },
    destroy() {
      this.isGone = true;
    },
    get writableLength() {
      return this.unread;
    },
    on: () => undefined,
  };
}

const counts = (pending: number) => ({
  type: 'queue-changed' as const,
  data: { pending, processing: 0, parked: 0, orphans: 0, oldestPendingEpoch: null },
});

const forgotten = (id: number) => ({
  type: 'memory-forgotten' as const,
  data: { observationIds: [id], sessionIds: [] },
});

describe('createStreamHub', () => {
  it('sends events with consecutive ids', () => {
    const hub = createStreamHub({ run: 'r' });
    const sink = createSink();
    hub.attach(sink, { lastEventId: null });
    hub.publish(counts(1));
    hub.publish(counts(2));
    expect(sink.text).toContain('id: r-1\nevent: queue-changed\ndata: {"pending":1');
    expect(sink.text).toContain('id: r-2\n');
  });

  it('resumes after the last id that the client received', () => {
    const hub = createStreamHub({ run: 'r' });
    for (const id of [1, 2, 3]) hub.publish(forgotten(id));
    const sink = createSink();
    hub.attach(sink, { lastEventId: 'r-1' });
    expect(sink.text.match(/"observationIds":\[\d\]/g)).toEqual([
      '"observationIds":[2]',
      '"observationIds":[3]',
    ]);
    expect(sink.text).not.toContain('stream-reset');
  });

  it.each(['other-1', 'r-99', 'r', '', 'r-x'])(
    'sends stream-reset to a client with the unknown id %j',
    (id) => {
      const hub = createStreamHub({ run: 'r' });
      hub.publish(counts(1));
      const sink = createSink();
      hub.attach(sink, { lastEventId: id });
      expect(sink.text).toContain('event: stream-reset');
    },
  );

  it('sends stream-reset to a client that missed more events than the hub stores', () => {
    const hub = createStreamHub({ run: 'r' });
    for (let id = 1; id <= 600; id += 1) hub.publish(forgotten(id));
    const sink = createSink();
    hub.attach(sink, { lastEventId: 'r-50' });
    expect(sink.text).toContain('event: stream-reset');
    expect(sink.text).toContain('id: r-600');
    const inTime = createSink();
    hub.attach(inTime, { lastEventId: 'r-100' });
    expect(inTime.text).not.toContain('stream-reset');
    expect(inTime.text.match(/event: memory-forgotten/g)).toHaveLength(500);
  });

  it('B170: keeps other events when the state of the queue changes many times', () => {
    const hub = createStreamHub({ run: 'r' });
    hub.publish(forgotten(1));
    hub.publish(forgotten(2));
    for (let pending = 1; pending <= 2_000; pending += 1) hub.publish(counts(pending));
    const sink = createSink();
    hub.attach(sink, { lastEventId: 'r-1' });
    expect(sink.text).not.toContain('stream-reset');
    expect(sink.text.match(/^event: .*/gm)).toEqual(['event: memory-forgotten', 'event: queue-changed']);
    expect(sink.text).toContain('"pending":2000');
  });

  it('stores a limited amount of text when events are large', () => {
    const hub = createStreamHub({ run: 'r' });
    const large = Array.from({ length: 200_000 }, (_, id) => id);
    for (let n = 0; n < 20; n += 1)
      hub.publish({ type: 'memory-forgotten', data: { observationIds: large, sessionIds: [] } });
    const sink = createSink();
    hub.attach(sink, { lastEventId: 'r-1' });
    expect(sink.text).toContain('event: stream-reset');
    const late = createSink();
    hub.attach(late, { lastEventId: 'r-16' });
    expect(late.text).not.toContain('stream-reset');
    expect(late.text.length).toBeLessThan(9 * 1024 * 1024);
  });

  it('disconnects a client that does not read', () => {
    const hub = createStreamHub({ run: 'r' });
    const sink = createSink();
    hub.attach(sink, { lastEventId: null });
    sink.unread = 2 * 1024 * 1024;
    hub.publish(counts(1));
    expect([sink.isGone, hub.clientCount()]).toEqual([true, 0]);
  });

  it('accepts a limited number of clients', () => {
    const hub = createStreamHub({ run: 'r' });
    const attached = Array.from({ length: 65 }, () => hub.attach(createSink(), { lastEventId: null }));
    expect(attached.filter(Boolean)).toHaveLength(64);
  });
});
