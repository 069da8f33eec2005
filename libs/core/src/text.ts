/**
 * What a text costs a model, estimated without a tokenizer: a quarter token per ASCII character, one per
 * other character. Errs on the high side for CJK and emoji; within about 20 % for English and code.
 */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) wide += 1;
  return Math.ceil((text.length - wide) / 4 + wide);
}

/** Cuts to at most `limit` UTF-16 units, `…` included, never inside a surrogate pair. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  if (limit <= 1) return '…'.slice(0, Math.max(0, limit));
  return `${wholeSlice(text, 0, limit - 1).trimEnd()}…`;
}

/** Keeps the beginning and the end of a long text and says how much was left out between them. */
export function headAndTail(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = Math.ceil(limit * 0.6);
  const tail = limit - head;
  const left = text.length - head - tail;
  return `${wholeSlice(text, 0, head)}\n… [${left} characters left out] …\n${wholeSlice(text, text.length - tail, text.length)}`;
}

/** Like `slice`, but a surrogate pair that the cut would split is left out whole. */
export function wholeSlice(text: string, start: number, end: number): string {
  const from =
    isLowSurrogate(text.charCodeAt(start)) && isHighSurrogate(text.charCodeAt(start - 1)) ? start + 1 : start;
  const to =
    isHighSurrogate(text.charCodeAt(end - 1)) && isLowSurrogate(text.charCodeAt(end)) ? end - 1 : end;
  return text.slice(from, Math.max(from, to));
}

/** One line: control characters, line ends and runs of space become one space each. */
export function toSingleLine(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is removed here
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, ' ').trim();
}

/** A name as a Markdown code span on one line. Backticks in it become apostrophes, so that it cannot end the span. */
export function formatCodeSpan(name: string): string {
  return `\`${toSingleLine(name).replaceAll('`', "'")}\``;
}

/**
 * Text as it may be stored: NFC, well-formed UTF-16 (lone surrogates become U+FFFD), NUL written as U+2400
 * so that no C string ends early and both sides stay searchable.
 */
export function toStorableText(text: string): string {
  if (PLAIN_ASCII.test(text)) return text;
  return text.replaceAll('\u0000', '\u2400').toWellFormed().normalize('NFC');
}

// eslint-disable-next-line no-control-regex -- everything of ASCII but NUL is stored as it is
const PLAIN_ASCII = /^[\u0001-\u007f]*$/;

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
