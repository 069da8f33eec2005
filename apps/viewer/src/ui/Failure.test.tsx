// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

/** The stream of the page. The test opens and closes it. */
class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static readonly opened: FakeEventSource[] = [];
  readonly readyState = 0;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  constructor() {
    super();
    FakeEventSource.opened.push(this);
  }
  close(): void {}
}

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('EventSource', FakeEventSource);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function openFailure(error: unknown) {
  const { Failure } = await import('./Failure.js');
  let retries = 0;
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Failure error={error} onRetry={() => void (retries += 1)} />
    </QueryClientProvider>,
  );
  const source = FakeEventSource.opened.at(-1);
  return {
    retries: () => retries,
    goLive: () => act(() => source?.onopen?.()),
    goAway: () => act(() => source?.onerror?.()),
  };
}

it('R20: a failed page retries once each time the worker is available again', async () => {
  const { retries, goLive, goAway } = await openFailure(new TypeError('Failed to fetch'));
  goLive();
  expect(retries()).toBe(1);
  goAway();
  expect(retries()).toBe(1);
  goLive();
  expect(retries()).toBe(2);
  goAway();
  goLive();
  expect(retries()).toBe(3);
});

it('a failed page does not retry automatically when the worker refused the request', async () => {
  const { retries, goLive, goAway } = await openFailure(new Error('There is no such record.'));
  goAway();
  goLive();
  expect(retries()).toBe(0);
});
