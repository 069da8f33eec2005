import { PRICES, UNKNOWN_PRICE, type ModelPrice } from './prices.js';

export interface PricedTokens {
  /** All tokens of the request, including cached and newly cached ones. */
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  /** The part of `inputTokens` that was written to the vendor's cache. @default 0 */
  cacheWriteTokens?: number;
}

/**
 * Estimates the cost of a call in US dollars by the list prices. An unknown model gets the price of an expensive one.
 */
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

/**
 * `anthropic/claude-haiku-4.5:nitro`, `claude-haiku-4-5-20251001` and `claude-haiku-4-5` are the same model; `-mini`
 * is another one.
 */
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
