import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EvalQuery, EvalSet, ImportLine } from '../eval-set.js';

/**
 * Reads questions that share few words with the note that answers them. The "hard" set adds other notes with the
 * words of the questions.
 */
export async function readParaphrases(shared: string): Promise<EvalSet> {
  const folder = join(shared, 'prototypes', 'use-lite');
  const load = (file: string) => import(pathToFileURL(join(folder, file)).href) as Promise<unknown>;
  const { items } = (await load('data.mjs')) as { items: [string, string, string][] };
  const { neutral } = (await load('neutral.mjs')) as { neutral: string[] };
  const answers = items.map(([, answer]) => answer);
  const distractors = items.map(([, , distractor]) => distractor);
  const queries = (project: string): EvalQuery[] =>
    items.map(([text], index) => ({ text, project, gold: new Map([[`${project}/${index}`, 1]]) }));
  return {
    name: 'paraphrases',
    lines: [
      ...linesOf('paraphrases', [...answers, ...neutral]),
      ...linesOf('paraphrases-hard', [...answers, ...neutral, ...distractors]),
    ],
    tasks: [
      {
        name: 'paraphrases',
        unit: 'observation',
        queries: queries('paraphrases'),
        goals: [
          { measure: 'acc@5', plain: 0.1, lexical: null, hybrid: 0.55 },
          { measure: 'MRR', plain: null, lexical: null, hybrid: null },
        ],
      },
      {
        name: 'paraphrases, hard',
        unit: 'observation',
        queries: queries('paraphrases-hard'),
        goals: [
          { measure: 'acc@5', plain: null, lexical: null, hybrid: null },
          { measure: 'MRR', plain: null, lexical: null, hybrid: null },
        ],
      },
    ],
  };
}

/** Spreads the records over hours in a fixed mixed order, so that their age does not correlate with the answers. */
function linesOf(project: string, texts: readonly string[]): ImportLine[] {
  return texts.map((narrative, index) => ({
    uid: `${project}/${index}`,
    project,
    session: `${project}/${index}`,
    prompt_number: 1,
    narrative,
    created_at: new Date(Date.UTC(2026, 0, 1) + ((index * 37) % 127) * 3_600_000).toISOString(),
  }));
}
