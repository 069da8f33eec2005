import type { EvalSet } from '../eval-set.js';
import { readText } from '../shared-data.js';

/** Reads CoSQA: queries from a web search engine, and the Python functions that answer them. */
export function readCosqa(shared: string): EvalSet {
  const codes = JSON.parse(readText(shared, 'cosqa', 'code_idx_map.txt.gz')) as Record<string, number>;
  const questions = JSON.parse(readText(shared, 'cosqa', 'cosqa-retrieval-dev-500.json.gz')) as {
    doc: string;
    retrieval_idx: number;
  }[];
  return {
    name: 'cosqa',
    lines: Object.entries(codes).map(([code, index]) => ({
      uid: `cosqa/${index}`,
      project: 'cosqa',
      session: `cosqa/${index}`,
      prompt_number: 1,
      title: /^\s*(?:async\s+)?def\s+(\w+)/m.exec(code)?.[1] ?? code.split('\n', 1)[0]?.trim() ?? '',
      narrative: code,
      created_at: new Date(Date.UTC(2020, 0, 1) + index * 60_000).toISOString(),
    })),
    tasks: [
      {
        name: 'CoSQA',
        unit: 'observation',
        queries: questions.map(({ doc, retrieval_idx }) => ({
          text: doc,
          project: 'cosqa',
          gold: new Map([[`cosqa/${retrieval_idx}`, 1]]),
        })),
        goals: [
          { measure: 'nDCG@10', plain: 0.378, lexical: 0.42, hybrid: 0.43 },
          { measure: 'MRR', plain: null, lexical: null, hybrid: null },
          { measure: 'R@10', plain: null, lexical: null, hybrid: null },
        ],
      },
    ],
  };
}
