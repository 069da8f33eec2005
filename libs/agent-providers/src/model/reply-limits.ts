/** Token limit of a reply, enough for a batch with a summary. */
export const MAX_REPLY_TOKENS = 2_500;

/** Token limit of a reply of a model that thinks first, because thinking counts as part of the reply. */
export const MAX_TOKENS_WITH_THOUGHTS = 4 * MAX_REPLY_TOKENS;

/** Length in characters at which a reply is cut, whatever limit the vendor got. */
export const MAX_REPLY_CHARS = 300_000;
