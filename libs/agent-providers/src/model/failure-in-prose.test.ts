import { describe, expect, it } from 'vitest';
import type { ProviderFailure } from '../provider-error.js';
import { failureInProse } from './failure-in-prose.js';

const NOW = Date.UTC(2026, 0, 1);

describe('failures in plain text', () => {
  const cases: [text: string, ProviderFailure][] = [
    ['Invalid API key. Please run /login', 'auth-invalid'],
    ['Invalid API key · Please run /login', 'auth-invalid'],
    ['Invalid API key · Fix external API key', 'auth-invalid'],
    ['Not logged in · Please run /login', 'auth-invalid'],
    [
      'Please run /login · API Error: 401 {"type":"error","error":{"type":"authentication_error","message":"OAuth token has expired."}}',
      'auth-invalid',
    ],
    ['OAuth token revoked · Please run /login', 'auth-invalid'],
    ['OAuth token has expired. Please obtain a new token.', 'auth-invalid'],
    ['Failed to authenticate. API Error: 401 {"error":{"message":"x"}}', 'auth-invalid'],
    ['Error: Incorrect API key provided: sk-abcdefghijklmnop.', 'auth-invalid'],
    ['Your API key is invalid.', 'auth-invalid'],
    ['API key not valid. Please pass a valid API key.', 'auth-invalid'],
    ['Prompt is too long', 'too-long'],
    ['prompt is too long: 210000 tokens > 200000 maximum', 'too-long'],
    [
      'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 2 tokens > 1 maximum"}}',
      'too-long',
    ],
    [
      'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"unexpected field"}}',
      'rejected',
    ],
    ['Input is too long for requested model.', 'too-long'],
    ['Conversation too long. Press esc twice to go up a few messages and try again.', 'too-long'],
    ['Context limit reached · /compact or /clear to continue', 'too-long'],
    ["This model's maximum context length is 8192 tokens.", 'too-long'],
    ['Claude AI usage limit reached|1767229200', 'quota-exhausted'],
    ['Claude usage limit reached. Your limit will reset at 3pm (UTC).', 'quota-exhausted'],
    ['5-hour limit reached ∙ resets 3pm', 'quota-exhausted'],
    ['Weekly limit reached ∙ resets Oct 5, 9am', 'quota-exhausted'],
    ["You've hit your limit · resets 2am (Europe/Berlin)", 'quota-exhausted'],
    ["You've hit your weekly limit · resets Nov 30, 9am", 'quota-exhausted'],
    ["You're out of extra usage · resets 7pm", 'quota-exhausted'],
    ['Credit balance is too low', 'quota-exhausted'],
    [
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.',
      'quota-exhausted',
    ],
    ['Usage limit reached.', 'quota-exhausted'],
    ['Spending cap reached', 'quota-exhausted'],
    ['Insufficient credits', 'quota-exhausted'],
    ['API Error: 402 {"error":{"message":"Insufficient credits"}}', 'quota-exhausted'],
    ['Rate limit exceeded. Try again in 20 seconds.', 'rate-limited'],
    ['API Error: Rate limit reached', 'rate-limited'],
    ['Too many requests, please slow down', 'rate-limited'],
    ['API Error: 429 {"type":"error","error":{"type":"rate_limit_error","message":"…"}}', 'rate-limited'],
    ['Overloaded', 'overloaded'],
    ['⚠️ Error: Overloaded', 'overloaded'],
    ['overloaded_error', 'overloaded'],
    [
      'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
      'overloaded',
    ],
    ['API Error: Repeated 529 Overloaded errors', 'overloaded'],
    [
      'API Error (529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})',
      'overloaded',
    ],
    ['API Error: 500 Internal server error', 'overloaded'],
    ['{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', 'overloaded'],
    ['{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}', 'overloaded'],
    ['<html><head><title>502 Bad Gateway</title></head><body></body></html>', 'overloaded'],
    ['The service is temporarily unavailable.', 'overloaded'],
    ['API Error: Request timed out.', 'timeout'],
    ['Request timed out', 'timeout'],
    ['API Error: Connection error.', 'network'],
    ['API Error: Unable to connect to API (ECONNREFUSED)', 'network'],
    ['fetch failed', 'network'],
    ['getaddrinfo ENOTFOUND api.example.com', 'network'],
    [
      "There's an issue with the selected model (nope-1). It may not exist or you may not have access to it.",
      'setup-required',
    ],
    [
      'API Error: 404 {"type":"error","error":{"type":"not_found_error","message":"model: nope"}}',
      'setup-required',
    ],
    ['model "nope" not found, try pulling it first', 'setup-required'],
    ['Context size has been exceeded.', 'too-long'],
    ['request (8201 tokens) exceeds the available context size (4096 tokens), try increasing it', 'too-long'],
    ['The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', 'too-long'],
    ['Please reduce the length of the messages or completion.', 'too-long'],
    ["This request would exceed your account's rate limit. Please try again later.", 'rate-limited'],
    ["Error code: 429 - {'error': {'message': 'Rate limit reached'}}", 'rate-limited'],
    ['Key limit exceeded (total limit).', 'quota-exhausted'],
    ['Access denied', 'auth-invalid'],
    ['403 Forbidden', 'auth-invalid'],
    ['This organization has been disabled.', 'auth-invalid'],
    ['Provider returned error', 'overloaded'],
    ['upstream connect error or disconnect/reset before headers. reset reason: timeout', 'overloaded'],
    ['The model is loading, please wait', 'overloaded'],
    ['Error code: 524', 'overloaded'],
    ['No endpoints found for nope/nope.', 'setup-required'],
    ['404 page not found', 'setup-required'],
  ];
  it.each(cases)('classifies %s as %s', (text, failure) => {
    expect(failureInProse(text, { now: NOW })?.code).toBe(`provider/${failure}`);
    expect(failureInProse(`\n${text}\n`, { now: NOW })?.code).toBe(`provider/${failure}`);
  });
});

describe('texts of models', () => {
  it.each([
    '',
    'Nothing to record.',
    'No observations.',
    'Nothing worth remembering happened in this turn; the user only asked about rate limits.',
    'Nothing to record: the request timed out before any change was made.',
    'There is nothing new to store. The rate limit exceeded message was already recorded.',
    'Rate limit exceeded: the run was stopped before any change, so there is nothing to record.',
    'Request timed out. No changes to remember.',
    'The run ended with a message of the server: rate limit exceeded.',
    'Overloaded.\n<skip_summary reason="no work"/>',
    'The user asked why the API answers 429. No changes were made.',
    'The agent read the documentation on usage limits and quotas.',
    'Invalid API key handling was discussed and left as it is.',
    'Rate limits of the vendor were looked up; the worker waits as long as Retry-After says.',
    'Overloaded servers answer 529, which the queue treats as transient.',
    'Prompt caching is used for the instructions.',
    'Request timed out errors are now retried with a delay.',
    'The prompt is too long for the small model, so the batch is split before it is sent.',
    'Connection errors are mapped to provider/network in failure-of-thrown.ts.',
    'Login was fixed: the token has expired check compares seconds with milliseconds.',
    'Context window of the model is 200k tokens, noted for later.',
    'Access denied errors of the upload are now reported to the user.',
    'Internal error codes were renamed.',
    'The request exceeds the budget, so the agent stopped.',
    'The model is loading faster now.',
    '500 rows were migrated without an error.',
    'Error handling in src/cart.ts now reports the rate limit.',
    'Failed tests: 3 of 120 in cart.test.ts, all because of a missing fixture.',
    '<observation><type>discovery</type><title>Rate limit exceeded</title></observation>',
    '<summary><learned>Invalid API key. Please run /login</learned></summary>',
    '<skip_summary reason="usage limit reached"/>',
    'Here it is:\n<observation>\n<title>Overloaded</title>\n</observation>',
    '{"observations": [{"type": "error", "title": "Rate limit exceeded"}]}',
    `Rate limit exceeded. ${'The agent looked into it for a long time. '.repeat(40)}`,
  ])('does not classify %s as a failure', (text) => {
    expect(failureInProse(text, { now: NOW })).toBeNull();
  });
});

it('R15: marks every failure as the text of a successful answer', () => {
  for (const text of ['Prompt is too long', 'Overloaded', 'Invalid API key'])
    expect(failureInProse(text)).toMatchObject({ isReplyText: true });
});

it('reads the time at which a limit ends', () => {
  expect(failureInProse('Claude AI usage limit reached|1767229200', { now: NOW })?.retryAfterMs).toBe(
    3_600_000,
  );
  expect(failureInProse('Rate limit exceeded. Try again in 20 seconds.', { now: NOW })?.retryAfterMs).toBe(
    20_000,
  );
  expect(failureInProse('Overloaded', { now: NOW })?.retryAfterMs).toBeNull();
});

it('masks keys', () => {
  const error = failureInProse('Incorrect API key provided: sk-abcdefghijklmnop.');
  expect(error?.message).toBe(
    'The observer answered with a failure instead of a memory: "Incorrect API key provided: [key]"',
  );
});
