import { LINEAR_GROWTH, processorTimeGrowth } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { PROVIDER_ROWS } from '@claude-mem/core';
import { NO_USAGE } from '../no-usage.js';
import type { ProviderFailure } from '../provider-error.js';
import { failureOfStatus } from './failure-of-status.js';

const NOW = Date.UTC(2026, 0, 1);
const answer = (status: number | null, text: string, headers: Record<string, string> = {}) =>
  failureOfStatus({
    row: PROVIDER_ROWS.openrouter,
    status,
    text,
    headers: new Headers(headers),
    now: NOW,
    secrets: [],
  });

const json = (message: string, more: object = {}) => JSON.stringify({ error: { message, ...more } });

describe('classification of refusals', () => {
  const cases: [status: number | null, text: string, ProviderFailure][] = [
    [400, json('messages: at least one message is required', { type: 'invalid_request_error' }), 'rejected'],
    [
      400,
      json('prompt is too long: 210000 tokens > 200000 maximum', { type: 'invalid_request_error' }),
      'too-long',
    ],
    [
      400,
      json(
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
        { code: 'context_length_exceeded' },
      ),
      'too-long',
    ],
    [
      400,
      json('The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', {
        status: 'INVALID_ARGUMENT',
      }),
      'too-long',
    ],
    [400, json("This endpoint's maximum context length is 131072 tokens.", { code: 400 }), 'too-long'],
    [400, json('input length and `max_tokens` exceed context limit: 199000 + 2500 > 200000'), 'too-long'],
    [400, json('the request exceeds the available context size, try increasing it'), 'too-long'],
    [400, json('Your credit balance is too low to access the Anthropic API.'), 'quota-exhausted'],
    [
      400,
      json('API key not valid. Please pass a valid API key.', {
        status: 'INVALID_ARGUMENT',
        details: [{ reason: 'API_KEY_INVALID' }],
      }),
      'auth-invalid',
    ],
    [400, json('API key expired. Please renew the API key.', { status: 'INVALID_ARGUMENT' }), 'auth-invalid'],
    [
      400,
      json('max_tokens is too large: 2500. This model supports at most 1024 completion tokens'),
      'rejected',
    ],
    [400, json('temperature: rate limit of tool use'), 'rejected'],
    [400, 'not even JSON', 'rejected'],
    [401, json('invalid x-api-key', { type: 'authentication_error' }), 'auth-invalid'],
    [401, json('No auth credentials found', { code: 401 }), 'auth-invalid'],
    [402, json('Insufficient credits', { code: 402 }), 'quota-exhausted'],
    [
      403,
      json('Key limit exceeded (total limit). Manage it on the settings page', { code: 403 }),
      'quota-exhausted',
    ],
    [403, '{"error":{"message":"Key limit exceeded"}}', 'quota-exhausted'],
    [
      403,
      json('Generative Language API has not been used in project 1 before or it is disabled.', {
        status: 'PERMISSION_DENIED',
      }),
      'auth-invalid',
    ],
    [403, '<html><title>Access denied</title></html>', 'auth-invalid'],
    [404, json('model: claude-nope', { type: 'not_found_error' }), 'setup-required'],
    [404, '404 page not found', 'setup-required'],
    [405, 'method not allowed', 'rejected'],
    [408, '', 'timeout'],
    [413, json('Request exceeds the maximum size', { type: 'request_too_large' }), 'too-long'],
    [418, 'teapot', 'rejected'],
    [422, json('Unprocessable'), 'rejected'],
    [
      429,
      json('This request would exceed your organization’s rate limit of 50,000 input tokens per minute.'),
      'rate-limited',
    ],
    [
      429,
      json(
        'Rate limit reached for gpt-5-mini on requests per min (RPM): Limit 3. Please try again in 20s. Visit the billing page to learn more.',
      ),
      'rate-limited',
    ],
    [
      429,
      json('You exceeded your current quota, please check your plan and billing details.', {
        type: 'insufficient_quota',
        code: 'insufficient_quota',
      }),
      'quota-exhausted',
    ],
    [
      429,
      json(
        'You exceeded your current quota. Quota exceeded for metric: generate_content_free_tier_requests, limit: 15. Please retry in 27.9s.',
        {
          status: 'RESOURCE_EXHAUSTED',
          details: [
            { violations: [{ quotaId: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier' }] },
            { retryDelay: '27s' },
          ],
        },
      ),
      'rate-limited',
    ],
    [
      429,
      json('You exceeded your current quota.', {
        status: 'RESOURCE_EXHAUSTED',
        details: [
          { violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }] },
          { retryDelay: '27s' },
        ],
      }),
      'quota-exhausted',
    ],
    [
      429,
      json(
        'Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day',
      ),
      'quota-exhausted',
    ],
    [
      429,
      json('Provider returned error', {
        metadata: { raw: 'x is temporarily rate-limited upstream. Please retry shortly.' },
      }),
      'rate-limited',
    ],
    [429, '', 'rate-limited'],
    [500, '', 'overloaded'],
    [500, json('Your credit balance was not found'), 'overloaded'],
    [502, '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>', 'overloaded'],
    [503, json('The model is overloaded. Please try again later.', { status: 'UNAVAILABLE' }), 'overloaded'],
    [504, 'upstream request timeout', 'overloaded'],
    [529, '<html>529</html>', 'overloaded'],
    [302, '', 'setup-required'],
    [
      null,
      JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
      'overloaded',
    ],
    [
      null,
      JSON.stringify({ type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } }),
      'rate-limited',
    ],
    [
      null,
      JSON.stringify({
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long' },
      }),
      'too-long',
    ],
    [null, json('something new'), 'overloaded'],
  ];
  it.each(cases)('classifies status %s with the answer %s as %s', (status, text, failure) => {
    expect(answer(status, text).code).toBe(`provider/${failure}`);
  });
});

it('reads the delay from headers and from text', () => {
  expect(answer(429, '', { 'retry-after': '7' }).retryAfterMs).toBe(7_000);
  expect(answer(429, json('Please try again in 1m30s.')).retryAfterMs).toBe(90_000);
  expect(answer(529, '', { 'retry-after': '3' }).retryAfterMs).toBe(3_000);
  expect(answer(400, '', { 'retry-after': '3' }).retryAfterMs).toBeNull();
});

it('reports the vendor, the failure, the setting and the vendor’s text in one sentence', () => {
  expect(answer(401, json('User not found.')).message).toBe(
    'The openrouter observer was refused: its key is not accepted (401): run "claude-mem settings set CLAUDE_MEM_OPENROUTER_API_KEY". It says: "User not found."',
  );
  expect(answer(404, '').message).toBe(
    'The openrouter observer found neither its model nor its address (404); check CLAUDE_MEM_OPENROUTER_MODEL and CLAUDE_MEM_OPENROUTER_BASE_URL.',
  );
  expect(answer(502, '<html><body>no title</body></html>').message).toBe(
    'The openrouter observer got no answer: the vendor is busy or broken (502).',
  );
});

it('contains the request id, and no other part of the answer', () => {
  expect(answer(500, 'x', { 'request-id': 'req_7', 'set-cookie': 'a' }).data).toEqual({
    provider: 'openrouter',
    status: 500,
    requestId: 'req_7',
  });
});

it('reports no cost for a refusal, and an unknown cost in the middle of a reply', () => {
  expect(answer(529, '').usage).toEqual(NO_USAGE);
  expect(answer(null, json('Overloaded')).usage).toBeNull();
});

it('separates the message from the repeated request, however long that is', () => {
  const content = 'You exceeded the context window; the credit balance is too low. '.repeat(1_000);
  const input = { messages: [{ role: 'user', content }], stream_options: {} };
  const detail = [{ type: 'extra_forbidden', loc: ['body'], msg: 'Extra inputs are not permitted', input }];
  const refused = answer(422, JSON.stringify({ detail }));
  expect(refused.code).toBe('provider/rejected');
  expect(refused.message).toContain('It says: "Extra inputs are not permitted"');
});

it('takes linear time when a body is malicious', () => {
  for (const part of ['{', '<', '[[', 'a ', '{"error":', '<a', '<title', 'retry in 1']) {
    const read = (parts: number) => answer(429, part.repeat(parts));
    expect(read(200_000).message.length).toBeLessThan(500);
    expect(processorTimeGrowth(read, 50_000), part).toBeLessThan(LINEAR_GROWTH);
  }
});
