import { toStorableText } from '@claude-mem/core';
import { removeTaggedBlocks } from './remove-tagged-blocks.js';
import { redaction } from './scrub-known-secrets.js';
import type { ScrubbedText } from './scrub-text.js';
import { looksRandom } from './secret-values.js';

const PRIVATE_TEXT = /<private>([^<]{4,200})<\/private>/gi;
/**
 * Minimum length of a private text that is removed from later texts. Shorter texts are parts of many words and paths.
 */
const MIN_PRIVATE_LENGTH = 6;

/** Replaces every occurrence of the values. A value of letters only is replaced as a complete word. */
export function removeValues(text: string, values: readonly string[]): ScrubbedText {
  let removed = 0;
  let result = text;
  for (const value of values) {
    const parts = result.split(isWord(value) ? wordPattern(value) : value);
    removed += parts.length - 1;
    result = parts.join(redaction('secret'));
  }
  return { text: result, removed };
}

const isWord = (value: string) => /^\p{L}+$/u.test(value);
const wordPattern = (word: string) => new RegExp(`(?<![\\p{L}\\p{N}_])${word}(?![\\p{L}\\p{N}_])`, 'u');

/**
 * Lists the removed values of a text that must not occur in later texts: values that no user would type as a word, and
 * short private texts.
 */
export function listRemovedValues(before: string, after: string): string[] {
  const hidden = [...before.matchAll(PRIVATE_TEXT)]
    .map(([, inner = '']) => inner.trim())
    .filter((text) => text.length >= MIN_PRIVATE_LENGTH);
  const plain = removeTaggedBlocks(toStorableText(before)).text.normalize('NFC');
  const values = findValuesBetween(plain, after.normalize('NFC').split(/\[redacted:[\w-]+\]/));
  return [...values.filter((value) => looksRandom(value) || /^\d{6,}$/.test(value)), ...hidden];
}

/** Returns the texts between parts, up to the first part that is missing. */
function findValuesBetween(text: string, [first = '', ...parts]: readonly string[]): string[] {
  const values: string[] = [];
  let from = text.indexOf(first) + first.length;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const end = part === '' && isLast ? text.length : text.indexOf(part, from);
    if (end === -1) break;
    values.push(text.slice(from, end));
    from = end + part.length;
  }
  return values;
}

/** Matches one-word replies that are no secrets. */
const PLAIN_REPLY =
  /^(?:yes|yep|no|nope|ok|okay|sure|skip|none|later|done|continue|stop|unknown|ja|nein|oui|non|sí|si|да|нет|好|是|はい|いいえ)$/i;

/** Removes the secret from an answer without a label: every random or numeric word, or the only word. */
export function scrubAnswer(text: string): { text: string; values: readonly string[] } {
  const words = text.trim().split(/\s+/);
  const values: string[] = [];
  const result = text.replace(/[^\s"'`“”]+/g, (word) => {
    const [, core = '', end = ''] = /^(.*?)([.,;:!?)]*)$/.exec(word) ?? [];
    if (PLAIN_REPLY.test(core)) return word;
    const isSecret = words.length === 1 || looksRandom(core) || /^\d{4,}$/.test(core);
    if (core === '' || !isSecret || core.includes('[redacted:')) return word;
    values.push(core);
    return `${redaction('secret')}${end}`;
  });
  return { text: result, values };
}
