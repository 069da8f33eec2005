import { request, type IncomingMessage } from 'node:http';
import type { FeedItem, FeedReply } from '@claude-mem/worker-protocol';
import { describe, expect, it } from 'vitest';
import { createTestHome, startTestWorker, until, type TestWorker } from '../testing/start-test-worker.js';

/** Opens the stream and collects its text. */
function open(worker: TestWorker, headers: Record<string, string> = {}, path = '/stream') {
  const stream = {
    text: '',
    status: 0,
    isClosed: false,
    headers: {} as IncomingMessage['headers'],
    close: () => call.destroy(),
  };
  const call = request({ socketPath: worker.home.paths.socket, path, headers, agent: false }, (response) => {
    stream.status = response.statusCode ?? 0;
    stream.headers = response.headers;
    response.setEncoding('utf8').on('data', (chunk: string) => (stream.text += chunk));
    response.on('error', () => undefined);
    response.once('close', () => (stream.isClosed = true));
  });
  call.on('error', () => undefined);
  call.end();
  return stream;
}

const playTurn = async (worker: TestWorker, session_id: string, text: string) => {
  const base = { session_id, cwd: worker.home.project };
  await worker.hook('UserPromptSubmit', { ...base, prompt: text });
  const file = `${worker.home.project}/parser.ts`;
  await worker.hook('PostToolUse', {
    ...base,
    tool_name: 'Write',
    tool_use_id: '1',
    tool_input: { file_path: file, content: 'export const limit = 3;' },
    tool_response: { type: 'create', filePath: file },
  });
  await worker.hook('Stop', {
    ...base,
    last_assistant_message: 'Added parser.ts with the limit of 3 retries.',
  });
  await worker.drained();
};

const lastId = (text: string) => [...text.matchAll(/^id: (\S+)$/gm)].at(-1)?.[1] ?? '';

/** The reported records in order. */
function recordsIn(text: string): { type: string; data: FeedItem }[] {
  return text.split('\n\n').flatMap((frame) => {
    const type = /^event: (\w+-created)$/m.exec(frame)?.[1];
    const data = /^data: (.*)$/m.exec(frame)?.[1];
    return type === undefined || data === undefined ? [] : [{ type, data: JSON.parse(data) as FeedItem }];
  });
}

describe('/stream', { timeout: 60_000 }, () => {
  it('sends events, and resends missed events to a client that reconnects', async () => {
    await using worker = await startTestWorker();
    const first = open(worker);
    await until(() => first.status === 200);
    expect(first.headers['content-type']).toContain('text/event-stream');
    await playTurn(worker, 'one', 'Add a parser');
    for (const type of ['observation-created', 'session-updated', 'queue-changed'])
      await until(() => first.text.includes(`event: ${type}\n`));
    first.close();
    const seen = lastId(first.text);
    await playTurn(worker, 'two', 'Add another parser');
    const second = open(worker, { 'last-event-id': seen });
    await until(() => second.text.includes('"contentSessionId":"two"'));
    expect(second.text).not.toContain('stream-reset');
    second.close();
    const third = open(worker, { 'last-event-id': 'earlier-run-7' });
    await until(() => third.text.includes('stream-reset'));
    third.close();
  });

  it('answers with worker/busy when too many streams are open, and accepts another when one closes', async () => {
    await using worker = await startTestWorker();
    const streams = Array.from({ length: 64 }, () => open(worker));
    await until(() => streams.every(({ status }) => status === 200));
    const refused = await worker.ask({ path: '/stream' });
    expect(refused).toMatchObject({ status: 503, json: { error: { code: 'worker/busy' } } });
    expect(refused.headers['content-type']).toContain('application/json');
    streams.pop()?.close();
    await until(async () => {
      const next = open(worker);
      streams.push(next);
      await until(() => next.status !== 0);
      return next.status === 200;
    });
    for (const stream of streams) stream.close();
  });

  it('sends records in the format and order of the feed, the prompt before its results', async () => {
    await using worker = await startTestWorker();
    const stream = open(worker);
    await until(() => stream.status === 200);
    await playTurn(worker, 'one', 'Add a parser');
    const { json } = await worker.ask({ path: '/api/feed?order=oldest' });
    const { items } = json as FeedReply;
    await until(() => recordsIn(stream.text).length >= items.length);
    expect(recordsIn(stream.text)).toEqual(items.map((data) => ({ type: `${data.kind}-created`, data })));
    expect(items[0]).toMatchObject({ kind: 'prompt', project: 'demo', host: 'claude-code' });
    stream.close();
  });

  it('B170: continues without gaps or duplicates after a reconnect, and sends stream-reset after a restart of the worker', async () => {
    using home = createTestHome();
    let seen: string;
    let before: readonly string[];
    {
      await using worker = await startTestWorker({ home });
      const first = open(worker);
      await until(() => first.status === 200);
      await playTurn(worker, 'one', 'Add a parser');
      await until(() => recordsIn(first.text).length >= 2);
      first.close();
      seen = lastId(first.text);
      before = recordsIn(first.text).map(({ data }) => `${data.kind} ${data.item.id}`);
      for (const session of ['two', 'three', 'four'])
        await playTurn(worker, session, `Add a parser to ${session}`);
      const second = open(worker, {}, `/stream?lastEventId=${seen}`);
      const all = async () => {
        const { json } = await worker.ask({ path: '/api/feed?order=oldest&limit=200' });
        return (json as FeedReply).items.map(({ kind, item }) => `${kind} ${item.id}`);
      };
      const wanted = await all();
      expect(wanted.length).toBeGreaterThanOrEqual(before.length + 6);
      const received = () => [
        ...before,
        ...recordsIn(second.text).map(({ data }) => `${data.kind} ${data.item.id}`),
      ];
      await until(() => received().length >= wanted.length);
      expect(received().toSorted()).toEqual(wanted.toSorted());
      expect(second.text).not.toContain('stream-reset');
      seen = lastId(second.text);
      second.close();
      await worker.stop();
    }
    await using again = await startTestWorker({ home });
    const third = open(again, { 'last-event-id': seen });
    await until(() => third.text.includes('stream-reset'));
    third.close();
  });

  it('ends when the worker stops', async () => {
    await using worker = await startTestWorker();
    const stream = open(worker);
    await until(() => stream.status === 200);
    await worker.stop();
    await until(() => stream.isClosed);
  });

  it('contains no private text or secrets', async () => {
    await using worker = await startTestWorker();
    const stream = open(worker);
    await until(() => stream.status === 200);
    await playTurn(
      worker,
      'secret',
      'Use <private>omega-stream</private> and AKIAQWERTYUIOPASDFGH for the parser',
    );
    await until(() => recordsIn(stream.text).length >= 2);
    expect(stream.text).not.toMatch(/omega-stream|AKIAQWERTYUIOPASDFGH/);
    stream.close();
  });
});
