import { analyzeQuery } from '@claude-mem/lexical-index/analysis';

/** Number words. With them, the answer "Seven." matches `MAX_ATTEMPTS = 7`. */
const NUMBER_WORDS = [
  'zero null zéro cero ноль',
  'one eins un uno um один',
  'two zwei deux dos dois два',
  'three drei trois tres três три',
  'four vier quatre cuatro quatro четыре',
  'five fünf cinq cinco пять',
  'six sechs seis шесть',
  'seven sieben sept siete sete семь',
  'eight acht huit ocho oito восемь',
  'nine neun neuf nueve nove девять',
  'ten zehn dix diez dez десять',
];
const digitsOf = new Map(
  NUMBER_WORDS.flatMap((words, number) => words.split(' ').map((word) => [word, String(number)] as const)),
);

/** Returns the stems, identifiers and numbers of a text as the search index contains them, without stop words. */
export function extractTerms(text: string): Set<string> {
  const terms = analyzeQuery(text).terms.flatMap(({ term, isCommon }) => (isCommon ? [] : [term]));
  const numbers = (text.toLowerCase().match(/[\p{L}]+/gu) ?? []).flatMap((word) => digitsOf.get(word) ?? []);
  return new Set([...terms, ...numbers]);
}

/** Returns the share of the terms of `text` that `other` contains, or 0 when `text` has no terms. */
export function getShare(text: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (text.size === 0) return 0;
  let shared = 0;
  for (const term of text) if (other.has(term)) shared += 1;
  return shared / text.size;
}
