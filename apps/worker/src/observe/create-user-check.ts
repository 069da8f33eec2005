/** Shorter texts are in many prompts by chance. */
const SHORTEST = 12;
/** In UTF-16 units. */
const LONGEST_SENTENCE = 500;
/** Code and quotations, which can be words of somebody else. */
const QUOTED = /^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1|$(?![\s\S]))|^[ \t]*>.*$/gm;
/** Before a part of a sentence, such a word can turn the meaning of that part around. */
const NEGATION =
  /(?:n't|\b(?:not?|never|none|neither|nor|cannot|without|avoid|stop|instead of|rather than|nicht|kein\w*|nie|niemals|ohne|ne|pas|jamais|sans|nunca|sin|não|non|mai|senza))(?![\p{L}\p{N}])[^.!?]*$/u;

/**
 * Returns a predicate: the user stated the text in one of the prompts, apart from case, spaces and the form of quotes. Questions, and
 * parts of a sentence after a negation, do not count.
 */
export function createUserCheck(prompts: readonly string[]): (text: string) => boolean {
  const all = prompts.map((prompt) => toComparable(prompt.replace(QUOTED, '.')));
  return (text) => {
    const wanted = toComparable(text);
    return all.some((prompt) => states(prompt, wanted));
  };
}

function states(said: string, text: string): boolean {
  const words = text.replace(/^[^\p{L}\p{N}]+|[\s.!'"]+$/gu, '');
  if (words.length < SHORTEST) return false;
  for (let at = said.indexOf(words); at >= 0; at = said.indexOf(words, at + 1)) {
    const before = said.slice(Math.max(0, at - LONGEST_SENTENCE), at);
    const end = at + words.length;
    const after = said.slice(end, end + LONGEST_SENTENCE);
    const isWhole = !/[\p{L}\p{N}_]$/u.test(before) && !/^[\p{L}\p{N}_]/u.test(after);
    if (isWhole && !NEGATION.test(before) && !/^[^.!?？]*[?？]/.test(after)) return true;
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
