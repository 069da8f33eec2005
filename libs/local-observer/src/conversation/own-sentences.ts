import { cleanPrompt } from '../clean-prompt.js';
import { readMarkdown } from '../text/read-markdown.js';
import { splitSentences } from '../text/split-sentences.js';

/** A paragraph, a list item or a row of a table. */
export interface Paragraph {
  sentences: readonly string[];
  /** The heading, label or item directly above, or an empty string. */
  lead: string;
  isListed: boolean;
}

export const sentencesOf = (paragraphs: readonly Paragraph[]): string[] =>
  paragraphs.flatMap(({ sentences }) => sentences);

export const MAX_TEXT_LENGTH = 20_000;
/** Matches a message that a host or a program wrote. */
const GENERATED =
  /^\s*(?:\[Request interrupted|Caveat: The messages below|Base directory for this skill|You are (?:an?|the) |# |\/[a-z][\w:-]*\s*$|Implement the following plan:)/i;
const HEADING = /^ {0,3}#{1,6} \S/m;
/** Matches a line that introduces a text of another person. All text after it is quoted. */
const QUOTES_BELOW =
  /\b(?:feedback|reviews?(?:er)?|comments?|findings?|errors?|outputs?|logs?|traces?|messages?|tickets?|issues?|said|says|wrote|prints?|shows?|responded|following|fehlermeldung|erreur|registro|saída|ошибк\p{L}*)\b[^.!?:]{0,60}[:：]\s*$/iu;
/** Matches an order to edit a text. All text after the colon is that text. */
const TEXT_TO_EDIT =
  /\b(?:translate|reword|rephrase|paraphrase|proofread|summari[sz]e|übersetze|traduis|traduce|traduza|переведи)\b[^.!?:\n]{0,80}[:：]|\b(?:write|draft|add|put|create|document)\b[^.!?:\n]{0,80}\b(?:section|paragraph|post|readme|text|docs?|comment|e-?mail|notes?|story)\b[^.!?:\n]{0,40}[:：](?=\s*["'“‘«])/iu;
const LOG_LINE =
  /^\s*(?:>|[+-]{2,3} |@@|\d{4}-\d\d-\d\d[T ]\d|\[?\d\d:\d\d:\d\d|at \S+ ?\(|File ".*", line|Traceback|Exit code|npm ERR|panic:|goroutine |[│├└┌⎿⏺●❯✓✗✔✘]|\$ |[\w./-]+\.\w+:\d+|(?:error|warning|info|debug|fatal)\s*[:=\]])/i;
const PERSON =
  /(?<![\p{L}\p{N}])(?:i|i'm|i'd|i've|i'll|we|we're|we've|our|us|my|me|you|your|let's|please|ich|wir|uns|du|bitte|je|j'ai|nous|vous|tu|yo|nosotros|nuestr[oa]s?|usted|eu|nós|noss[oa]s?|você|я|мы|нам|вы|ты|пожалуйста)(?![\p{L}\p{N}])|[我您你请請]|私|僕|ください/iu;

/**
 * Returns the sentences that the user wrote, without code, logs, tables, quotations, pasted documents and blocks of the
 * host.
 */
export function readUserSentences(text: string): Paragraph[] {
  const typed = cleanPrompt(text.slice(0, MAX_TEXT_LENGTH));
  if (GENERATED.test(typed)) return [];
  const document = typed.search(HEADING);
  const edited = TEXT_TO_EDIT.exec(typed);
  const ends = [document, edited === null ? -1 : edited.index + edited[0].length].filter((end) => end !== -1);
  const message = typed.slice(0, Math.min(typed.length, ...ends));
  const own: string[] = [];
  for (const line of message.split('\n')) {
    if (LOG_LINE.test(line)) continue;
    own.push(line);
    if (QUOTES_BELOW.test(line)) break;
  }
  return splitParagraphs(own.join('\n')).filter(({ isRow }) => !isRow);
}

/** Returns the prose of a message of the agent. */
export function readAgentSentences(text: string): Paragraph[] {
  return splitParagraphs(text.slice(0, MAX_TEXT_LENGTH));
}

/**
 * Returns true when a text mentions its writer or addresses a person. Long texts without such words are often pasted.
 */
export const mentionsPerson = (text: string): boolean => PERSON.test(text);

function splitParagraphs(text: string): (Paragraph & { isRow: boolean })[] {
  return readMarkdown(text)
    .filter(({ kind }) => kind !== 'code' && kind !== 'quote')
    .map(({ kind, text: content, under }) => ({
      sentences: splitSentences(content),
      lead: under.at(-1) ?? '',
      isListed: kind === 'item' || kind === 'row',
      isRow: kind === 'row',
    }))
    .filter(({ sentences }) => sentences.length > 0);
}
