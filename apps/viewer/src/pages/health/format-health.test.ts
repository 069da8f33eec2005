import type { HealthDetail } from '@claude-mem/worker-protocol';
import { describe, expect, it } from 'vitest';
import { formatStatus, storageFactsOf } from './format-health.js';

const problem = (severity: 'error' | 'warning' | 'info') =>
  ({ code: 'x', severity, message: 'x', action: '' }) as HealthDetail['problems'][number];

describe('overall state of the worker', () => {
  it.each([
    ['ok', [], 'good', 'No problems'],
    ['degraded', [problem('info')], 'good', 'No problems'],
    ['degraded', [problem('warning')], 'warning', 'Running, 1 warning'],
    ['degraded', [problem('error'), problem('warning')], 'warning', 'Running, 2 problems'],
    ['starting', [], 'wait', 'The worker is starting'],
    ['failed', [problem('error')], 'bad', 'The worker has failed'],
  ] as const)('with status %s and problems %j, has the tone "%s"', (status, problems, tone, words) =>
    expect(formatStatus({ status, problems: [...problems] })).toEqual({ tone, text: words }),
  );

  it('is "not ready" when the worker reports why it is not ready', () =>
    expect(formatStatus({ status: 'starting', problems: [], reason: 'locked' }).text).toBe(
      'The worker is not ready',
    ));
});

describe('storage details', () => {
  it('contain only values that exist and have the right type', () => {
    const facts = storageFactsOf({
      databaseBytes: 12,
      walBytes: 'much',
      quarantined: ['/a', 3],
      file: '/x.db',
    });
    expect(facts).toMatchObject({
      databaseBytes: 12,
      walBytes: null,
      quarantined: ['/a'],
      file: '/x.db',
      lastBackupEpoch: null,
    });
    expect(storageFactsOf({ state: 'starting' })).toMatchObject({ file: null, quarantined: [] });
  });
});
