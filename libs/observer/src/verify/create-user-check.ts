/** Minimum length of a text. Many prompts contain shorter texts by chance. */
const MIN_LENGTH = 12;
/** Maximum length of a sentence in UTF-16 code units. */
const MAX_SENTENCE = 500;
/** Matches code blocks and quotations, which other people may have written. */
const QUOTED = /^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1|$(?![\s\S]))|^[ \t]*>.*$/gm;
/** Words that can negate the part of the sentence after them. */
const NEGATION =
  /(?:n't|\b(?:not?|never|none|neither|nor|cannot|without|avoid|stop|instead of|rather than|nicht|kein\w*|nie|niemals|ohne|ne|pas|jamais|sans|nunca|sin|não|non|mai|senza))(?![\p{L}\p{N}])[^.!?]*$/u;

/**
 * Creates a predicate that is true if the user stated a text in one of the prompts. Case, spaces and the form of
 * quotes are ignored. Questions, and parts of a sentence after a negation, do not count.
 */
export function createUserCheck(prompts: readonly string[]): (text: string) => boolean {
  const all = prompts.map((prompt) => toComparable(prompt.replace(QUOTED, '.')));
  return (text) => {
    const comparable = toComparable(text);
    return all.some((prompt) => states(prompt, comparable));
  };
}

function states(prompt: string, text: string): boolean {
  const words = text.replace(/^[^\p{L}\p{N}]+|[\s.!'"]+$/gu, '');
  if (words.length < MIN_LENGTH) return false;
  for (let at = prompt.indexOf(words); at >= 0; at = prompt.indexOf(words, at + 1)) {
    const before = prompt.slice(Math.max(0, at - MAX_SENTENCE), at);
    const end = at + words.length;
    const after = prompt.slice(end, end + MAX_SENTENCE);
    const isWord = !/[\p{L}\p{N}_]$/u.test(before) && !/^[\p{L}\p{N}_]/u.test(after);
    if (isWord && !NEGATION.test(before) && !/^[^.!?？]*[?？]/.test(after)) return true;
  }
  return false;
}

const toComparable = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’‚‛`´“”„«»"]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
