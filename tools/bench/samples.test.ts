import { describe, expect, it, vi } from 'vitest';
import { runMeasurements, sampleRow, Samples, withTimeout } from './samples.mjs';

const ROW = { measure: 'measure', result: '1 ms', budget: '', verdict: '' } as const;

describe('Samples', () => {
  it('counts a failed sample and keeps the others', async () => {
    const samples = new Samples<number>();
    await samples.add(() => 1);
    await samples.add(() => Promise.reject(new Error('socket closed', { cause: new Error('ECONNRESET') })));
    await samples.add(() => Promise.resolve(3));
    expect(samples.values).toEqual([1, 3]);
    expect(samples.formatMissed()).toBe('1 of 3 samples missed: socket closed: ECONNRESET');
  });

  it('counts a sample that times out', async () => {
    const samples = new Samples();
    await samples.add(() => withTimeout(new Promise(() => {}), 1));
    expect(samples.formatMissed()).toBe('1 of 1 samples missed: timed out after 0.001 s');
  });

  it('ignores warm-up samples, whether they fail or not', async () => {
    const samples = new Samples<number>();
    await samples.add(() => 1, { isWarmUp: true });
    await samples.add(() => Promise.reject(new Error('not ready')), { isWarmUp: true });
    expect(samples).toMatchObject({ values: [] });
    expect(samples.formatMissed()).toBe('');
  });
});

describe('sampleRow', () => {
  const options = {
    format: (values: readonly number[]) => `most ${Math.max(...values)} ms`,
    budget: '5 ms',
    isWithin: (values: readonly number[]) => Math.max(...values) <= 5,
  };

  it('reports missed samples beside the figures of the others', async () => {
    const samples = new Samples<number>();
    for (const value of [2, 4]) await samples.add(() => value);
    await samples.add(() => Promise.reject(new Error('exit code 2')));
    expect(sampleRow('hook', samples, options)).toEqual({
      measure: 'hook',
      result: 'most 4 ms; 1 of 3 samples missed: exit code 2',
      budget: '5 ms',
      verdict: 'ok',
    });
  });

  it('fails when every sample is missed', async () => {
    const samples = new Samples<number>();
    await samples.add(() => Promise.reject(new Error('exit code 2')));
    expect(sampleRow('hook', samples, options)).toEqual({
      measure: 'hook',
      result: 'not measured: 1 of 1 samples missed: exit code 2',
      budget: '5 ms',
      verdict: 'FAILED',
    });
  });
});

describe('runMeasurements', () => {
  it('reports a failed measurement and runs the others', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    try {
      const rows = await runMeasurements([
        ['hooks', () => Promise.reject(new Error('the worker exited with code 1'))],
        ['ingest', () => [ROW]],
        ['cleanup', () => undefined],
      ]);
      expect(rows).toEqual([
        {
          measure: 'hooks',
          result: 'not measured: the worker exited with code 1',
          budget: '',
          verdict: 'FAILED',
        },
        ROW,
      ]);
      expect(log).toHaveBeenCalledTimes(1);
    } finally {
      log.mockRestore();
    }
  });
});
