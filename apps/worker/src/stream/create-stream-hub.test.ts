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

describe('createStreamHub', () => {
  it('sends events with ids that continue', () => {
    const hub = createStreamHub({ run: 'r' });
    const sink = createSink();
    hub.attach(sink, { lastEventId: null });
    hub.publish(counts(1));
    hub.publish(counts(2));
    expect(sink.text).toContain('id: r-1\nevent: queue-changed\ndata: {"pending":1');
    expect(sink.text).toContain('id: r-2\n');
  });

  it('resumes after the last id a client saw', () => {
    const hub = createStreamHub({ run: 'r' });
    for (const pending of [1, 2, 3]) hub.publish(counts(pending));
    const sink = createSink();
    hub.attach(sink, { lastEventId: 'r-1' });
    expect(sink.text.match(/"pending":\d/g)).toEqual(['"pending":2', '"pending":3']);
    expect(sink.text).not.toContain('stream-reset');
  });

  it.each(['other-1', 'r-99', 'r', '', 'r-x'])(
    'tells a client with the unknown id %j to start over',
    (id) => {
      const hub = createStreamHub({ run: 'r' });
      hub.publish(counts(1));
      const sink = createSink();
      hub.attach(sink, { lastEventId: id });
      expect(sink.text).toContain('event: stream-reset');
    },
  );

  it('tells a client that missed more than is kept to start over', () => {
    const hub = createStreamHub({ run: 'r' });
    for (let pending = 0; pending < 600; pending += 1) hub.publish(counts(pending));
    const sink = createSink();
    hub.attach(sink, { lastEventId: 'r-50' });
    expect(sink.text).toContain('event: stream-reset');
    expect(sink.text).toContain('id: r-600');
  });

  it('lets a client go that does not read', () => {
    const hub = createStreamHub({ run: 'r' });
    const sink = createSink();
    hub.attach(sink, { lastEventId: null });
    sink.unread = 2 * 1024 * 1024;
    hub.publish(counts(1));
    expect([sink.isGone, hub.clientCount()]).toEqual([true, 0]);
  });

  it('takes a bounded number of clients', () => {
    const hub = createStreamHub({ run: 'r' });
    const attached = Array.from({ length: 65 }, () => hub.attach(createSink(), { lastEventId: null }));
    expect(attached.filter(Boolean)).toHaveLength(64);
  });
});
