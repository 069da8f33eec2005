import { describe, expect, it } from 'vitest';
import { NO_USAGE } from '../no-usage.js';
import { failureOfResult, type FailedResult } from './failure-of-result.js';

const NOW = Date.UTC(2026, 0, 1);
const failure = (text: string, result: object = {}, more: Partial<FailedResult> = {}) =>
  failureOfResult({
    result: { type: 'result', subtype: 'success', is_error: true, result: text, ...result },
    errorKind: null,
    rateLimit: null,
    usage: NO_USAGE,
    hasBegun: false,
    now: NOW,
    ...more,
  });

describe('classification of Claude Code results', () => {
  it.each([
    ['Not logged in · Please run /login', 'auth-invalid', {}, 'authentication_failed'],
    ['Invalid API key · Please run /login', 'auth-invalid', {}, null],
    [
      'Invalid API key · Fix external API key',
      'auth-invalid',
      { api_error_status: 401 },
      'authentication_failed',
    ],
    [
      'Failed to authenticate. API Error: 401 OAuth token has expired.',
      'auth-invalid',
      { api_error_status: 401 },
      'authentication_failed',
    ],
    [
      'Failed to authenticate. API Error: 403 Key limit exceeded',
      'quota-exhausted',
      { api_error_status: 403 },
      'authentication_failed',
    ],
    ['Credit balance is too low', 'quota-exhausted', { api_error_status: 400 }, 'billing_error'],
    ['Credit balance is too low', 'quota-exhausted', { api_error_status: 400 }, null],
    [
      "You've hit your 5-hour limit · resets 4:34am (UTC)",
      'quota-exhausted',
      { api_error_status: 429, api_error: 'usage_limit_reached' },
      'rate_limit',
    ],
    [
      'API Error: Request rejected (429) · per-minute rate limit',
      'rate-limited',
      { api_error_status: 429 },
      'rate_limit',
    ],
    [
      'API Error: 529 Overloaded. This is a server-side issue',
      'overloaded',
      { api_error_status: 529 },
      'server_error',
    ],
    [
      'API Error: 502 <html><body><h1>502 Bad Gateway</h1></body></html>',
      'overloaded',
      { api_error_status: 502 },
      null,
    ],
    ['API Error: 408 slow', 'timeout', { api_error_status: 408 }, 'unknown'],
    [
      'Prompt is too long · the request is ~210000 tokens (limit 200000)',
      'too-long',
      { api_error_status: 400 },
      'invalid_request',
    ],
    [
      'Request too large (max 32MB). Try with a smaller file.',
      'too-long',
      { api_error_status: 413 },
      'invalid_request',
    ],
    [
      "There's an issue with the selected model (x). It may not exist",
      'setup-required',
      { api_error_status: 404 },
      'model_not_found',
    ],
    ['API Error: 400 messages.0: unexpected value', 'rejected', { api_error_status: 400 }, 'unknown'],
    [
      'API Error: Connection dropped (ECONNRESET). Check the gateway',
      'network',
      { api_error: 'connection_failed' },
      'server_error',
    ],
    ['API Error: Unable to connect to API (UND_ERR_SOCKET)', 'network', {}, 'unknown'],
    [
      "API Error: Claude's response exceeded the 2500 output token maximum.",
      'bad-reply',
      {},
      'max_output_tokens',
    ],
    ['something nobody knows', 'bad-reply', {}, 'a kind of a later version'],
  ])('classifies a result with "%s" as %s', (text, code, result, errorKind) => {
    expect(failure(text, result, { errorKind }).code).toBe(`provider/${code}`);
  });

  it('reads the reset time of a used-up plan in both formats', () => {
    const resetsAt = NOW / 1000 + 3_600;
    const rateLimit = { status: 'rejected', resetsAt };
    expect(failure("You've hit your weekly limit", {}, { rateLimit }).retryAfterMs).toBe(3_600_000);
    expect(failure(`Claude AI usage limit reached|${resetsAt}`)).toMatchObject({
      code: 'provider/quota-exhausted',
      retryAfterMs: 3_600_000,
    });
    expect(failure(`Claude AI usage limit reached|${NOW / 1000 - 60}`).retryAfterMs).toBe(0);
    const allowed = { status: 'allowed_warning', resetsAt };
    expect(failure('API Error: Request rejected (429)', {}, { rateLimit: allowed }).retryAfterMs).toBeNull();
  });

  it('reports an interrupted reply as a broken connection, unless the vendor names another failure', () => {
    const began = { hasBegun: true, errorKind: 'unknown' };
    expect(failure('API Error: terminated', {}, began)).toMatchObject({
      code: 'provider/network',
      usage: null,
    });
    expect(failure('API Error: Stream ended without receiving any events', {}, began).code).toBe(
      'provider/network',
    );
    expect(failure('API Error: Stream ended without receiving any events').code).toBe('provider/bad-reply');
    const message = 'API Error: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}';
    expect(failure(message, {}, began)).toMatchObject({ code: 'provider/overloaded', usage: null });
  });

  it('explains a login failure in one line without keys', () => {
    const { message } = failure('Invalid API key sk-ant-api03-0123456789abcdef\n· Please run /login');
    expect(message).toMatch(/run "claude" once and log in/);
    expect(message).not.toMatch(/0123456789|\n/);
  });

  it('reports the cost of a failure, or that it is unknown', () => {
    const usage = { inputTokens: 10, outputTokens: 2, cachedTokens: 0, estimatedCostUsd: 0.1 };
    const text = 'API Error: 529 Overloaded';
    expect(failure(text, { api_error_status: 529 }).usage).toEqual(NO_USAGE);
    expect(failure(text, { api_error_status: 529 }, { usage, hasBegun: true }).usage).toBeNull();
    expect(failure('Prompt is too long', {}, { usage, hasBegun: true }).usage).toEqual(usage);
    expect(failure('API Error: Connection refused (ECONNREFUSED)').usage).toEqual(NO_USAGE);
    expect(failure('API Error: Connection dropped (ECONNRESET)').usage).toBeNull();
  });
});
