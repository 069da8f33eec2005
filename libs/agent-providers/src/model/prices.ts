/** US dollars per million tokens. */
export interface ModelPrice {
  input: number;
  output: number;
  /** A token read from the vendor's cache. */
  cached: number;
  /** A token written to the vendor's cache. @default like `input` */
  cacheWrite?: number;
  /** Price factors for requests with more tokens than `above`. */
  long?: { above: number; factor: number };
}

const claude = (input: number, cached = input / 10): ModelPrice => ({
  input,
  output: input * 5,
  cached,
  cacheWrite: input * 1.25,
});

const gemini = (input: number, output: number, cached = input / 10): ModelPrice => ({
  input,
  output,
  cached,
});
const openAi = (input: number, output: number, cached = input / 10): ModelPrice => ({
  input,
  output,
  cached,
  cacheWrite: input * 1.25,
});

/** By the name of the model, without date and without the prefix of routers. Regular list prices as of 2026-11-28. */
export const PRICES: Readonly<Record<string, ModelPrice>> = {
  'claude-haiku-5-5': { ...claude(0.1), long: { above: 100_000, factor: 5 } },
  'claude-haiku-4-5': claude(1),
  'claude-sonnet-5-5': claude(2, 0.1),
  'claude-sonnet-5': claude(2),
  'claude-sonnet-4-6': claude(3),
  'claude-sonnet-4-5': claude(3),
  'claude-opus-5-5': claude(4, 0.2),
  'claude-opus-5': claude(5),
  'claude-opus-4-8': claude(5),
  'claude-opus-4-7': claude(5),
  'claude-opus-4-6': claude(5),
  'claude-opus-4-5': claude(5),
  'claude-fable-5-1': claude(10, 0.25),
  'claude-fable-5': claude(10),

  // Aliases of Claude Code for a current model, with the highest price of its models.
  haiku: claude(1),
  sonnet: claude(3),
  opus: claude(5),

  'gemini-3.8-flash': gemini(1.5, 7.5),
  'gemini-3.7-flash': gemini(1.5, 7.5),
  'gemini-3.6-flash': gemini(1.5, 7.5),
  'gemini-3.5-flash': gemini(1.5, 9),
  'gemini-3.5-flash-lite': gemini(0.3, 2.5),
  'gemini-3.1-pro': { ...gemini(2, 12), long: { above: 200_000, factor: 2 } },
  'gemini-3.1-flash-lite': gemini(0.25, 1.5),
  'gemini-3-flash': gemini(0.5, 3),
  'gemini-2.5-pro': { ...gemini(1.25, 10), long: { above: 200_000, factor: 2 } },
  'gemini-2.5-flash': gemini(0.3, 2.5),
  'gemini-2.5-flash-lite': gemini(0.1, 0.4),

  'gpt-6-astra': openAi(10, 50),
  'gpt-6-sol': openAi(2, 10),
  'gpt-6-luna': openAi(0.1, 0.5),
  'gpt-5.6-sol': openAi(5, 30),
  'gpt-5.6-terra': openAi(2, 12),
  'gpt-5.6-luna': openAi(0.2, 1.2),
  'gpt-5.5': openAi(5, 30),
  'gpt-5.4': openAi(2.5, 15),
  'gpt-5.4-mini': openAi(0.75, 4.5),
  'gpt-5.4-nano': openAi(0.2, 1.25),
  'gpt-5.2': openAi(1.75, 14),
  'gpt-5.1': openAi(1.25, 10),
  'gpt-5': openAi(1.25, 10),
  'gpt-5-mini': openAi(0.25, 2),
  'gpt-5-nano': openAi(0.05, 0.4),
  'gpt-4.1': openAi(2, 8, 0.5),
  'gpt-4.1-mini': openAi(0.4, 1.6, 0.1),
  'gpt-4.1-nano': openAi(0.1, 0.4, 0.025),
  'gpt-4o': openAi(2.5, 10, 1.25),
  'gpt-4o-mini': openAi(0.15, 0.6, 0.075),
  'o4-mini': openAi(1.1, 4.4, 0.275),
};

/** The price of an unknown model: that of the most expensive common ones, so that cost limits are never exceeded. */
export const UNKNOWN_PRICE: ModelPrice = { input: 15, output: 75, cached: 15, cacheWrite: 18.75 };
