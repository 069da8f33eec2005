import axe from 'axe-core';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface AxeResult {
  violations: readonly {
    id: string;
    help: string;
    nodes: readonly { target: readonly unknown[]; failureSummary?: string }[];
  }[];
}

/**
 * What axe finds wrong with the page as it is shown, one line for each place; empty when nothing is.
 * @param within a CSS selector of the part that is looked at. @default the whole page
 */
export async function checkAccessibility(page: Page, within?: string): Promise<string[]> {
  // evaluated by the debugger, which the policy of the page does not bind
  await page.evaluate(`if (!window.axe) { ${axe.source} }`);
  const { violations } = (await page.evaluate(
    ([place, tags]) =>
      (window as unknown as { axe: { run(where: unknown, how: unknown): Promise<unknown> } }).axe.run(
        place ?? document,
        { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] },
      ),
    [within, TAGS] as const,
  )) as AxeResult;
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) =>
        `${id}: ${help} at ${target.join(' ')} (${failureSummary.replace(/\s+/g, ' ')})`,
    ),
  );
}
