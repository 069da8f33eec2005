import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFixedClock, createObserverBatch } from '@claude-mem/core/testing';
import { expect, it, onTestFinished } from 'vitest';
import { createChatFetch } from './create-chat-fetch.js';
import { createOpenAiCompatibleProvider } from './create-openai-compatible-provider.js';

const COMMENT = ': OPENROUTER PROCESSING\n\n';
const REPLY = 'data: {"choices":[{"delta":{"content":"good"},"finish_reason":"stop"}]}\n\n';

it('comments are signs of life, and no part of the reply', async () => {
  const server = await open();
  const heard = waiter();
  const chatFetch = createChatFetch({ headers: {}, alive: heard.notice, onRefusal: () => {} });
  const fetched = chatFetch(server.url);
  const response = await server.response;
  response.write(COMMENT);
  const text = (await fetched).text();
  await heard.next();
  response.write(COMMENT);
  await heard.next();
  response.end(REPLY);
  expect(await text).toBe(COMMENT + COMMENT + REPLY);
});

it('a server that only says that it is at work is waited for, up to the time for the whole call', async () => {
  const clock = createFixedClock();
  const heard = waiter();
  // Whoever hears something looks at the clock
  const now = () => {
    heard.notice();
    return clock.now();
  };
  const server = await open();
  const provider = createOpenAiCompatibleProvider({
    baseUrl: server.url,
    model: 'any',
    clock: { now, sleep: clock.sleep },
    timeouts: { firstByteMs: 50_000, stallMs: 50_000, wholeMs: 1_000_000 },
  });
  await using conversation = await provider.startConversation();
  const sent = conversation.send({ instructions: 'i', prompt: 'p', batch: createObserverBatch() });
  const response = await server.response;
  await heard.next();
  for (let said = 0; said < 5; said += 1) {
    heard.forget();
    response.write(COMMENT);
    await heard.next();
    await clock.advance(40_000);
  }
  response.end(REPLY);
  expect(await sent).toMatchObject({ text: 'good' });
});

/** A server whose one answer is written by the test. */
async function open() {
  let take: (response: ServerResponse) => void = () => {};
  const response = new Promise<ServerResponse>((resolve) => (take = resolve));
  const server = createServer((_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    answer.flushHeaders();
    take(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, response };
}

/** Lets a test wait for the next of something. */
function waiter() {
  let wake = () => {};
  let missed = 0;
  return {
    notice() {
      missed += 1;
      wake();
    },
    forget: () => void (missed = 0),
    async next() {
      while (missed === 0) await new Promise<void>((resolve) => (wake = resolve));
      missed -= 1;
    },
  };
}
