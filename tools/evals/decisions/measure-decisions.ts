import type { ConversationTurn } from '@claude-mem/core';
import { createObserverBatch } from '@claude-mem/core/testing';
import {
  chooseStatements,
  draftConversationRecord,
  formatStatement,
  readConversation,
} from '@claude-mem/local-observer/conversation';
import { analyzeQuery } from '@claude-mem/lexical-index/analysis';
import {
  coverage,
  promptsOf,
  readDecoys,
  readTasks,
  ruleWords,
  textOf,
  type Conversation,
} from '../sde/sde-bench.js';

interface MeasuredDecision {
  id: string;
  /** Share of the rule's words that occur in the statements injected with a bug report. */
  injected: number;
  /** Share of the rule's words that occur in the conversation. */
  possible: number;
  text: string;
  hasRecord: boolean;
}

export interface MeasuredDecisions {
  decisions: readonly MeasuredDecision[];
  /** One value per conversation without decisions: true if it creates a record. */
  others: readonly boolean[];
}

/** Maximum tokens of the statements that are injected with a prompt. */
const TOKENS = 190;

/**
 * Measures which sentences of conversations are chosen and whether a record is created. Needs no worker and no
 * search.
 */
export async function measureDecisions(): Promise<MeasuredDecisions> {
  const folder = import.meta.dirname;
  const decisions: MeasuredDecision[] = [];
  for (const task of readTasks(folder, 'tasks.json')) {
    const { read, hasRecord } = await readOne(task.right);
    const asked = new Map(analyzeQuery(task.bugReport).terms.map(({ term }) => [term, 0.5]));
    const text = chooseStatements(read, { promptTerms: asked, tokens: TOKENS })
      .map(formatStatement)
      .join('\n');
    const words = ruleWords(task);
    decisions.push({
      id: task.id,
      injected: coverage(words, text),
      possible: coverage(words, textOf(task.right)),
      text,
      hasRecord,
    });
  }
  const others: boolean[] = [];
  for (const one of readDecoys(folder, 'unrelated.json')) others.push((await readOne(one)).hasRecord);
  return { decisions, others };
}

const { session } = createObserverBatch();

async function readOne(one: Conversation) {
  const conversation = promptsOf(one).map(({ prompt, answer }, index): ConversationTurn => ({
    promptNumber: index + 1,
    prompt,
    reply: answer,
  }));
  const read = await readConversation(conversation);
  return { read, hasRecord: draftConversationRecord(read, { conversation, session }) !== null };
}
