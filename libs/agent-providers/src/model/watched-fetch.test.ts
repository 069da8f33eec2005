import { expect, it, onTestFinished } from 'vitest';
import { claudeDialect, createWireFake, type WireAnswer } from '../testing/index.js';
import { createWatchedFetch } from './watched-fetch.js';

async function open(answer: WireAnswer = { kind: 'reply', text: 'hello '.repeat(200) }) {
  const fake = await createWireFake({ dialect: claudeDialect, answer: () => answer });
  onTestFinished(() => fake[Symbol.asyncDispose]());
  let signs = 0;
  const watched = createWatchedFetch({
    alive: () => (signs += 1),
    headers: { authorization: 'Bearer ours' },
  });
  return { fake, watched, signs: () => signs };
}

it('reports activity for each part of the body, but not for the headers', async () => {
  const { fake, watched, signs } = await open();
  const response = await watched(fake.url, { method: 'POST', body: '{}' });
  expect(signs()).toBe(0);
  expect(await response.text()).toContain('message_stop');
  expect(signs()).toBeGreaterThan(0);
  expect([response.status, response.headers.get('request-id')]).toEqual([200, 'req_01']);
});

it('sends its own headers and those of the package, and no others', async () => {
  const { fake, watched } = await open();
  const headers = {
    'anthropic-version': '1',
    'x-api-key': 'trap',
    authorization: 'Bearer trap',
    cookie: 'trap',
  };
  await (await watched(fake.url, { method: 'POST', body: '{}', headers })).text();
  const sent = fake.requests[0]?.headers ?? {};
  expect(sent).toMatchObject({ 'anthropic-version': '1', authorization: 'Bearer ours' });
  expect(JSON.stringify(sent)).not.toContain('trap');
});

it('stops reading an answer without an end', async () => {
  const { fake, watched } = await open({
    kind: 'raw',
    status: 500,
    headers: { 'content-type': 'text/plain' },
    body: 'x'.repeat(40_000_000),
  });
  const response = await watched(fake.url, { method: 'POST', body: '{}' });
  const read = response.text().then((text) => text.length);
  await expect(read).rejects.toThrow(SyntaxError);
});
