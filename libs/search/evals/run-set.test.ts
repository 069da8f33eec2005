import { describe, expect, it } from 'vitest';
import { createHashingEmbedder } from '../src/testing/index.js';
import { ARM_NAMES } from './arms.js';
import type { EvalSet } from './eval-set.js';
import { collectFigures, goalsTable, noiseTable } from './report.js';
import { runSet } from './run-set.js';

const NOTES = {
  lock: 'Two jobs wrote the same row, so the row is locked first',
  mail: 'Mails bounced because the password of the post office had expired',
  theme: 'Labels are readable in the dark theme',
  cache: 'The cache of pictures is emptied when it is full',
};

const set: EvalSet = {
  name: 'tiny',
  lines: Object.entries(NOTES).map(([uid, narrative], index) => ({
    uid,
    project: '/repos/tiny',
    session: `session of ${uid}`,
    prompt_number: 1,
    narrative,
    files_modified: [`src/${uid}.ts`],
    created_at: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
  })),
  tasks: [
    {
      name: 'notes',
      unit: 'observation',
      queries: [
        { text: 'jobs lock a row', project: '/repos/tiny', gold: new Map([['lock', 1]]) },
        { text: 'why do mails bounce', project: '/repos/tiny', gold: new Map([['mail', 1]]) },
      ],
      goals: [{ measure: 'MRR', plain: 0.5, lexical: 0.9, hybrid: 1.5 }],
    },
    {
      name: 'sessions',
      unit: 'session',
      queries: [
        { text: 'dark theme', project: '/repos/tiny', gold: new Map([['session of theme', 1]]) },
        {
          text: 'cache of pictures',
          project: '/repos/tiny',
          dateTo: Date.UTC(2026, 0, 2),
          gold: new Map([['session of cache', 1]]),
        },
      ],
      goals: [{ measure: 'R@5', plain: null, lexical: null, hybrid: null }],
    },
  ],
};

describe('a run over a query set', () => {
  it('imports the set, runs every arm, and shows the measures', async () => {
    const arms: string[] = [];
    const results = await runSet(set, {
      arms: ARM_NAMES,
      embedder: createHashingEmbedder(),
      onArm: (arm) => arms.push(arm),
    });
    expect(arms).toEqual([...ARM_NAMES]);
    const figure = (task: string, arm: string) =>
      collectFigures(results).find((one) => one.task === task && one.arm === arm)?.figures;
    expect(figure('notes', 'plain')).toMatchObject({ MRR: 1 });
    expect(figure('notes', 'lexical')).toMatchObject({ MRR: 1, 'nDCG@10': 1 });
    expect(figure('notes', 'fused')).toMatchObject({ MRR: 1 });
    // Records after `dateTo` are not found.
    for (const arm of ['plain', 'lexical', 'fused'])
      expect(figure('sessions', arm)).toMatchObject({ 'R@5': 0.5 });
    // The words of the other query match the other note best.
    expect(figure('notes', 'noise-words')?.MRR).toBeLessThan(1);
    expect(goalsTable(results)).toMatch(
      /notes, MRR +\| 1\.000 +\| 0\.500 +\| 1\.000 +\| 0\.900 ok .*1\.500 SHORT/,
    );
    expect(noiseTable(results)).toMatch(/notes +\| 1\.000/);
  });

  it('skips the arms that need vectors when there is no embedder', async () => {
    const results = await runSet(set, { arms: ARM_NAMES, embedder: null, onArm: () => {} });
    expect([...new Set(results.map(({ arm }) => arm))]).toEqual(['plain', 'lexical']);
  });
});
