import { toSingleLine, truncate, type ObserverBatch } from '@claude-mem/core';
import { readTaskText, type TaskDocument } from '../evidence/documents.js';
import type { TurnEvidence } from '../evidence/evidence-of.js';
import { saysLittle } from './text/content-words.js';
import { countWords } from './text/count-words.js';
import { splitSentences } from './text/split-sentences.js';

/** What the user wanted of the turn. */
export interface TurnRequest {
  /** In the user's words, followed by the work where they only pick ("7", "yes"). Null: not known. */
  text: string | null;
  /** The plan, issue or to-do item behind it. */
  task: TaskDocument | null;
  /** The prompt without what the host put into it. */
  prompt: string;
  /** The prompt itself says nothing about the work: a number, "go on", "commit". */
  isBare: boolean;
  /** What the session began with, when that was another prompt and says more than to go on. */
  goal: string | null;
}

const HOST_BLOCK =
  /<(system-reminder|task-notification|local-command-\w+|command-message|bash-(?:stdout|stderr|input)|ide_\w+|claude-mem-context|user-memory-input)\b[^>]*>[\s\S]*?(?:<\/\1>|$)/gi;
/** A pick, or nothing but words of assent; no text is made of them in two ways, so that a long one is soon read. */
const BARE =
  /^(?:[\p{L}\p{N}]{1,2}[.)]?[\s.!。！]*|(?:(?:and |und |et |y )?(?:yes|yep|yeah|ok(?:ay)?|sure|go(?: (?:on|ahead))?|continue|proceed|do it|please(?: do)?|next|lgtm|approved?|great|perfect|thanks|thank you|commit(?: (?:this|it|that|now))?|push(?: it)?|merge(?: it)?|weiter|ja|mach|danke|はい|お願いします|続けて|继续|好的?|是|да|давай|дальше|oui|vas-y|sí|dale)(?=$|[\s,.!。！、，])[\s,.!。！、，]*)+)$/iu;

const AGREEMENT =
  /^(?:yes|yeah|yep|ok(?:ay)?|sure|perfect|great|cool|sounds good)[,.! ]+(?:please|let(?:'|’)?s|go|do|try|give|that|sounds|continue|proceed)\b.{0,40}$/i;

export function readRequest(batch: ObserverBatch, evidence: TurnEvidence): TurnRequest {
  const prompt = cleanPrompt(batch.prompt ?? '');
  const isBare = BARE.test(prompt) || AGREEMENT.test(prompt);
  const plan = planIn(prompt);
  const named = evidence.taskDocuments.find(
    ({ id }) => id !== null && prompt.toLowerCase().includes(id.toLowerCase()),
  );
  const approved = evidence.plans.findLast(({ outcome }) => outcome === 'approved');
  const task =
    plan ??
    named ??
    (approved === undefined ? null : readTaskText(approved.plan, approved.at)) ??
    (isBare && !/commit|push|merge/i.test(prompt) ? (evidence.taskDocuments[0] ?? null) : null);
  return {
    text: requestText(prompt, isBare, plan !== null, task, evidence),
    task,
    prompt,
    isBare,
    goal: goalOf(batch, prompt),
  };
}

function requestText(
  prompt: string,
  isBare: boolean,
  isPlan: boolean,
  task: TaskDocument | null,
  evidence: TurnEvidence,
): string | null {
  if (prompt === '') return null;
  if (isPlan && task) return `Implement the plan: ${task.title}`;
  if (isBare) {
    const item = task?.title ?? evidence.todos.find(({ status }) => status !== 'pending')?.text;
    return item === undefined ? null : `${prompt} (work: ${item})`;
  }
  const short = firstSentences(prompt, 280);
  return task ? `${short} (${task.id === null ? '' : `${task.id}: `}${task.title})` : short;
}

/** Short: the prompt itself is in the memory too, and words that many texts repeat tell a search less. */
const GOAL_LENGTH = 80;

function goalOf({ session }: ObserverBatch, prompt: string): string | null {
  const goal = cleanPrompt(session.goal ?? '');
  return goal === prompt || saysLittle(goal) ? null : firstSentences(goal, GOAL_LENGTH);
}

function cleanPrompt(prompt: string): string {
  const text = prompt.slice(0, 40_000);
  const command = /<command-name>([^<]+)<\/command-name>/.exec(text)?.[1]?.trim();
  if (command) {
    const args = /<command-args>([\s\S]*?)<\/command-args>/.exec(text)?.[1]?.trim() ?? '';
    return `/${command.replace(/^\//, '')} ${args}`.trim();
  }
  if (/^This session is being continued from a previous conversation/.test(text.trim())) return '';
  return text
    .replace(HOST_BLOCK, ' ')
    .replace(/\[(?:Image|Pasted text) #\d+[^\]]*\]/g, ' ')
    .trim();
}

/** A prompt that is a plan in Markdown, as hosts write it when a plan is accepted. */
function planIn(prompt: string): TaskDocument | null {
  if (prompt.length < 120 || !/^#{1,2} +\S/m.test(prompt)) return null;
  if (!/^(?:implement|execute|carry out|follow)\b.{0,60}\bplan\b/i.test(prompt) && !/^#{1,2} /.test(prompt))
    return null;
  return readTaskText(prompt, -1);
}

/** Whole sentences from the beginning, as many as fit. Quoted code and pasted logs are left out. */
export function firstSentences(text: string, limit: number): string {
  const prose = text
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .split('\n')
    .filter((line) => !/^\s*(?:at |>|\||#{1,6} |[-*] |\d+\. )/.test(line))
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
