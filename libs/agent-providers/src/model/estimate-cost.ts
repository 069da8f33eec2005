import { PRICES, UNKNOWN_PRICE, type ModelPrice } from './prices.js';

export interface PricedTokens {
  /** All of the request, cached and newly cached tokens included. */
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  /** The part of `inputTokens` that was written into the vendor's cache. @default 0 */
  cacheWriteTokens?: number;
}

/**
 * What a call costs, in US dollars, by the vendors' lists. A model that is not listed is taken for a dear one; a server
 * on this machine costs nothing.
 */
export function estimateCost(
  model: string | null,
  tokens: PricedTokens,
  { baseUrl }: { baseUrl?: string | undefined } = {},
): number {
  if (isFree(model) || isLoopback(baseUrl)) return 0;
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

const NAMES = Object.keys(PRICES).sort((a, b) => b.length - a.length);

function priceOf(model: string | null): ModelPrice {
  const name = (model ?? '').toLowerCase().replace(/^.*\//, '').replace(/:.*$/, '');
  // OpenRouter writes claude-haiku-4.5, the vendor claude-haiku-4-5
  const found = NAMES.find((known) => isOf(known, name) || isOf(known, name.replaceAll('.', '-')));
  return (found === undefined ? undefined : PRICES[found]) ?? UNKNOWN_PRICE;
}

/** The same model or a dated one of it, and not a cheaper or dearer sibling such as `-mini`. */
const isOf = (known: string, name: string) => name === known || name.startsWith(`${known}-`);

function isLoopback(baseUrl: string | undefined): boolean {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return false;
  const { hostname } = new URL(baseUrl);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
