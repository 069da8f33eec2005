import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Conversation {
  id: string;
  turns: readonly { role: 'user' | 'assistant'; text: string }[];
}

/** A bug that can be fixed only with a rule from a conversation. */
export interface Task {
  id: string;
  bugReport: string;
  /** Text of the rule. */
  policy: string;
  /** Conversations with earlier versions of the rule. */
  superseded: readonly Conversation[];
  /** The conversation that contains the rule. */
  right: Conversation;
}

/**
 * Reads the tasks of a set.
 * @param folder contains the files of one set
 * @param file @default 'tasks-dev.json'
 */
export function readTasks(folder: string, file = 'tasks-dev.json'): Task[] {
  type StoredTask = Pick<Task, 'id' | 'bugReport' | 'policy'> & { conversations: Conversation['turns'][] };
  return read<StoredTask>(folder, file).map(({ id, bugReport, policy, conversations }) => {
    const all = conversations.map((turns, index) => ({ id: `${id}/${index + 1}`, turns }));
    const right = all.pop();
    if (right === undefined) throw new Error(`${id} has no conversation`);
    return { id, bugReport, policy, superseded: all, right };
  });
}

/** Reads the conversations that no task needs. */
export function readDecoys(folder: string, file = 'decoys.json'): Conversation[] {
  return read<{ turns: Conversation['turns'] }>(folder, file).map(({ turns }, index) => ({
    id: `decoy/${index + 1}`,
    turns,
  }));
}

function read<Item>(folder: string, name: string): Item[] {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as Item[];
}

/** Pairs each prompt with the last answer before the next prompt. The answer is null if there is none. */
export function promptsOf({ turns }: Conversation): { prompt: string; answer: string | null }[] {
  const prompts: { prompt: string; answer: string | null }[] = [];
  for (const { role, text } of turns) {
    const current = prompts.at(-1);
    if (role === 'user') prompts.push({ prompt: text, answer: null });
    else if (current !== undefined) current.answer = text;
  }
  return prompts;
}

export const textOf = ({ turns }: Conversation): string => turns.map(({ text }) => text).join('\n');

const SHORTEST_WORD = 5;
const COMMON_WORDS = new Set(
  (
    'about above after again against always among because before being below between could does during either every exactly never ' +
    'other rather shall should since their theirs there these those through under until where whether which while whose within ' +
    'without would'
  ).split(' '),
);

/** Returns the words of a rule that do not occur in the bug report: words of five letters or more, and numbers. */
export function ruleWords({ policy, bugReport }: Pick<Task, 'policy' | 'bugReport'>): string[] {
  const known = new Set(bugReport.toLowerCase().match(/[\p{L}\p{N}_]+/gu));
  const words = policy.toLowerCase().match(/(?<![\p{L}\p{N}_])(?:[\p{L}_]+|\p{N}+)/gu) ?? [];
  return [...new Set(words)].filter(
    (word) =>
      (word.length >= SHORTEST_WORD || /^\p{N}/u.test(word)) && !COMMON_WORDS.has(word) && !known.has(word),
  );
}

/** Matches ids, dates, times and token counts in a list of records. */
const NUMBERS_OF_RECORDS = /#\d+|~\d+|\d{4}-\d\d-\d\d|\d\d:\d\d/g;

/**
 * Returns the share of the words that the text contains. Words also match as a prefix, and numbers also before a
 * unit. Numbers that describe records do not count.
 */
export function coverage(words: readonly string[], text: string): number {
  const searched = text.replace(NUMBERS_OF_RECORDS, ' ').toLowerCase();
  const contains = (word: string) =>
    new RegExp(`(?<![\\p{L}\\p{N}_])${word}${/^\p{N}/u.test(word) ? '(?!\\p{N})' : ''}`, 'u').test(searched);
  return words.length === 0 ? 1 : words.filter(contains).length / words.length;
}
