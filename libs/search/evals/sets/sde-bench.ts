import { toFacts } from '@claude-mem/core';
import type { EvalSet, ImportLine } from '../eval-set.js';
import { paragraphsOf } from '../paragraphs-of.js';
import { readText } from '../shared-data.js';

const FOLDER = 'sde-bench';
const PROJECT = '/home/dev/sde-bench';

type Turns = readonly { role: 'user' | 'assistant'; text: string }[];

/** Reads conversations about rules as one observation each, and bug reports whose fix requires one of the rules. */
export function readSdeBench(shared: string): EvalSet {
  const tasks = read<{ id: string; bugReport: string; conversations: Turns[] }>(shared, 'tasks-dev.json');
  const decoys = read<{ turns: Turns }>(shared, 'decoys.json');
  const conversations = [
    ...decoys.map(({ turns }, index) => ({ id: `decoy/${index + 1}`, turns })),
    ...tasks.flatMap(({ id, conversations }) =>
      conversations.map((turns, index) => ({ id: `${id}/${index + 1}`, turns })),
    ),
  ];
  return {
    name: 'sde-bench',
    lines: conversations.map(({ id, turns }, index): ImportLine => ({
      uid: `sde-bench/${id}`,
      project: PROJECT,
      session: id,
      prompt_number: 1,
      facts: turns.flatMap(({ role, text }) =>
        toFacts(paragraphsOf(text), role === 'user' ? 'user' : 'agent'),
      ),
      // The order of the times is mixed, so that age does not correlate with relevance.
      created_at: new Date(
        Date.UTC(2026, 0, 1) + ((index * 37) % conversations.length) * 3_600_000,
      ).toISOString(),
    })),
    tasks: [
      {
        name: 'sde-bench bug report→conversation',
        unit: 'observation',
        // The last conversation of a task contains the valid rule.
        queries: tasks.map(({ id, bugReport, conversations }) => ({
          text: bugReport,
          project: PROJECT,
          gold: new Map([[`sde-bench/${id}/${conversations.length}`, 1]]),
        })),
        goals: [
          { measure: 'MRR', plain: null, lexical: null, hybrid: null },
          { measure: 'acc@5', plain: null, lexical: null, hybrid: null },
        ],
      },
    ],
  };
}

function read<Item>(shared: string, name: string): Item[] {
  return JSON.parse(readText(shared, FOLDER, name)) as Item[];
}
