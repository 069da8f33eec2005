import { expect, it } from 'vitest';
import { PROVIDER_ROWS } from '@claude-mem/core';
import { NO_USAGE } from '../no-usage.js';
import { ProviderError } from '../provider-error.js';
import { failureOfThrown } from './failure-of-thrown.js';

const of = (error: unknown) => failureOfThrown({ row: PROVIDER_ROWS.claude, error, secrets: ['my-own-key'] });
const coded = (code: string) => Object.assign(new Error(`connect ${code} 127.0.0.1:1`), { code });

it.each([
  [new TypeError('fetch failed', { cause: coded('ECONNREFUSED') }), 'provider/network', 'ECONNREFUSED'],
  [
    new Error('Connection error.', { cause: new TypeError('fetch failed', { cause: coded('ENOTFOUND') }) }),
    'provider/network',
    'ENOTFOUND',
  ],
  [new TypeError('terminated', { cause: coded('UND_ERR_SOCKET') }), 'provider/network', 'UND_ERR_SOCKET'],
  [
    new TypeError('fetch failed', { cause: coded('UND_ERR_HEADERS_TIMEOUT') }),
    'provider/timeout',
    'UND_ERR_HEADERS_TIMEOUT',
  ],
  [new Error('Request timed out.'), 'provider/timeout', 'Request timed out.'],
  [new SyntaxError('Unexpected token < in JSON'), 'provider/bad-reply', 'cannot be read'],
  [new Error('odd', { cause: new SyntaxError('Unexpected end') }), 'provider/bad-reply', 'cannot be read'],
  ['just a text with my-own-key', 'provider/network', 'just a text with [key]'],
])('classifies the thrown value: %s', (error, code, expected) => {
  const failure = of(error);
  expect(failure).toMatchObject({ code, retryable: true });
  expect(failure.message).toContain(expected);
  expect(failure.cause).toBeUndefined();
});

it('reports no cost when there was no connection, and an unknown cost when it broke', () => {
  for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'UND_ERR_CONNECT_TIMEOUT', 'CERT_HAS_EXPIRED'])
    expect(of(new TypeError('fetch failed', { cause: coded(code) }))).toMatchObject({
      code: 'provider/network',
      usage: NO_USAGE,
    });
  for (const code of ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ETIMEDOUT'])
    expect(of(new TypeError('terminated', { cause: coded(code) })).usage).toBeNull();
});

it('returns a classified error unchanged', () => {
  const error = new ProviderError('rejected', 'no');
  expect(of(error)).toBe(error);
});

it('ends at a cause that refers to itself', () => {
  const error = new Error('round');
  error.cause = error;
  expect(of(error).code).toBe('provider/network');
});

it('R07: names the status of a proxy that opened no connection, which costs nothing', () => {
  const cause = Object.assign(new Error('Proxy response (407) !== 200 when HTTP Tunneling'), {
    code: 'UND_ERR_ABORTED',
  });
  const error = failureOfThrown({
    row: PROVIDER_ROWS.claude,
    error: new TypeError('fetch failed', { cause }),
    secrets: [],
  });
  expect(error).toMatchObject({ code: 'provider/network', usage: NO_USAGE });
  expect(error.message).toContain('the proxy answered 407');
});
