import { redaction } from './scrub-known-secrets.js';

const begin = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d:/g;
const end =
  /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----|Private-MAC:[ \t]*[0-9a-fA-F]{16,}/g;
const LINE_END = '(?:\\r?\\n|\\\\{1,8}r?\\\\{0,8}n|$)';
/** What stands before a line of a file that was printed with numbers, quoted, concatenated or shown as a change. */
const LINE_START =
  '[ \\t]{0,40}(?:\\d{1,7}[ \\t]{0,4}(?:[→|:\\t-]|\\\\{1,8}t))?[ \\t]{0,40}[-+>#*"\'`]{0,4}[ \\t]{0,8}';
const keyLine = new RegExp(
  `${LINE_START}(?:[A-Z][A-Za-z-]{2,30}: [^\\n\\\\]{0,200}|[A-Za-z0-9+/=]{1,512})?[ \\t"'\`,;+\\\\]{0,8}${LINE_END}`,
  'y',
);
const keyMaterial =
  /^[\s"'`\\nr+]*(?:[A-Z][A-Za-z-]{2,30}: [^\n\\]{0,200}[\s\\nr]*){0,8}(?:[\s→|\d]|\\{1,8}t){0,20}[A-Za-z0-9+/=]{16,}/;

/**
 * Replaces private keys of SSH, PGP, PEM and PuTTY, as files, in one line, with literal `\n` or line numbers. A key whose end
 * is missing is replaced as far as it reads like one.
 */
export function scrubPrivateKeys(text: string): { text: string; removed: number } {
  begin.lastIndex = 0;
  let opening = begin.exec(text);
  if (opening === null) return { text, removed: 0 };
  let result = '';
  let from = 0;
  let removed = 0;
  while (opening !== null) {
    const afterOpening = begin.lastIndex;
    const next = begin.exec(text);
    const stop = endOfKey(text, afterOpening, next?.index ?? text.length);
    if (stop !== null) {
      result += text.slice(from, opening.index) + redaction('private-key');
      from = stop;
      removed += 1;
    }
    opening = next;
  }
  return { text: result + text.slice(from), removed };
}

function endOfKey(text: string, afterOpening: number, limit: number): number | null {
  const rest = text.slice(afterOpening, limit);
  end.lastIndex = 0;
  if (end.exec(rest) !== null) return afterOpening + end.lastIndex;
  if (!keyMaterial.test(rest.slice(0, 4_096))) return null;
  let at = afterOpening;
  while (at < limit) {
    keyLine.lastIndex = at;
    if (!keyLine.test(text) || keyLine.lastIndex <= at) break;
    at = keyLine.lastIndex;
  }
  // One line without breaks, or a last line that was cut.
  const tail = /^[\s"'`\\nr+]*[A-Za-z0-9+/=\\]{8,}/.exec(text.slice(at, limit));
  return Math.min(limit, tail === null ? at : at + tail[0].length);
}
