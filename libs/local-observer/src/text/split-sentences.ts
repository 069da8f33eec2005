const LIMIT = 30_000;
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|resp|no|nr|fig|z\.\s?B|d\.\s?h|bzw|ca|u\.\s?a|vgl|usw|p\.\s?ex|т\.\s?е|т\.\s?д|см|др)\.$/i;

/** Matches a quotation on one line. */
const QUOTATION = /^"(?=\S)[^"\n]{3,390}"(?![\p{L}\p{N}])/u;

/**
 * Splits prose into sentences in any script: at `.` `!` `?` before a space, and at the full-width marks of Chinese and
 * Japanese. Code in backticks, quotations, paths, versions and abbreviations are not split.
 */
export function splitSentences(text: string): string[] {
  const source = text.slice(0, LIMIT);
  const sentences: string[] = [];
  let start = 0;
  let isCode = false;
  let depth = 0;
  for (let index = 0; index < source.length; index += 1) {
    const char = source[index]!;
    if (char === '`') isCode = !isCode;
    if (isCode) continue;
    const quoted = char === '"' ? (QUOTATION.exec(source.slice(index, index + 400))?.[0].length ?? 0) : 0;
    if (quoted > 0) {
      // The mark at the end of a quotation can also end the surrounding sentence.
      index += quoted - 3;
      continue;
    }
    if ('(（「『'.includes(char)) depth += 1;
    if (')）」』'.includes(char)) depth = Math.max(0, depth - 1);
    if (depth > 0 && index - start < 400) continue;
    const isWide = '。！？।؟'.includes(char);
    const isNarrow =
      '.!?…'.includes(char) && /^[.!?…]*["'»”)*_]*(?:\s|$)/.test(source.slice(index, index + 8));
    if (!isWide && !isNarrow && char !== '\n') continue;
    let end = index + 1;
    while (end < source.length && /[.!?…。！？"'»”’」』)*_]/.test(source[end]!)) end += 1;
    const sentence = source.slice(start, end);
    if (
      isNarrow &&
      !isWide &&
      (ABBREVIATION.test(sentence) ||
        /^\s*\d+\.$/.test(sentence) ||
        (startsSmall(source, end) && !/^\s*\p{Ll}/u.test(sentence)))
    )
      continue;
    push(sentences, sentence);
    start = end;
    index = end - 1;
  }
  push(sentences, source.slice(start));
  return sentences;
}

/** A full stop before a lower-case letter ends no sentence: `node.js is`, `approx. ten`. */
function startsSmall(source: string, end: number): boolean {
  const next = /^\s*(\S)/.exec(source.slice(end, end + 4))?.[1] ?? '';
  return source[end - 1] === '.' && next !== next.toUpperCase();
}

function push(sentences: string[], sentence: string): void {
  const trimmed = sentence.replace(/\s+/g, ' ').trim();
  if (/[\p{L}\p{N}]/u.test(trimmed)) sentences.push(trimmed);
}
