import { cleanPrompt } from '../clean-prompt.js';
import { readMarkdown } from '../text/read-markdown.js';
import { splitSentences } from '../text/split-sentences.js';

/** A paragraph, a list item or a row of a table. */
export interface Paragraph {
  sentences: readonly string[];
  /** The heading, label or item directly above it; '' for none. */
  lead: string;
  isListed: boolean;
}

export const sentencesOf = (paragraphs: readonly Paragraph[]): string[] =>
  paragraphs.flatMap(({ sentences }) => sentences);

export const LONGEST_TEXT = 20_000;
/** A message that a host or a program wrote. */
const GENERATED =
  /^\s*(?:\[Request interrupted|Caveat: The messages below|Base directory for this skill|You are (?:an?|the) |# |\/[a-z][\w:-]*\s*$|Implement the following plan:)/i;
const HEADING = /^ {0,3}#{1,6} \S/m;
/** Introduces a text of somebody else: all text after it is quoted. */
const QUOTES_BELOW =
  /\b(?:feedback|reviews?(?:er)?|comments?|findings?|errors?|outputs?|logs?|traces?|messages?|tickets?|issues?|said|says|wrote|prints?|shows?|responded|following|fehlermeldung|erreur|registro|saída|ошибк\p{L}*)\b[^.!?:]{0,60}[:：]\s*$/iu;
/** Orders work on a text: all text after the colon is that text. */
const TEXT_TO_EDIT =
  /\b(?:translate|reword|rephrase|paraphrase|proofread|summari[sz]e|übersetze|traduis|traduce|traduza|переведи)\b[^.!?:\n]{0,80}[:：]|\b(?:write|draft|add|put|create|document)\b[^.!?:\n]{0,80}\b(?:section|paragraph|post|readme|text|docs?|comment|e-?mail|notes?|story)\b[^.!?:\n]{0,40}[:：](?=\s*["'“‘«])/iu;
const LOG_LINE =
  /^\s*(?:>|[+-]{2,3} |@@|\d{4}-\d\d-\d\d[T ]\d|\[?\d\d:\d\d:\d\d|at \S+ ?\(|File ".*", line|Traceback|Exit code|npm ERR|panic:|goroutine |[│├└┌⎿⏺●❯✓✗✔✘]|\$ |[\w./-]+\.\w+:\d+|(?:error|warning|info|debug|fatal)\s*[:=\]])/i;
const PERSON =
  /(?<![\p{L}\p{N}])(?:i|i'm|i'd|i've|i'll|we|we're|we've|our|us|my|me|you|your|let's|please|ich|wir|uns|du|bitte|je|j'ai|nous|vous|tu|yo|nosotros|nuestr[oa]s?|usted|eu|nós|noss[oa]s?|você|я|мы|нам|вы|ты|пожалуйста)(?![\p{L}\p{N}])|[我您你请請]|私|僕|ください/iu;

/** What a person wrote themselves: no code, logs, tables, quotations, pasted documents or blocks of the host. */
export function sentencesOfUser(text: string): Paragraph[] {
  const typed = cleanPrompt(text.slice(0, LONGEST_TEXT));
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
  return paragraphsOf(own.join('\n')).filter(({ isRow }) => !isRow);
}

/** The prose of a message of the agent. */
export function sentencesOfAgent(text: string): Paragraph[] {
  return paragraphsOf(text.slice(0, LONGEST_TEXT));
}

/** Whether a text mentions its writer or addresses somebody. A long text without such words is often pasted. */
export const mentionsPerson = (text: string): boolean => PERSON.test(text);

function paragraphsOf(text: string): (Paragraph & { isRow: boolean })[] {
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
