import type { BrowserContext, Page } from 'playwright-core';

/**
 * Makes every page of a window as slow as on a machine with that many times less processor, with timers and answers that
 * are late by chance: what holds only on a quick one shows then. `CLAUDE_MEM_SLOW_PAGES=4 npm test -- tools/e2e/viewer`.
 */
export async function slowPages(context: BrowserContext, times: number): Promise<void> {
  if (times <= 1) return;
  const slow = async (page: Page) => {
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: times });
  };
  context.on('page', (page) => {
    // one that a test has closed again by then
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
