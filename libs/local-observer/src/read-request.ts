import { formatCodeSpan, toSingleLine, truncate, type ObserverBatch, escapeRegExp } from '@claude-mem/core';
import { readTaskText, type TaskDocument, type TurnEvidence } from '@claude-mem/evidence';
import { cleanPrompt } from './clean-prompt.js';
import { createCleanText } from './clean-text.js';
import { openQuestion } from './conversation/dialogue-act.js';
import { readAgentSentences } from './conversation/own-sentences.js';
import { readPickedOption } from './read-picked-option.js';
import { isUninformative } from './text/content-words.js';
import { countWords } from './text/count-words.js';
import { splitSentences } from './text/split-sentences.js';
import { unquoted } from './text/unquoted.js';

/** The request of the user for a turn. */
export interface TurnRequest {
  /**
   * The request in the words of the user. When the prompt only picks an option ("7", "yes"), the description of the
   * work follows. Null when the request is not known.
   */
  text: string | null;
  /** The plan that the user wrote or approved. */
  plan: TaskDocument | null;
  /** An issue, ticket or file that a tool returned. Its text comes from a third party and is only quoted. */
  document: TaskDocument | null;
  /** The prompt without text of the host. */
  prompt: string;
  /** True when the prompt does not describe the work: a number, "go on", "commit". */
  isBare: boolean;
  /** The option of the previous reply that the prompt picks. */
  option: string | null;
  /** The first prompt of the session, if it is another prompt and describes the work. */
  goal: string | null;
}

/**
 * Matches a pick, or a prompt that contains only words of assent. Each text matches in only one way, so long texts are
 * read in linear time.
 */
const BARE =
  /^(?:(?:option |alternative |variant )?[\p{L}\p{N}]{1,2}[.)]?[\s.!。！]*|(?:(?:and |und |et |y )?(?:yes|yep|yeah|ok(?:ay)?|sure|go(?: (?:on|ahead))?|continue|proceed|do it|please(?: do)?|next|lgtm|approved?|great|perfect|thanks|thank you|commit(?: (?:this|it|that|now))?|push(?: it)?|merge(?: it)?|weiter|ja|mach|danke|はい|お願いします|続けて|继续|好的?|是|да|давай|дальше|oui|vas-y|sí|dale)(?=$|[\s,.!。！、，])[\s,.!。！、，]*)+)$/iu;

const AGREEMENT =
  /^(?:yes|yeah|yep|ok(?:ay)?|sure|perfect|great|cool|sounds good)[,.! ]+(?:please|let(?:'|’)?s|go|do|try|give|that|sounds|continue|proceed)\b.{0,40}$/i;

export function readRequest(batch: ObserverBatch, evidence: TurnEvidence): TurnRequest {
  const prompt = cleanPrompt(batch.prompt ?? '');
  const isBare = BARE.test(prompt) || AGREEMENT.test(prompt);
  const approved = evidence.plans.findLast(({ outcome }) => outcome === 'approved');
  const pasted = parsePlan(prompt);
  const plan = pasted ?? (approved === undefined ? null : readTaskText(approved.plan, approved.at));
  const isPick = isBare && !/commit|push|merge/i.test(prompt);
  const document =
    evidence.taskDocuments.find(({ id }) => id !== null && namesId(prompt, id)) ??
    (isPick ? evidence.taskDocuments[0] : undefined) ??
    null;
  const before = isBare || isUninformative(prompt) ? findPreviousReply(batch) : null;
  const option = before === null ? null : findOption(prompt, before);
  return {
    text: requestText({ prompt, isBare, pasted, plan, document, evidence, before, option }),
    plan,
    document,
    prompt,
    isBare,
    option,
    goal: readGoal(batch, prompt),
  };
}

/**
 * Returns true when a prompt contains the id of an issue as a separate word. An id without a digit could be any word.
 */
function namesId(prompt: string, id: string): boolean {
  return /\d/.test(id) && new RegExp(`(?<![\\w#-])${escapeRegExp(id)}(?![\\w-])`, 'i').test(prompt);
}

function requestText({
  prompt,
  isBare,
  pasted,
  plan,
  document,
  evidence,
  before,
  option,
}: Pick<TurnRequest, 'prompt' | 'isBare' | 'plan' | 'document' | 'option'> & {
  pasted: TaskDocument | null;
  evidence: TurnEvidence;
  before: string | null;
}): string | null {
  if (prompt === '') return null;
  if (pasted !== null) return `Implement the plan: ${pasted.title}`;
  const quoted =
    document === null ? null : `${formatSource(document)} is titled “${unquoted(document.title)}”`;
  const work = plan === null ? quoted : `plan: ${plan.title}`;
  if (work !== null) return `${isBare ? prompt : firstSentences(prompt, 280)} (${work})`;
  if (!isBare && before === null) return shortenPrompt(prompt);
  if (option !== null) return `${prompt} (option of the agent: “${unquoted(option)}”)`;
  const question = before === null ? null : openQuestion(readAgentSentences(before));
  if (question !== null)
    return `${prompt} (answers the agent: “${unquoted(truncate(question, ANSWERED_LENGTH))}”)`;
  if (!isBare) return shortenPrompt(prompt);
  const item = evidence.todos.find(({ status }) => status !== 'pending')?.text;
  return item === undefined ? null : `${prompt} (to-do of the agent: “${unquoted(item)}”)`;
}

/** Returns the reply that a short prompt answers. */
const findPreviousReply = ({ conversation, promptNumber }: ObserverBatch): string | null =>
  conversation.find((turn) => turn.promptNumber === promptNumber - 1)?.reply ?? null;

const ANSWERED_LENGTH = 240;

/** Returns the option that a short prompt picks by its label: "2", "yes, do option 2". */
function findOption(prompt: string, before: string): string | null {
  const label = /\b(?:option|choice|variant)\s+(\w{1,2})\b/i.exec(prompt)?.[1];
  const option = readPickedOption(label ?? prompt, [before]);
  return option === null ? null : truncate(option, ANSWERED_LENGTH);
}

/** Returns the id of a document, or its file. */
export const formatSource = ({ id, path }: TaskDocument): string =>
  id ?? (path === null ? 'The document' : formatCodeSpan(path));

/** Maximum length of a request in UTF-16 code units. */
export const REQUEST_LENGTH = 400;

/**
 * Returns a short prompt as it is. Of a long one, returns the first sentences and, after “…”, the last sentence, often
 * the question.
 */
function shortenPrompt(prompt: string): string {
  const prose = extractProse(prompt);
  if (prose.length <= REQUEST_LENGTH && prose !== '') return prose;
  const first = firstSentences(prompt, REQUEST_LENGTH);
  const last = splitSentences(prose).at(-1) ?? '';
  const remaining = REQUEST_LENGTH - last.length - 3;
  if (first.includes(last) || countWords(last) < 4 || remaining < REQUEST_LENGTH / 3) return first;
  return `${first.length > remaining ? firstSentences(prompt, remaining) : first} … ${last}`;
}

/** Returns the prose in one line, without code, quotations and tables. */
const extractProse = (text: string): string =>
  toSingleLine(withoutCode(text).replace(/^[^\S\n]*(?:at |>|\||\d+ \+).*$/gm, ' '));

const withoutCode = (text: string) => text.replace(/```[\s\S]*?(?:```|$)/g, ' ');

/**
 * Formats the request in the words of the user. When the prompt does not describe the work, the work or the first
 * prompt of the session follows. Returns an empty text when the user asked nothing.
 */
export function formatRequest(
  { text, prompt, goal }: Pick<TurnRequest, 'text' | 'prompt' | 'goal'>,
  title: string | null,
): string {
  if (prompt === '') return goal === null ? '' : `(session: “${goal}”)`;
  const requestText = text ?? (title === null ? prompt : `${prompt} (work: ${title})`);
  return goal !== null && isUninformative(requestText) ? `${requestText} (session: “${goal}”)` : requestText;
}

/** Reads the request of a turn from the stored prompts alone. Returns null when the user asked nothing. */
export function readUserRequest(batch: ObserverBatch, evidence: TurnEvidence): string | null {
  const clean = createCleanText(batch.session.projectRoot, null);
  const request = formatRequest(readRequest(batch, evidence), null);
  return clean(request || cleanPrompt(batch.session.goal ?? ''), REQUEST_LENGTH) || null;
}

/**
 * Maximum length of the session goal in UTF-16 code units. The prompt itself is also stored, and repeated words are less
 * useful for search.
 */
const GOAL_LENGTH = 80;

function readGoal({ session }: ObserverBatch, prompt: string): string | null {
  const goal = cleanPrompt(session.goal ?? '');
  return goal === prompt || isUninformative(goal) ? null : firstSentences(goal, GOAL_LENGTH);
}

/** Matches the text that Claude Code writes above an accepted plan. */
export const PLAN_LEAD_IN = /^\s*Implement the following plan:[^\S\n]*\n\s*(?=#)/;

/** Reads a Markdown plan below the lead-in of the host. Other Markdown can be pasted from any source. */
function parsePlan(prompt: string): TaskDocument | null {
  const plan = PLAN_LEAD_IN.exec(prompt);
  return plan === null ? null : readTaskText(prompt.slice(plan[0].length), -1);
}

/** Returns the complete sentences at the beginning that fit the limit. Quoted code and pasted logs are skipped. */
export function firstSentences(text: string, limit: number): string {
  const prose = withoutCode(text)
    .split('\n')
    .filter((line) => !/^\s*(?:at |>|\||#{1,6} |[-*+] |\d+\. |\d+ \+)/.test(line))
    .join('\n');
  const sentences = splitSentences(prose.trim() === '' ? text : prose);
  let result = '';
  for (const sentence of sentences) {
    if (result !== '' && result.length + sentence.length + 1 > limit) break;
    result = result === '' ? sentence : `${result} ${sentence}`;
    if (result.length > limit * 0.7 && countWords(result) > 8) break;
  }
  return truncate(toSingleLine(result === '' ? text : result), limit);
}
