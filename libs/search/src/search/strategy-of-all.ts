import type { SearchAnswer, SearchStrategy } from '../memory.js';

/** What holds for several answers to one request; one that found nothing says nothing where another found something. */
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
