import { toSingleLine, truncate, type JsonValue, type ObservedToolUse } from '@claude-mem/core';
import { getField, getList, getOutput, getText } from './json-fields.js';

/** A question of the agent that the user answered. */
export interface UserChoice {
  question: string;
  answer: string;
  /** The description of the chosen option, or null for a free answer. */
  meaning: string | null;
  rejected: readonly { label: string; meaning: string | null }[];
  at: number;
}

/** A tool call that the user rejected. */
export interface UserRejection {
  toolName: string;
  /** The comment of the user, or null. */
  message: string | null;
  at: number;
}

export interface PlanOutcome {
  plan: string;
  outcome: 'approved' | 'rejected';
  message: string | null;
  at: number;
}

/**
 * Complete sentences of Claude Code and other hosts. A tool can fail with a text that resembles the beginning of one.
 */
const REJECTED =
  /^(?:Error: )?(?:The user doesn't want to proceed with this tool use\. The tool use was rejected \(eg\. if it was a file edit, the new_string was NOT written to the file\)\. (?:To tell you how to proceed, the user said:\s*(?<words>\S[\s\S]{0,3999})|STOP what you are doing\b)|The user doesn't want to take this action right now\. STOP what you are doing\b|User rejected\b|The user rejected\b|\[Request interrupted by user for tool use\])/;
/** The text that Claude Code sends when the user wants to clarify questions before answering them. */
const QUESTIONS_REFUSED = /^The user wants to clarify these questions\.\s+This means /;
/** Tools of a host have plain names. The names of MCP tools contain the server. */
const HOST_TOOL = /^[A-Za-z]+$/;

/**
 * Returns the rejection of a failed call with the comment of the user, or null when the user did not reject the call.
 */
export function readRejection(use: ObservedToolUse, at: number): UserRejection | null {
  if (use.outcome !== 'failed' || !HOST_TOOL.test(use.toolName)) return null;
  const rejected = REJECTED.exec(use.error ?? getOutput(use.response));
  if (rejected === null) return null;
  const comment = rejected.groups?.['words'];
  const message = comment === undefined || QUESTIONS_REFUSED.test(comment) ? null : comment;
  return { toolName: use.toolName, message: message ? truncate(toSingleLine(message), 300) : null, at };
}

/** Reads the answers to the question dialog of the host. */
export function readChoices(use: ObservedToolUse, at: number): UserChoice[] {
  if (
    !/^(?:AskUserQuestion|question|ask_user|request_user_input)$/.test(use.toolName) ||
    use.outcome === 'failed'
  )
    return [];
  const questions = getList(use.input, 'questions');
  const answers = getField(use.response, 'answers');
  return (questions.length > 0 ? questions : [use.input]).flatMap((item): UserChoice[] => {
    const question = getText(item, 'question', 'header');
    if (question === null) return [];
    const answer = findAnswer(question, answers, getOutput(use.response));
    if (answer === null) return [];
    const options = getList(item, 'options').map((option) => ({
      label: typeof option === 'string' ? option : (getText(option, 'label') ?? ''),
      meaning: getText(option, 'description'),
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

function findAnswer(question: string, answers: JsonValue | undefined, text: string): string | null {
  const answer = getField(answers, question);
  if (typeof answer === 'string') return answer;
  if (Array.isArray(answer)) return answer.filter((value) => typeof value === 'string').join(', ');
  const quoted = text.indexOf(`"${question}"="`);
  // A second occurrence means that another question contains this text with an answer.
  if (quoted === -1 || quoted !== text.lastIndexOf(`"${question}"="`)) return null;
  const start = quoted + question.length + 4;
  const end = text.indexOf('"', start);
  return end === -1 ? null : text.slice(start, end);
}

/** Returns the text of a plan that the host stores in its own file. */
export function readPlanText(use: ObservedToolUse): string | null {
  const path = getText(use.input, 'file_path', 'filePath');
  if (use.outcome === 'failed' || path === null || !/\/\.claude\/plans\/[^/]+\.md$/.test(path)) return null;
  return getText(use.input, 'content');
}

/** Returns the plan that the agent presented and whether the user approved it. */
export function readPlanOutcome(
  use: ObservedToolUse,
  at: number,
  written: string | null = null,
): PlanOutcome | null {
  if (!/^(?:ExitPlanMode|exit_plan_mode)$/.test(use.toolName)) return null;
  const plan = getText(use.input, 'plan') ?? getText(use.response, 'plan') ?? written;
  if (plan === null) return null;
  const rejection = readRejection(use, at);
  if (use.outcome === 'failed' && rejection === null) return null;
  return { plan, outcome: rejection ? 'rejected' : 'approved', message: rejection?.message ?? null, at };
}
