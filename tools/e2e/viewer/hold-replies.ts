import type { Page, Route } from 'playwright-core';

/** Requests of a page that wait for their replies. */
interface HeldReplies {
  /** Number of requests held so far. */
  count(): number;
  /** Continues all requests, and resolves when the page has handled or cancelled each of them. */
  release(): Promise<void>;
}

/** Holds the requests with a matching address, so that their replies arrive later than those of newer requests. */
export async function holdReplies(page: Page, pattern: RegExp): Promise<HeldReplies> {
  const held: Route[] = [];
  await page.route(pattern, (route) => void held.push(route));
  return {
    count: () => held.length,
    async release() {
      await page.unroute(pattern);
      for (const route of held) {
        await route.continue().catch(() => undefined);
        // The response is null when the page cancelled the request.
        const reply = await route.request().response();
        await reply?.finished();
      }
      // The page renders a response one frame after it arrives.
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
    },
  };
}
