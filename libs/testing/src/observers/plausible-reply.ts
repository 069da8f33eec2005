import type { WireAnswer } from '@claude-mem/agent-providers/testing';
import { toFacts, type ObservationDraft, type SummaryDraft } from '@claude-mem/core';
import { writeObserverReply } from '@claude-mem/parser';

const FILE = /[\w./-]+\.(?:tsx?|mjs|js|py|md|json|ya?ml|css|html|sh)\b/g;
const FILES_PER_OBSERVATION = 8;
const MAX_OBSERVATIONS = 3;

interface Asked {
  instructions: string;
  prompt: string;
}

type Reply = Extract<WireAnswer, { kind: 'reply' }>;

/**
 * Creates a function that builds the reply of a model from the request. Titles contain the number of the request, so
 * that a test detects a reply that was stored twice.
 */
export function plausibleReply(): (asked: Asked) => Reply {
  let count = 0;
  return (asked) => {
    count += 1;
    return replyTo(asked, count);
  };
}

function replyTo({ instructions, prompt }: Asked, number: number): Reply {
  const files = [...new Set(prompt.match(FILE) ?? [])].slice(0, FILES_PER_OBSERVATION * MAX_OBSERVATIONS);
  const observations: ObservationDraft[] = [];
  for (let from = 0; from === 0 || from < files.length; from += FILES_PER_OBSERVATION)
    observations.push(observationOn(files.slice(from, from + FILES_PER_OBSERVATION), number));
  const summary = asksForSummary(prompt) ? summaryOn(files, number) : null;
  const text = writeObserverReply({ observations, summary });
  const usage = {
    inputTokens: Math.ceil((instructions.length + prompt.length) / 4),
    outputTokens: Math.ceil(text.length / 4),
    cachedTokens: 0,
  };
  return { kind: 'reply', text, usage };
}

/** The task is at the end of each request. */
const asksForSummary = (prompt: string) => prompt.slice(-600).includes('<summary>');

function observationOn(files: readonly string[], number: number): ObservationDraft {
  const first = files[0] ?? 'the project';
  return {
    type: 'discovery',
    title: `Reply ${number}: what was found in ${first}`,
    subtitle: `${files.length} file(s) were looked at or changed`,
    narrative: `The turn worked on ${first}. What it read and ran there led to a small change, and a command after it showed the outcome. What was left open is said in the summary of the turn.`,
    facts: toFacts(
      [`${first} is where the work began`, `reply ${number} names ${files.length} file(s)`],
      'agent',
    ),
    concepts: ['how-it-works'],
    filesRead: [...files],
    filesModified: [],
  };
}

const summaryOn = (files: readonly string[], number: number): SummaryDraft => ({
  request: `What was asked in the turn of reply ${number}.`,
  investigated: `How ${files[0] ?? 'the project'} works.`,
  learned: 'The place where the value is made is not the place where it is read.',
  completed: `The change in ${files[0] ?? 'the project'}, with its test.`,
  nextSteps: 'Nothing was left open.',
  notes: null,
  filesRead: files.slice(0, 3),
  filesEdited: [],
});
