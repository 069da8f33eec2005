import type { BrowserContext, Page } from 'playwright-core';

export interface PageErrors {
  /** Returns the errors since the last call, one line for each error. */
  take(): string[];
  /** Ignores matching errors from now on, because the test causes them intentionally. */
  allow(pattern: RegExp): void;
}

/**
 * Collects problems that no test may cause: console errors, uncaught errors, violations of the content security
 * policy, dialogs, and requests to other origins.
 */
export async function collectPageErrors(context: BrowserContext, origin: string): Promise<PageErrors> {
  const lines: string[] = [];
  const allowed: RegExp[] = [];
  const note = (page: Page | null, text: string) => {
    const line = `${page === null ? '' : `${page.url().slice(origin.length)}: `}${text}`;
    if (!allowed.some((pattern) => pattern.test(line))) lines.push(line);
  };
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(
        `blocked by the content security policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`,
      );
    });
  });
  context.on('console', (message) => {
    if (message.type() === 'error') note(message.page(), `${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => note(error.page(), String(error.error().stack ?? error.error())));
  context.on('dialog', (dialog) => {
    note(dialog.page(), `dialog opened: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('request', (request) => {
    const url = request.url();
    if (url !== origin && !url.startsWith(`${origin}/`) && !url.startsWith('data:'))
      note(null, `request to another origin: ${request.method()} ${url}`);
  });
  return {
    take: () => lines.splice(0),
    allow: (pattern) => void allowed.push(pattern),
  };
}
