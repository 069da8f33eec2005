/** Longest answer a model is allowed to write: room for a batch with a summary. */
export const MAX_REPLY_TOKENS = 2_500;

/** The same for a model that may think before it answers: thoughts count as a part of the reply. */
export const MAX_TOKENS_WITH_THOUGHTS = 4 * MAX_REPLY_TOKENS;

/** Where a reply is cut, whatever the vendor was told. */
export const MAX_REPLY_CHARS = 300_000;
