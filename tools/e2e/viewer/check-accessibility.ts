import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const require = createRequire(import.meta.url);
/** The minified script has less than half of the size of `axe.source`, so pages parse it faster. */
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface AxeResult {
  violations: readonly {
    id: string;
    help: string;
    nodes: readonly { target: readonly unknown[]; failureSummary?: string }[];
  }[];
}

interface Scope {
  /** CSS selector of the part to check. @default the whole page */
  within?: string | undefined;
  /** Checks only the contrast of the colours. @default false */
  isContrastOnly?: boolean;
}

/** @returns one line for each accessibility problem that axe finds in the page in its current state */
export async function checkAccessibility(
  page: Page,
  { within, isContrastOnly = false }: Scope = {},
): Promise<string[]> {
  // The debugger evaluates the script, because the content security policy of the page does not apply to it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const runOnly = isContrastOnly
    ? { type: 'rule', values: ['color-contrast'] }
    : { type: 'tag', values: TAGS };
  const { violations } = (await page.evaluate(
    ([place, rules]) =>
      (window as unknown as { axe: { run(where: unknown, how: unknown): Promise<unknown> } }).axe.run(
        place ?? document,
        { runOnly: rules, resultTypes: ['violations'], preload: false },
      ),
    [within, runOnly] as const,
  )) as AxeResult;
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) =>
        `${id}: ${help} at ${target.join(' ')} (${failureSummary.replace(/\s+/g, ' ')})`,
    ),
  );
}
