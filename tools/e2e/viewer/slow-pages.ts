import type { BrowserContext, Page } from 'playwright-core';

/**
 * Slows down all pages of a browser context: throttles the processor `times` times, and delays random timers and
 * responses. This detects tests that depend on a fast machine. Usage: `CLAUDE_MEM_SLOW_PAGES=4 npm test --
 * tools/e2e/viewer`.
 */
export async function slowPages(context: BrowserContext, times: number): Promise<void> {
  if (times <= 1) return;
  const slow = async (page: Page) => {
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: times });
  };
  context.on('page', (page) => {
    // A test may have closed the page.
    slow(page).catch(() => undefined);
  });
  await context.addInitScript((most) => {
    const { setTimeout: later, fetch: ask } = window;
    const chance = () => Math.random() ** 2 * most;
    const isLate = () => Math.random() < 0.5;
    window.setTimeout = ((run: TimerHandler, ms = 0, ...rest: unknown[]) =>
      later(run, ms + (isLate() ? chance() : 0), ...rest)) as typeof setTimeout;
    window.fetch = async (...request) => {
      const answer = await ask(...request);
      if (isLate()) await new Promise((done) => later(done, chance()));
      return answer;
    };
  }, times * 50);
}
