import { LINEAR_GROWTH, processorTimeGrowth } from '@claude-mem/core/testing';
import { expect, it } from 'vitest';
import { readRetryAfter } from './retry-after.js';

const NOW = Date.UTC(2026, 0, 1, 12);
const DAY = 86_400_000;
const inSeconds = (seconds: number) => Math.floor(NOW / 1000) + seconds;

it.each<[headers: Record<string, string>, text: string, ms: number | null]>([
  [{}, '', null],
  [{ 'retry-after': '2' }, '', 2_000],
  [{ 'retry-after': '0' }, '', 0],
  [{ 'retry-after': ' 1.5 ' }, '', 1_500],
  [{ 'retry-after': 'Thu, 01 Jan 2026 12:01:30 GMT' }, '', 90_000],
  [{ 'retry-after': 'Thu, 01 Jan 2026 11:00:00 GMT' }, '', 0],
  [{ 'retry-after': 'soon' }, '', null],
  [{ 'retry-after': '-5' }, '', null],
  [{ 'retry-after-ms': '250', 'retry-after': '1' }, '', 250],
  [{ 'retry-after-ms': 'x', 'retry-after': '1' }, '', 1_000],
  [{ 'retry-after': '99999999999' }, '', 7 * DAY],
  [{ 'x-ratelimit-reset': String(inSeconds(30)) }, '', 30_000],
  [{ 'x-ratelimit-reset': String(NOW + 45_000) }, '', 45_000],
  [{ 'x-ratelimit-reset': '12' }, '', 12_000],
  [{ 'x-ratelimit-reset-requests': '1m2.5s' }, '', 62_500],
  [{ 'x-ratelimit-reset-tokens': '6ms' }, '', 6],
  [{ 'anthropic-ratelimit-requests-reset': '2026-01-01T12:00:07Z' }, '', 7_000],
  [{ 'anthropic-ratelimit-unified-reset': String(inSeconds(3_600)) }, '', 3_600_000],
  [{ 'retry-after': '3', 'x-ratelimit-reset': '60' }, '', 3_000],
  [{}, '{"error":{"details":[{"@type":"RetryInfo","retryDelay":"17s"}]}}', 17_000],
  [{}, '{"retryDelay": "0.847655010s"}', 848],
  [{}, 'Please retry in 27.9s.', 27_900],
  [{}, 'Please try again in 6m0s.', 360_000],
  [{}, 'Please try again in 1h2m3s.', 3_723_000],
  [{}, 'Rate limit reached. Try again in 20 seconds.', 20_000],
  [{}, 'Try again after 2 minutes', 120_000],
  [{}, 'Please try again in 500ms', 500],
  [{}, 'Try again later.', null],
  [{}, 'We tried 3 models in 2 minutes.', null],
])('reads the headers %j and the text "%s" as a delay of %s ms', (headers, text, ms) => {
  expect(readRetryAfter({ headers: new Headers(headers), text, now: NOW })).toBe(ms);
});

it('takes linear time when a header is long', () => {
  const read = (length: number) =>
    readRetryAfter({ headers: new Headers({ 'x-ratelimit-reset': `${'1'.repeat(length)}-` }), now: NOW });
  expect(processorTimeGrowth(read, 40_000)).toBeLessThan(LINEAR_GROWTH);
});
