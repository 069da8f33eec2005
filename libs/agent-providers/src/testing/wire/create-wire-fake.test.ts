import { expect, it } from 'vitest';
import { claudeDialect } from '../../claude/fixtures/claude-dialect.js';
import { createWireFake } from './create-wire-fake.js';
import { WIRE_CASES } from './wire-cases.js';
import { describeProviderOnTheWire } from './describe-provider-on-the-wire.js';

const ask = (url: string, body = '{"model":"m","messages":[{"role":"user","content":"hi"}]}') =>
  fetch(`${url}/v1/messages`, { method: 'POST', body, headers: { authorization: 'Bearer k' } });

it('reads the request and keeps the raw bytes', async () => {
  await using fake = await createWireFake({
    dialect: claudeDialect,
    answer: () => ({ kind: 'reply', text: 'hello' }),
  });
  const response = await ask(fake.url);
  expect(await response.text()).toContain('"text":"hello"');
  const [request] = fake.requests;
  expect(request).toMatchObject({ path: '/v1/messages', key: 'k', model: 'm', prompt: 'hi', messages: 1 });
  expect(String(request?.raw)).toContain('"content":"hi"');
  expect(await request?.ended).toBe('answered');
  expect(fake.inFlight()).toBe(0);
});

it('reports that the client closed the connection', async () => {
  await using fake = await createWireFake({ dialect: claudeDialect, answer: () => ({ kind: 'hang' }) });
  const controller = new AbortController();
  const asked = fetch(fake.url, { method: 'POST', body: '{}', signal: controller.signal });
  await expect.poll(() => fake.inFlight()).toBe(1);
  await expect.poll(() => fake.requests.length).toBe(1);
  controller.abort();
  await expect(asked).rejects.toThrow();
  expect(await fake.requests[0]?.ended).toBe('cut');
  expect(fake.inFlight()).toBe(0);
});

it('accepts a body that is not JSON, and closes pending requests at its end', async () => {
  const fake = await createWireFake({ dialect: claudeDialect, answer: () => ({ kind: 'hang' }) });
  const asked = ask(fake.url, 'not JSON').then(
    () => 'answered',
    () => 'cut',
  );
  await expect.poll(() => fake.requests[0]?.body).toBe('not JSON');
  await fake[Symbol.asyncDispose]();
  expect(await asked).toBe('cut');
});

it('has no two test cases with the same title', () => {
  expect(new Set(WIRE_CASES.map(({ title }) => title)).size).toBe(WIRE_CASES.length);
});

it('rejects an excluded title that belongs to no test case', () => {
  const harness = {
    dialect: claudeDialect,
    open: () => Promise.reject(new Error('unused')),
    excludedCases: { nonsense: 'why' },
  };
  expect(() => describeProviderOnTheWire('x', harness)).toThrow('x excludes unknown cases: nonsense');
});
