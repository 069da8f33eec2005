import { toSingleLine, truncate, type JsonValue, type ObservedToolUse } from '@claude-mem/core';
import { fieldOf, listOf, outputOf, textOf } from './json-fields.js';

/** A question of the agent that the user answered. */
export interface UserChoice {
  question: string;
  answer: string;
  /** What the chosen option means, where it was one. */
  meaning: string | null;
  rejected: readonly { label: string; meaning: string | null }[];
  at: number;
}

/** A call that the user did not want. */
export interface UserRejection {
  toolName: string;
  /** What the user said to it; null when nothing. */
  words: string | null;
  at: number;
}

export interface PlanOutcome {
  plan: string;
  outcome: 'approved' | 'rejected';
  words: string | null;
  at: number;
}

/** The sentences of Claude Code and of other hosts, complete: a tool can fail with a text of its own that resembles them. */
const REJECTED =
  /^(?:Error: )?(?:The user doesn't want to proceed with this tool use\. The tool use was rejected \(eg\. if it was a file edit, the new_string was NOT written to the file\)\. (?:To tell you how to proceed, the user said:\s*(?<words>\S[\s\S]{0,3999})|STOP what you are doing\b)|The user doesn't want to take this action right now\. STOP what you are doing\b|User rejected\b|The user rejected\b|\[Request interrupted by user for tool use\])/;
/** What Claude Code says for a user who wants to talk about questions before answering them. */
const QUESTIONS_REFUSED = /^The user wants to clarify these questions\.\s+This means /;
/** Tools of a host have plain names; the names of MCP tools hold the server. */
const HOST_TOOL = /^[A-Za-z]+$/;

/** Whether a failed call was refused by the user, and with which words. */
export function rejectionOf(use: ObservedToolUse, at: number): UserRejection | null {
  if (use.outcome !== 'failed' || !HOST_TOOL.test(use.toolName)) return null;
  const rejected = REJECTED.exec(use.error ?? outputOf(use.response));
  if (rejected === null) return null;
  const said = rejected.groups?.['words'];
  const words = said === undefined || QUESTIONS_REFUSED.test(said) ? null : said;
  return { toolName: use.toolName, words: words ? truncate(toSingleLine(words), 300) : null, at };
}

/** Answers to the host's question dialog. */
export function choicesOf(use: ObservedToolUse, at: number): UserChoice[] {
  if (
    !/^(?:AskUserQuestion|question|ask_user|request_user_input)$/.test(use.toolName) ||
    use.outcome === 'failed'
  )
    return [];
  const questions = listOf(use.input, 'questions');
  const answers = fieldOf(use.response, 'answers');
  return (questions.length > 0 ? questions : [use.input]).flatMap((item): UserChoice[] => {
    const question = textOf(item, 'question', 'header');
    if (question === null) return [];
    const answer = answerTo(question, answers, outputOf(use.response));
    if (answer === null) return [];
    const options = listOf(item, 'options').map((option) => ({
      label: typeof option === 'string' ? option : (textOf(option, 'label') ?? ''),
      meaning: textOf(option, 'description'),
    }));
    const isChosen = (label: string) => label !== '' && answer.includes(label);
    return [
      {
        question: truncate(toSingleLine(question), 200),
        answer: truncate(toSingleLine(answer), 200),
        meaning: options.find(({ label }) => isChosen(label))?.meaning ?? null,
        rejected: options.filter(({ label }) => label !== '' && !isChosen(label)).slice(0, 6),
        at,
      },
    ];
  });
}

function answerTo(question: string, answers: JsonValue | undefined, text: string): string | null {
  const given = fieldOf(answers, question);
  if (typeof given === 'string') return given;
  if (Array.isArray(given)) return given.filter((value) => typeof value === 'string').join(', ');
  const quoted = text.indexOf(`"${question}"="`);
  // a second place is a question that contains this one with an answer
  if (quoted === -1 || quoted !== text.lastIndexOf(`"${question}"="`)) return null;
  const start = quoted + question.length + 4;
  const end = text.indexOf('"', start);
  return end === -1 ? null : text.slice(start, end);
}

/** The text of a plan where the host keeps it in a file of its own. */
export function planTextOf(use: ObservedToolUse): string | null {
  const path = textOf(use.input, 'file_path', 'filePath');
  if (use.outcome === 'failed' || path === null || !/\/\.claude\/plans\/[^/]+\.md$/.test(path)) return null;
  return textOf(use.input, 'content');
}

/** What became of a plan that the agent put before the user. */
export function planOf(use: ObservedToolUse, at: number, written: string | null = null): PlanOutcome | null {
  if (!/^(?:ExitPlanMode|exit_plan_mode)$/.test(use.toolName)) return null;
  const plan = textOf(use.input, 'plan') ?? textOf(use.response, 'plan') ?? written;
  if (plan === null) return null;
  const rejection = rejectionOf(use, at);
  if (use.outcome === 'failed' && rejection === null) return null;
  return { plan, outcome: rejection ? 'rejected' : 'approved', words: rejection?.words ?? null, at };
}
