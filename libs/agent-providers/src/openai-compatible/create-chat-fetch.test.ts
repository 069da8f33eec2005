import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFixedClock, createObserverBatch } from '@claude-mem/core/testing';
import { expect, it, onTestFinished } from 'vitest';
import { createChatFetch } from './create-chat-fetch.js';
import { createOpenAiCompatibleProvider } from './create-openai-compatible-provider.js';

const COMMENT = ': OPENROUTER PROCESSING\n\n';
const REPLY = 'data: {"choices":[{"delta":{"content":"good"},"finish_reason":"stop"}]}\n\n';

it('counts comments as activity and removes them from the reply', async () => {
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

it('waits for a server that only sends comments, up to the limit of the complete call', async () => {
  const clock = createFixedClock();
  const heard = waiter();
  // Each activity callback reads the clock.
  const now = () => {
    heard.notice();
    return clock.now();
  };
  const server = await open();
  const provider = createOpenAiCompatibleProvider({
    baseUrl: server.url,
    model: 'any',
    clock: { now, sleep: clock.sleep },
    timeouts: { firstByteMs: 50_000, stallMs: 50_000, totalMs: 1_000_000 },
  });
  await using conversation = await provider.startConversation();
  const sent = conversation.send({ instructions: 'i', prompt: 'p', batch: createObserverBatch() });
  const response = await server.response;
  await heard.next();
  for (let refusal = 0; refusal < 5; refusal += 1) {
    heard.forget();
    response.write(COMMENT);
    await heard.next();
    await clock.advance(40_000);
  }
  response.end(REPLY);
  expect(await sent).toMatchObject({ text: 'good' });
});

/** A server with one answer that the test defines. */
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

/** Returns a promise for the next call. */
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
