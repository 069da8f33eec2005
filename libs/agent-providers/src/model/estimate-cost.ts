import { PRICES, UNKNOWN_PRICE, type ModelPrice } from './prices.js';

export interface PricedTokens {
  /** All of the request, cached and newly cached tokens included. */
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  /** The part of `inputTokens` that was written into the vendor's cache. @default 0 */
  cacheWriteTokens?: number;
}

/** What a call costs, in US dollars, by the vendors' lists. A model that is not listed is taken for a dear one. */
export function estimateCost(model: string | null, tokens: PricedTokens): number {
  if (isFree(model)) return 0;
  const price = priceOf(model);
  const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens = 0 } = tokens;
  const plain = Math.max(0, inputTokens - cachedTokens - cacheWriteTokens);
  const factor = price.long && inputTokens > price.long.above ? price.long.factor : 1;
  const millionths =
    plain * price.input +
    cachedTokens * price.cached +
    cacheWriteTokens * (price.cacheWrite ?? price.input) +
    outputTokens * price.output;
  return (millionths * factor) / 1_000_000;
}

const isFree = (model: string | null) => model?.endsWith(':free') ?? false;

/** `anthropic/claude-haiku-4.5:nitro`, `claude-haiku-4-5-20251001` and `claude-haiku-4-5` are one model; `-mini` is another. */
function plainName(model: string): string {
  return model
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/:.*$/, '')
    .replace(/-(?:20\d{6}|20\d\d-\d\d-\d\d|latest|preview(?:-\d\d-\d\d(?:\d\d)?)?|\d{3})$/, '')
    .replaceAll('.', '-');
}

const BY_PLAIN_NAME = new Map(Object.entries(PRICES).map(([name, price]) => [plainName(name), price]));

const priceOf = (model: string | null): ModelPrice =>
  BY_PLAIN_NAME.get(plainName(model ?? '')) ?? UNKNOWN_PRICE;
