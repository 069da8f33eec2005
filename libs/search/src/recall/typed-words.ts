import { analyzeQuery } from '@claude-mem/lexical-index/analysis';

const LONGEST_PROMPT = 20_000;
/** Languages without spaces between words, whose terms are shown as they are. */
const SPACELESS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]/u;

/**
 * Returns the words of a prompt, as typed, that correspond to these index terms, in the order of the terms and each
 * once.
 */
export function typedWords(prompt: string, terms: readonly string[]): string[] {
  const typed = new Map<string, string>();
  for (const word of prompt.slice(0, LONGEST_PROMPT).match(/[\p{L}\p{M}\p{N}_./#+'’-]+/gu) ?? []) {
    const bare = word.replace(/^[./'’-]+|[./'’-]+$/g, '');
    if (SPACELESS.test(bare)) continue;
    for (const { term } of analyzeQuery(bare).terms) if (!typed.has(term)) typed.set(term, bare);
  }
  const named = new Map<string, string>();
  for (const term of terms) {
    const word = typed.get(term) ?? (SPACELESS.test(term) ? term : undefined);
    if (word !== undefined && !named.has(word.toLowerCase())) named.set(word.toLowerCase(), word);
  }
  return [...named.values()];
}
