/**
 * Invisible characters that can be hidden in a tag name: soft hyphen, joiners, zero-width and direction marks,
 * variation selectors, the byte order mark, and U+2400, which replaces NUL in stored text.
 */
export const INVISIBLE =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2400\\ufe00-\\ufe0f\\ufeff';

/** All ways in which people, hosts and programs write or escape `<` and `>`. */
export const OPENING_BRACKET =
  '[<\\uff1c\\ufe64]|&(?:amp;){0,4}(?:lt|LT|#0{0,6}60|#[xX]0{0,6}3[cC]);?|\\\\{1,8}(?:u003[cC]|u\\{0*3[cC]\\}|x3[cC])|%(?:25){0,4}3[cC]';
export const CLOSING_BRACKET =
  '[>\\uff1e\\ufe65]|&(?:amp;){0,4}(?:gt|GT|#0{0,6}62|#[xX]0{0,6}3[eE]);?|\\\\{1,8}(?:u003[eE]|u\\{0*3[eE]\\}|x3[eE])|%(?:25){0,4}3[eE]';
