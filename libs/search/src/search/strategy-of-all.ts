import type { SearchAnswer, SearchStrategy } from '../memory.js';

/**
 * Combines the strategies of several searches for one request. A search without results is ignored when another one
 * has results.
 */
export function strategyOfAll(
  answers: readonly Pick<SearchAnswer<unknown>, 'items' | 'strategy'>[],
): SearchStrategy {
  const found = answers.filter(({ items }) => items.length > 0);
  const [first, ...others] = new Set((found.length > 0 ? found : answers).map(({ strategy }) => strategy));
  if (first === undefined) return 'filters';
  const strategies = [first, ...others];
  if (others.length === 0) return first;
  return strategies.some((one) => one === 'semantic' || one === 'hybrid') ? 'hybrid' : 'lexical';
}
