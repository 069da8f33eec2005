/** US dollars per million tokens. */
export interface ModelPrice {
  input: number;
  output: number;
  /** A token read from the vendor's cache. */
  cached: number;
  /** A token written into the vendor's cache. @default as `input` */
  cacheWrite?: number;
  /** Requests of more tokens than `above` cost so many times as much. */
  long?: { above: number; factor: number };
}

/** When the list was read from the vendors' price pages. */
export const PRICES_READ_ON = '2026-11-28';

const claude = (input: number, cached = input / 10): ModelPrice => ({
  input,
  output: input * 5,
  cached,
  cacheWrite: input * 1.25,
});

/** By the beginning of the model's name, without the vendor's prefix; the longest that fits counts. */
export const PRICES: Readonly<Record<string, ModelPrice>> = {
  'claude-haiku-5-5': { ...claude(0.1), long: { above: 100_000, factor: 5 } },
  'claude-haiku-4-5': claude(1),
  'claude-sonnet-5-5': claude(2, 0.1),
  'claude-sonnet': claude(3),
  'claude-opus-5-5': claude(4),
  'claude-opus-4': claude(5),
  'claude-opus': claude(5),
  'claude-fable': claude(10),
};

/** For a model that is not listed: about what the dearest common ones cost, so that ceilings on money hold. */
export const UNKNOWN_PRICE: ModelPrice = { input: 15, output: 75, cached: 15, cacheWrite: 18.75 };
