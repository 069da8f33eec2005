import { formatCodeSpan, toSingleLine, truncate, type ObserverBatch } from '@claude-mem/core';
import { readTaskText, type TaskDocument, type TurnEvidence } from '@claude-mem/evidence';
import { cleanPrompt } from './clean-prompt.js';
import { createCleanText } from './clean-text.js';
import { openQuestion } from './conversation/dialogue-act.js';
import { sentencesOfAgent } from './conversation/own-sentences.js';
import { pickedOption } from './conversation/picked-option.js';
import { isUninformative } from './text/content-words.js';
import { countWords } from './text/count-words.js';
import { splitSentences } from './text/split-sentences.js';
import { unquoted } from './text/unquoted.js';

/** What the user wanted of the turn. */
export interface TurnRequest {
  /** In the user's words, followed by the work where they only pick ("7", "yes"). Null: not known. */
  text: string | null;
  /** The plan that the user wrote or approved. */
  plan: TaskDocument | null;
  /** An issue, ticket or file that a tool returned. Its words are from a third party and are only quoted. */
  document: TaskDocument | null;
  /** The prompt without what the host put into it. */
  prompt: string;
  /** The prompt itself says nothing about the work: a number, "go on", "commit". */
  isBare: boolean;
  /** The option of the reply before that the prompt picks. */
  option: string | null;
  /** What the session began with, when that was another prompt and says more than to go on. */
  goal: string | null;
}

/** A pick, or nothing but words of assent; no text is made of them in two ways, so that a long one is soon read. */
const BARE =
  /^(?:(?:option |alternative |variant )?[\p{L}\p{N}]{1,2}[.)]?[\s.!。！]*|(?:(?:and |und |et |y )?(?:yes|yep|yeah|ok(?:ay)?|sure|go(?: (?:on|ahead))?|continue|proceed|do it|please(?: do)?|next|lgtm|approved?|great|perfect|thanks|thank you|commit(?: (?:this|it|that|now))?|push(?: it)?|merge(?: it)?|weiter|ja|mach|danke|はい|お願いします|続けて|继续|好的?|是|да|давай|дальше|oui|vas-y|sí|dale)(?=$|[\s,.!。！、，])[\s,.!。！、，]*)+)$/iu;

const AGREEMENT =
  /^(?:yes|yeah|yep|ok(?:ay)?|sure|perfect|great|cool|sounds good)[,.! ]+(?:please|let(?:'|’)?s|go|do|try|give|that|sounds|continue|proceed)\b.{0,40}$/i;

export function readRequest(batch: ObserverBatch, evidence: TurnEvidence): TurnRequest {
  const prompt = cleanPrompt(batch.prompt ?? '');
  const isBare = BARE.test(prompt) || AGREEMENT.test(prompt);
  const approved = evidence.plans.findLast(({ outcome }) => outcome === 'approved');
  const pasted = planIn(prompt);
  const plan = pasted ?? (approved === undefined ? null : readTaskText(approved.plan, approved.at));
  const isPick = isBare && !/commit|push|merge/i.test(prompt);
  const document =
    evidence.taskDocuments.find(({ id }) => id !== null && namesId(prompt, id)) ??
    (isPick ? evidence.taskDocuments[0] : undefined) ??
    null;
  const before = isBare || isUninformative(prompt) ? replyBefore(batch) : null;
  const option = before === null ? null : optionIn(prompt, before);
  return {
    text: requestText({ prompt, isBare, pasted, plan, document, evidence, before, option }),
    plan,
    document,
    prompt,
    isBare,
    option,
    goal: goalOf(batch, prompt),
  };
}

/** Whether a prompt names an issue as a word of its own. An id without a digit could be any word. */
function namesId(prompt: string, id: string): boolean {
  const literal = id.replace(/[^\w]/g, '\\$&');
  return /\d/.test(id) && new RegExp(`(?<![\\w#-])${literal}(?![\\w-])`, 'i').test(prompt);
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
  const quoted = document === null ? null : `${sourceOf(document)} is titled “${unquoted(document.title)}”`;
  const work = plan === null ? quoted : `plan: ${plan.title}`;
  if (work !== null) return `${isBare ? prompt : firstSentences(prompt, 280)} (${work})`;
  if (!isBare && before === null) return shortenPrompt(prompt);
  if (option !== null) return `${prompt} (option of the agent: “${unquoted(option)}”)`;
  const question = before === null ? null : openQuestion(sentencesOfAgent(before));
  if (question !== null)
    return `${prompt} (answers the agent: “${unquoted(truncate(question, ANSWERED_LENGTH))}”)`;
  if (!isBare) return shortenPrompt(prompt);
  const item = evidence.todos.find(({ status }) => status !== 'pending')?.text;
  return item === undefined ? null : `${prompt} (to-do of the agent: “${unquoted(item)}”)`;
}

/** The reply that a short prompt answers. */
const replyBefore = ({ conversation, promptNumber }: ObserverBatch): string | null =>
  conversation.find((turn) => turn.promptNumber === promptNumber - 1)?.reply ?? null;

const ANSWERED_LENGTH = 240;

/** The option that a short prompt picks by its label: "2", "yes, do option 2". */
function optionIn(prompt: string, before: string): string | null {
  const label = /\b(?:option|choice|variant)\s+(\w{1,2})\b/i.exec(prompt)?.[1];
  const option = pickedOption(label ?? prompt, [before]);
  return option === null ? null : truncate(option, ANSWERED_LENGTH);
}

/** The id of a document, else its file. */
export const sourceOf = ({ id, path }: TaskDocument): string =>
  id ?? (path === null ? 'The document' : formatCodeSpan(path));

/** UTF-16 units. */
export const REQUEST_LENGTH = 400;

/** Returns a short prompt as it is. Of a long one, returns the first sentences and, after “…”, the last sentence, often the question. */
function shortenPrompt(prompt: string): string {
  const prose = proseOf(prompt);
  if (prose.length <= REQUEST_LENGTH && prose !== '') return prose;
  const first = firstSentences(prompt, REQUEST_LENGTH);
  const last = splitSentences(prose).at(-1) ?? '';
  const left = REQUEST_LENGTH - last.length - 3;
  if (first.includes(last) || countWords(last) < 4 || left < REQUEST_LENGTH / 3) return first;
  return `${first.length > left ? firstSentences(prompt, left) : first} … ${last}`;
}

/** Returns the prose in one line, without code, quotations and tables. */
const proseOf = (text: string): string =>
  toSingleLine(withoutCode(text).replace(/^[^\S\n]*(?:at |>|\||\d+ \+).*$/gm, ' '));

const withoutCode = (text: string) => text.replace(/```[\s\S]*?(?:```|$)/g, ' ');

/**
 * In the user's words, with the work or the first prompt of the session behind a prompt that says little. Empty when the user asked
 * nothing: a title of ours is no request.
 */
export function formatRequest(
  { text, prompt, goal }: Pick<TurnRequest, 'text' | 'prompt' | 'goal'>,
  title: string | null,
): string {
  if (prompt === '') return goal === null ? '' : `(session: “${goal}”)`;
  const asked = text ?? (title === null ? prompt : `${prompt} (work: ${title})`);
  return goal !== null && isUninformative(asked) ? `${asked} (session: “${goal}”)` : asked;
}

/** The request of a turn from the stored prompts alone; null when the user asked nothing. */
export function requestOfUser(batch: ObserverBatch, evidence: TurnEvidence): string | null {
  const clean = createCleanText(batch.session.projectRoot, null);
  const request = formatRequest(readRequest(batch, evidence), null);
  return clean(request || cleanPrompt(batch.session.goal ?? ''), REQUEST_LENGTH) || null;
}

/** Short: the prompt itself is in the memory too, and words that many texts repeat tell a search less. */
const GOAL_LENGTH = 80;

function goalOf({ session }: ObserverBatch, prompt: string): string | null {
  const goal = cleanPrompt(session.goal ?? '');
  return goal === prompt || isUninformative(goal) ? null : firstSentences(goal, GOAL_LENGTH);
}

/** What Claude Code writes above a plan that was accepted. */
export const PLAN_LEAD_IN = /^\s*Implement the following plan:[^\S\n]*\n\s*(?=#)/;

/** A plan in Markdown below the words of the host. Other Markdown may be pasted from anywhere. */
function planIn(prompt: string): TaskDocument | null {
  const plan = PLAN_LEAD_IN.exec(prompt);
  return plan === null ? null : readTaskText(prompt.slice(plan[0].length), -1);
}

/** Whole sentences from the beginning, as many as fit. Quoted code and pasted logs are left out. */
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
