/** Longest answer a model is allowed to write: room for a batch with a summary. */
export const MAX_REPLY_TOKENS = 2_500;

/** Where a reply is cut, whatever the vendor was told. */
export const MAX_REPLY_CHARS = 300_000;
