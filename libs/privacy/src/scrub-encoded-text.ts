import { redaction } from './scrub-known-secrets.js';

/** Minimum length of encoded text, including its padding. */
const MIN_LENGTH = 40;
/** With this distance between the inspected positions, every encoded text of the minimum length contains one. */
const STRIDE = MIN_LENGTH - 2;
const RUN = /[A-Za-z0-9+/_-]*/y;
/** Matches further lines as `base64` and PEM write them. */
const FURTHER_LINES =
  /(?:(?:\r?\n|\\{1,8}n)[A-Za-z0-9+/]{64}(?:[A-Za-z0-9+/]{12})?(?![A-Za-z0-9+/]))*(?:(?:\r?\n|\\{1,8}n)[A-Za-z0-9+/]{1,76}(?![A-Za-z0-9+/]))?/y;
const PADDING = /={0,2}/y;
/** Number of characters that are decoded to distinguish text from binary data. */
const SAMPLE = 32;
const MAX_DECODED = 65_536;
const TEXT = /^[\t\n\r\u0020-\u007e\u00a0-\ufffc]+$/;

/**
 * Replaces base64 when the decoded text contains a secret, as in a dump of the environment.
 * @param hasSecret called with each decoded text. Base64 in that text is not decoded again.
 */
export function scrubEncodedText(
  text: string,
  hasSecret: (decoded: string) => boolean,
): { text: string; removed: number } {
  let result = '';
  let from = 0;
  let removed = 0;
  for (let at = 0; at < text.length; at += STRIDE) {
    if (!isBase64(text.charCodeAt(at))) continue;
    const { start, end } = findEncoded(text, at, from);
    if (end - start >= MIN_LENGTH && containsSecret(text.slice(start, end), hasSecret)) {
      result += text.slice(from, start) + redaction('encoded-secret');
      from = end;
      removed += 1;
    }
    at = Math.max(at, end - STRIDE + 1);
  }
  return { text: from === 0 ? text : result + text.slice(from), removed };
}

function containsSecret(encoded: string, hasSecret: (decoded: string) => boolean): boolean {
  if (!TEXT.test(decode(encoded.slice(0, SAMPLE)))) return false;
  const decoded = decode(encoded.slice(0, MAX_DECODED));
  return TEXT.test(decoded) && hasSecret(decoded);
}

function findEncoded(text: string, at: number, from: number): { start: number; end: number } {
  let start = at;
  while (start > from && isBase64(text.charCodeAt(start - 1))) start -= 1;
  // The letter of an escaped line break does not belong to the base64.
  if (text[start - 1] === '\\' && /[nrt]/.test(text[start] ?? '')) start += 1;
  let end = matchEnd(RUN, text, at);
  if (end - start === 64 || end - start === 76) end = matchEnd(FURTHER_LINES, text, end);
  return { start, end: matchEnd(PADDING, text, end) };
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return Math.max(at, pattern.lastIndex);
}

function isBase64(unit: number): boolean {
  if (unit >= 0x61) return unit <= 0x7a;
  return (
    (unit >= 0x2f && unit <= 0x39) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    unit === 0x2b ||
    unit === 0x2d ||
    unit === 0x5f
  );
}

const decode = (encoded: string) =>
  Buffer.from(encoded.replace(/\\{1,8}n/g, '\n'), 'base64')
    .toString('utf8')
    .replace(/\ufffd{1,2}$/, '')
    .replaceAll('\0', '\n');
