import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ImportedObservation } from '@claude-mem/core';
import { recordedTurns } from '../recorded-turns.js';

/** Prompts that no record of the replayed project matches, by source. */
export interface ForeignPrompts {
  name: string;
  prompts: readonly string[];
}

export const FOREIGN_PROJECT = '/home/dev/another';
/** Source of the replayed sessions. Prompts of this source are excluded. */
const OWN_REPOSITORY = 'entireio/cli';

/** Records of another project's memory, one session per day. */
export function readForeignMemory(shared: string): ImportedObservation[] {
  return titlesOf(shared).map(({ id, day, title }, index) => ({
    uid: `title-${id}-${index}`,
    project: FOREIGN_PROJECT,
    session: day,
    promptNumber: 1,
    createdAtEpoch: Date.parse(`${day} UTC`) + index,
    type: 'change',
    title,
    subtitle: null,
    narrative: null,
    facts: [],
    concepts: [],
    filesRead: [],
    filesModified: [],
  }));
}

export async function readForeignPrompts(shared: string): Promise<ForeignPrompts[]> {
  const conversations = JSON.parse(unpacked(shared, 'locomo', 'locomo.dev.json.gz')) as {
    qa: { question: string }[];
  }[];
  const questions = JSON.parse(unpacked(shared, 'cosqa', 'cosqa-retrieval-dev-500.json.gz')) as {
    doc: string;
  }[];
  return [
    { name: 'prompts of other repositories', prompts: await promptsOfTranscripts(shared) },
    {
      name: 'titles of another memory for agents',
      prompts: heldHalf(titlesOf(shared).map(({ title }) => title)),
    },
    { name: 'questions about Python (CoSQA)', prompts: heldHalf(questions.map(({ doc }) => doc)) },
    {
      name: 'questions about conversations (LoCoMo)',
      prompts: heldHalf(conversations.flatMap(({ qa }) => qa.map(({ question }) => question))),
    },
  ];
}

function titlesOf(shared: string): { id: string; day: string; title: string }[] {
  return unpacked(shared, 'claude-mem', 'observation_titles.jsonl.gz')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { id: string; day: string; title: string });
}

/** The table of transcripts contains the source of each prompt. */
async function promptsOfTranscripts(shared: string): Promise<string[]> {
  const sources = readFileSync(join(shared, 'data', 'transcripts', 'SOURCES.md'), 'utf8');
  const names = sources
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => /^(?:cc-|codex).*\.jsonl\.gz$/.test(cells[1] ?? '') && !cells.includes(OWN_REPOSITORY))
    .map((cells) => cells[1] ?? '');
  const prompts: string[] = [];
  for (const name of names)
    for (const { prompt } of await recordedTurns(shared, name)) if (prompt !== null) prompts.push(prompt);
  return prompts;
}

/** Returns every second prompt. The thresholds of recall were chosen with the others. */
const heldHalf = (texts: readonly string[]) => texts.filter((_, index) => index % 2 === 1);

function unpacked(shared: string, ...path: readonly string[]): string {
  return gunzipSync(readFileSync(join(shared, 'data', ...path))).toString('utf8');
}
