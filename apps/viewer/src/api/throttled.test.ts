import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { throttled } from './throttled.js';

describe('throttled', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('runs at once, and once more after the interval when calls arrive during the interval', () => {
    let acts = 0;
    const { call } = throttled(
      () => (acts += 1),
      () => 100,
    );
    call();
    expect(acts).toBe(1);
    for (let calls = 0; calls < 50; calls += 1) call();
    expect(acts).toBe(1);
    vi.advanceTimersByTime(100);
    expect(acts).toBe(2);
    vi.advanceTimersByTime(1_000);
    expect(acts).toBe(2);
  });

  it('does not run again when it was stopped', () => {
    let acts = 0;
    const { call, stop } = throttled(
      () => (acts += 1),
      () => 100,
    );
    call();
    call();
    stop();
    vi.advanceTimersByTime(1_000);
    expect(acts).toBe(1);
  });
});
