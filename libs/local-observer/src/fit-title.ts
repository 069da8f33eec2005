import { countWords, isWideScript } from './text/count-words.js';
import { OWN_ACTION } from './text/lexicon.js';
import { splitSentences } from './text/split-sentences.js';

const MAX_WORDS = 10;
const MAX_LENGTH = 90;
/** Maximum length in UTF-16 code units when the caller allows more words. */
const MAX_LONG_LENGTH = 130;
/**
 * Maximum length of a title source in UTF-16 code units. Each possible end of a title costs a pass over the text before it.
 */
export const TITLE_SOURCE_LENGTH = 1_000;

/** Positions at which a sentence can end early, best first. */
const BREAKS: readonly RegExp[] = [
  /\s+[—–]\s+|\s+-\s+|[;；。]|\.\s|:\s|：/g,
  /,\s(?=(?:so|which|because|and|not|making|ensuring|allowing|instead|including|using|since|while|where|as|damit|weil|que|ce qui)\b)|、|，/g,
  /\s(?=(?:because|so that|since|which|while|instead of|rather than|by|so|due to|in order to|to (?:make|ensure|avoid|prevent|keep|allow|support|match|reduce|improve)|weil|damit|parce que|porque|потому)\s)/g,
  /,\s/g,
  /(?<=^(?:Added|Created|Introduced|Implemented|Wrote)\s.{4,})\s(?=(?:that|which)\s)/g,
  /(?<=^(?:Added|Applied|Appended|Attached|Passed|Sent)\s.{10,})\s(?=to\s)/g,
  /\s(?=(?:using|via|with|for|from|into|across|inside|through|during|after|before|under|in|on|at|and|und|et|y|и)\s)/g,
];

/** Positions at which a list may continue, and words that need the complete list. */
const LIST_BREAKS = [BREAKS[1]!, BREAKS[3]!, BREAKS.at(-1)!];
const LIMITS = /\b(?:only(?!.*\b(?:when|if)\s.{8})|without|neither|either|between)\b/i;

/** Matches words before a condition. Without the condition, the rest of the sentence has another meaning. */
const CONDITION =
  /^[\s,;—–-]*(?:if|when|whenever|unless|without|except|until|only|wenn|falls|sonst|außer|si|sauf|quand|если|кроме)\b|^[、，\s]*(?:場合|とき|如果|除非|除了)/i;

/** Matches a limit at the end of a sentence: "We deploy on Fridays only". */
const ENDS_WITH_LIMIT = /\bonly$/i;

/** Matches a cut phrase that limits the words before it, such as "on Fridays only". */
const LIMITED_REST = /^[\s,;—–-]*[^,;:—–]*\bonly\b/i;

/**
 * Shortens a clean sentence of any language to a title of at most ten words that ends at a clause. Returns null when
 * the text has no such position.
 */
export function fitTitle(text: string, words = MAX_WORDS): string | null {
  const plain = cleanTitle(firstSentence(text.slice(0, TITLE_SOURCE_LENGTH)));
  if (fits(plain, words) && isTitle(plain) && (!isIncomplete(plain) || ENDS_WITH_LIMIT.test(plain)))
    return plain;
  const bare = cleanTitle(withoutBrackets(plain));
  if (fits(bare, words) && isTitle(bare) && !isIncomplete(bare)) return bare;
  const uncalled = bare.replace(/\(\)/g, '');
  if (fits(uncalled, words) && isTitle(uncalled) && !isIncomplete(uncalled)) return uncalled;
  const short = bare.replace(/^(?:the|an?)\s+/i, '');
  if (short !== bare && fits(short, words) && isTitle(short) && !isIncomplete(short))
    return short[0]!.toUpperCase() + short.slice(1);
  for (const pattern of BREAKS) {
    const found = [...bare.matchAll(pattern)].map((match) => match.index);
    for (const end of pattern === BREAKS[0] ? found : found.reverse()) {
      if (CONDITION.test(bare.slice(end)) || LIMITED_REST.test(bare.slice(end))) continue;
      if (LIST_BREAKS.includes(pattern) && LIMITS.test(bare.slice(0, end))) continue;
      if (pattern === BREAKS.at(-1) && losesVerb(bare.slice(0, end), bare.slice(end))) continue;
      if (/\bboth\b/i.test(bare.slice(0, end)) && /^\s*and\b/.test(bare.slice(end))) continue;
      const head = cleanTitle(bare.slice(0, end));
      if (fits(head, words) && isTitle(head) && !isIncomplete(head)) return head;
      const headline = withoutArticles(head);
      if (pattern !== BREAKS.at(-1) && fits(headline, words) && isTitle(headline) && !isIncomplete(headline))
        return headline;
    }
  }
  return null;
}

const VERBS = String.raw`\b(?:is|are|was|were|has|have|had|does|do|did|can|will|would|could|should|must|never|not)\b`;
const VERB = new RegExp(VERBS, 'i');
const MAIN_VERB = new RegExp(`(?<!\\b(?:which|that|who|it|they|you|we|if|when) )${VERBS}`, 'i');

/**
 * Returns true when a cut removes the verb, as before "are" in "User edits made after the commit are never captured".
 */
const losesVerb = (head: string, rest: string): boolean =>
  !OWN_ACTION.test(head) && !VERB.test(head) && MAIN_VERB.test(rest);

/** Removes code marks, text in brackets, labels and closing punctuation. */
function cleanTitle(text: string): string {
  return text
    .replace(/`/g, '')
    .replace(/\s+/g, ' ')
    .replace(/^(?:fixed|done|added|changed?|updated?|skipped|new)(?:\s*\([^)]*\))?\s*[:：]\s*/i, '')
    .replace(
      /^(?:the )?(?:problem|fix(?: applied)?|root cause|cause|issue|summary|note|result|solution|answer|conclusion|tl;?dr|tldr)(?:\s*\([^)]*\))?\s*[:：]\s*/i,
      '',
    )
    .replace(/\s+(?:by|with|via) (?:\w+ing|the following)\s*:.*$/i, '')
    .replace(/[\s.。:：;,、—–-]+$/u, '')
    .trim();
}

/** Removes articles when this shortens the title by one or two words. */
function withoutArticles(text: string): string {
  return text.replace(/(?<=\w )(?:the|an?) (?=[a-z])/g, '');
}

function withoutBrackets(text: string): string {
  return text
    .replace(/\s+\((?:[^()]|\([^()]*\)){2,160}\)(?=[\s.,;:]|$)/g, '')
    .replace(/（[^（）]{2,120}）/g, '')
    .replace(/\s*\[[^\]]{2,80}\]/g, '');
}

/** Returns the first sentence. A sentence that is too short is followed by the rest of the text. */
function firstSentence(text: string): string {
  const [first = text] = splitSentences(text);
  return countWords(first) >= 3 ? first : text;
}

const fits = (text: string, words: number) =>
  text.length <= (words > MAX_WORDS ? MAX_LONG_LENGTH : MAX_LENGTH) && countWords(text) <= words;

export const isTitleLength = (text: string): boolean => fits(text, MAX_WORDS);

const isTitle = (text: string) =>
  countWords(text) >= (isWideScript(text) ? 2 : 3) || (countWords(text) === 2 && text.length > 18);

/** Returns true when a text ends inside a bracket or with a word that needs a continuation. */
function isIncomplete(text: string): boolean {
  if ((text.match(/[([{]/g)?.length ?? 0) > (text.match(/[)\]}]/g)?.length ?? 0)) return true;
  if ((text.match(/["“”]/g)?.length ?? 0) % 2 === 1) return true;
  if (
    /^(?:(?:but|and|so|or),? )?(?:since|because|if|when|while|although|once|after|before|as|to|wenn|weil|si|quand|если|когда)\s/i.test(
      text,
    ) &&
    !text.includes(',')
  )
    return true;
  if (/:\s(?:when|if|while|where|once)\b[^,]*$/i.test(text)) return true;
  if (
    /^(?:in|at|on|during|for)\b.*,\s(?:when|if|while|where|because|since|after|before|once)\b[^,]*$/i.test(
      text,
    )
  )
    return true;
  if (/\b(?:that|where) (?:when|if|while|after|before|once|since|because)\b[^,]*$/i.test(text)) return true;
  if (
    /\b(?:that|which|who)\s+\w+$|\b(?:was|were|is|are)\s+\w+ing$|\b(?:we|they|you|it|he|she)(?:'|’)\w+$/i.test(
      text,
    )
  )
    return true;
  if (
    /\s(?:identif|contain|includ|us|show|explain|indicat|return|caus|mak|allow|provid|requir|describ|enabl|ensur)(?:y)?ing$/i.test(
      text,
    ) &&
    !/\b(?:for|of|by|on|without|and)\s\w+ing$/i.test(text)
  )
    return true;
  return /\b(?:a|an|the|of|to|and|or|is|are|was|were|be|been|has|have|had|that|which|with|for|from|in|on|at|by|as|it|its|this|not|no|only|both|even|now|already|also|still|into|than|then|when|if|but|because|so|while|where|although|until|unless|since|will|would|can|could|should|does|did|der|die|das|und|mit|von|zu|le|la|les|de|du|et|el|y|en|и|в|на|с|для)$/i.test(
    text,
  );
}
