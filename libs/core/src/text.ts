/**
 * Estimates the tokens of a text without a tokenizer: a quarter token per ASCII character, and one per other
 * character. Accurate to about 20 % for English and code; too high for CJK and emoji.
 */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) wide += 1;
  return Math.ceil((text.length - wide) / 4 + wide);
}

/** Cuts a text to at most `limit` UTF-16 code units including `…`, never inside a surrogate pair. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  if (limit <= 1) return '…'.slice(0, Math.max(0, limit));
  return `${sliceCharacters(text, 0, limit - 1).trimEnd()}…`;
}

/** Returns the beginning and the end of a long text, and the number of removed characters between them. */
export function headAndTail(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = Math.ceil(limit * 0.6);
  const tail = limit - head;
  const left = text.length - head - tail;
  return `${sliceCharacters(text, 0, head)}\n… [${left} characters left out] …\n${sliceCharacters(text, text.length - tail, text.length)}`;
}

/** Like `slice`, but removes a surrogate pair that the cut would split. */
export function sliceCharacters(text: string, start: number, end: number): string {
  const from =
    isLowSurrogate(text.charCodeAt(start)) && isHighSurrogate(text.charCodeAt(start - 1)) ? start + 1 : start;
  const to =
    isHighSurrogate(text.charCodeAt(end - 1)) && isLowSurrogate(text.charCodeAt(end)) ? end - 1 : end;
  return text.slice(from, Math.max(from, to));
}

/** Replaces control characters, line ends and runs of spaces by one space each. */
export function toSingleLine(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is removed here
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, ' ').trim();
}

/**
 * Formats a name as a Markdown code span on one line. Backticks become apostrophes, so that the name cannot end the
 * span.
 */
export function formatCodeSpan(name: string): string {
  return `\`${toSingleLine(name).replaceAll('`', "'")}\``;
}

/**
 * Normalizes text for storage: NFC, well-formed UTF-16 (lone surrogates become U+FFFD), and NUL as U+2400, because a
 * NUL would end the text in C code.
 */
export function toStorableText(text: string): string {
  if (PLAIN_ASCII.test(text)) return text;
  return text.replaceAll('\u0000', '\u2400').toWellFormed().normalize('NFC');
}

// eslint-disable-next-line no-control-regex -- everything of ASCII but NUL is stored as it is
const PLAIN_ASCII = /^[\u0001-\u007f]*$/;

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
