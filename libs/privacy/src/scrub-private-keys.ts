import { redaction } from './scrub-known-secrets.js';

const begin = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d:/g;
const end =
  /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----|Private-MAC:[ \t]*[0-9a-fA-F]{16,}/g;
const LINE_END = '(?:\\r?\\n|\\\\{1,8}r?\\\\{0,8}n|$)';
/** Matches text before a line of a file that was printed with line numbers, quoted, concatenated or shown as a diff. */
const LINE_START =
  '[ \\t]{0,40}(?:\\d{1,7}[ \\t]{0,4}(?:[→|:\\t-]|\\\\{1,8}t))?[ \\t]{0,40}[-+>#*"\'`]{0,4}[ \\t]{0,8}';
const keyLine = new RegExp(
  `${LINE_START}(?:[A-Z][A-Za-z-]{2,30}: [^\\n\\\\]{0,200}|[A-Za-z0-9+/=]{1,512})?[ \\t"'\`,;+\\\\]{0,8}${LINE_END}`,
  'y',
);
const keyMaterial =
  /^[\s"'`\\nr+]*(?:[A-Z][A-Za-z-]{2,30}: [^\n\\]{0,200}[\s\\nr]*){0,8}(?:[\s→|\d]|\\{1,8}t){0,20}[A-Za-z0-9+/=]{16,}/;

/**
 * Replaces private keys of SSH, PGP, PEM and PuTTY, as files, in one line, with literal `\n` or with line numbers. A
 * key without a begin or end line is replaced as far as its lines resemble a key.
 */
export function scrubPrivateKeys(text: string): { text: string; removed: number } {
  const framed = scrubFramedKeys(text);
  const begun = KEY_STARTS.some((start) => text.includes(start))
    ? scrubKeysWithoutBegin(framed.text)
    : { text: framed.text, removed: 0 };
  const ended = KEY_ENDS.some((mark) => text.includes(mark))
    ? scrubKeysBeforeEnd(begun.text)
    : { text: begun.text, removed: 0 };
  return { text: ended.text, removed: framed.removed + begun.removed + ended.removed };
}

const KEY_STARTS = ['MII', 'MIG', 'MHcCAQEE', 'MC4CAQAw', 'b3BlbnNzaC1r'];
const KEY_ENDS = ['-----END', 'Private-MAC:'];

function scrubFramedKeys(text: string): { text: string; removed: number } {
  begin.lastIndex = 0;
  let opening = begin.exec(text);
  if (opening === null) return { text, removed: 0 };
  let result = '';
  let from = 0;
  let removed = 0;
  while (opening !== null) {
    const afterOpening = begin.lastIndex;
    const next = begin.exec(text);
    const stop = findKeyEnd(text, afterOpening, next?.index ?? text.length);
    if (stop !== null) {
      result += text.slice(from, opening.index) + redaction('private-key');
      from = stop;
      removed += 1;
    }
    opening = next;
  }
  return { text: result + text.slice(from), removed };
}

function findKeyEnd(text: string, afterOpening: number, limit: number): number | null {
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
  // One line without line breaks, or a truncated last line.
  const tail = /^[\s"'`\\nr+]*[A-Za-z0-9+/=\\]{8,}/.exec(text.slice(at, limit));
  return Math.min(limit, tail === null ? at : at + tail[0].length);
}

/**
 * Matches the first bytes of private keys in base64: RSA, EC and Ed25519 in PKCS #1, SEC 1 and PKCS #8, and OpenSSH.
 */
const keyBytes =
  /(?:(?<![A-Za-z0-9+/])|(?<=\\[nrt]))(?:MII[A-Z][A-Za-z0-9+/]{2}IBA(?:AK|DA)|MHcCAQEE|MIGkAgEBBD|MI(?:GH|G2)AgEAMB|MC4CAQAwBQYDK2V|b3BlbnNzaC1rZXktdjE)[A-Za-z0-9+/]{8,}={0,2}/g;
const LINE_BREAK = '[ \\t"\'`,;+]{0,4}(?:\\r?\\n|\\\\{1,8}r?\\\\{0,8}n| )';
const furtherLines = new RegExp(`(?:${LINE_BREAK}${LINE_START}[A-Za-z0-9+/]{16,512}={0,2})*`, 'y');
const lastLine = new RegExp(
  `(?:${LINE_BREAK}${LINE_START}[A-Za-z0-9+/=]{1,64})?${LINE_BREAK}${LINE_START}(?:${end.source})`,
  'y',
);

function scrubKeysWithoutBegin(text: string): { text: string; removed: number } {
  let result = '';
  let from = 0;
  let removed = 0;
  for (const match of text.matchAll(keyBytes)) {
    if (match.index < from) continue;
    result += text.slice(from, match.index) + redaction('private-key');
    furtherLines.lastIndex = match.index + match[0].length;
    furtherLines.test(text);
    lastLine.lastIndex = furtherLines.lastIndex;
    from = lastLine.test(text) ? lastLine.lastIndex : furtherLines.lastIndex;
    removed += 1;
  }
  return { text: result + text.slice(from), removed };
}

const MAX_KEY_LENGTH = 16_384;
const keyLinePattern = new RegExp(`^${LINE_START}[A-Za-z0-9+/=]{1,512}[ \\t"'\`,;+\\\\]{0,8}$`);
const lineBreak = /(?:\\{1,8}r)?\\{1,8}n|\r?\n/g;

/** Replaces the lines of a key before its end line when the first lines are missing. */
function scrubKeysBeforeEnd(text: string): { text: string; removed: number } {
  let result = '';
  let from = 0;
  let removed = 0;
  for (const match of text.matchAll(end)) {
    const earliest = Math.max(from, match.index - MAX_KEY_LENGTH);
    const breaks = [...text.slice(earliest, match.index).matchAll(lineBreak)];
    let start = match.index;
    let stop = earliest + (breaks.at(-1)?.index ?? 0);
    for (let index = breaks.length - 1; index >= 0; index -= 1) {
      const before = breaks[index - 1];
      const lineStart = earliest + (before === undefined ? 0 : before.index + before[0].length);
      if (!keyLinePattern.test(text.slice(lineStart, stop))) break;
      start = lineStart;
      stop = earliest + (before?.index ?? 0);
    }
    if (/[A-Za-z0-9+/]{32}/.test(text.slice(start, match.index))) {
      result += text.slice(from, start) + redaction('private-key');
      removed += 1;
    } else result += text.slice(from, match.index + match[0].length);
    from = match.index + match[0].length;
  }
  return { text: result + text.slice(from), removed };
}
