import { filesIn, termsIn } from '../names-in.js';
import { countWords, isWideScript } from './count-words.js';

/**
 * Returns the words of a text in lower case without frequent words. Words are shortened so that most forms of a word
 * are equal.
 */
export function contentWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu) ?? [];
  return new Set(words.filter((word) => !COMMON.test(word)).map((word) => word.slice(0, 7)));
}

/**
 * Returns true for a text without names and with almost no distinctive words, such as "remove the first two". Such a
 * text is not clear without the conversation.
 */
export function isUninformative(text: string): boolean {
  if (termsIn(text).length > 0 || filesIn(text).length > 0) return false;
  return (isWideScript(text) ? countWords(text) : contentWords(text).size) < 4;
}

const COMMON =
  /^(?:with|that|this|from|have|does|when|what|then|them|they|there|their|were|will|would|could|should|your|please|make|need|want|like|just|also|only|into|some|more|than|here|been|being|know|think|look|check|file|files|code|added|fixed|change[ds]?|updated?|using|uses|used|test|tests)$/;
