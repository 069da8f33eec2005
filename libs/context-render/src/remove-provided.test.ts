import type { ContextMaterial } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { material, observation, summary } from './__fixtures__/memory.js';
import { renderProjectBlock } from './render-context-block.js';
import { renderSessionContext, type SessionContext } from './render-session-context.js';
import { removeProvided } from './remove-provided.js';

const MEMORY = material({
  observations: [observation(4), observation(3), observation(2, { title: 'RECORD  4' }), observation(1)],
  pinned: [observation(9)],
  summaries: [summary(7), summary(6)],
  decisions: [],
  totalObservations: 5,
});

it('removes records that are already provided, and records with the same title', () => {
  const provided = { shown: [4, 9], tokens: 100, text: '' };
  const choice = { material: MEMORY, onBranch: [observation(9), observation(8)] };
  const { material: rest, onBranch, skipped } = removeProvided(choice, provided);
  expect(onBranch.map(({ id }) => id)).toEqual([8]);
  expect(rest.observations.map(({ id }) => id)).toEqual([3, 1]);
  expect([rest.pinned, rest.totalObservations]).toEqual([[], 5]);
  expect(skipped.map(({ id }) => id).sort()).toEqual([2, 4, 9]);
});

describe('the section "Where it stands"', () => {
  const LONG = `${'the export of invoices, '.repeat(9)}again`;
  const provided = (memory: ContextMaterial, block: SessionContext) =>
    renderSessionContext({ project: 'p', material: memory, now: 0, provided: block }).text;

  it('is provided once, by the context file or by the session start', () => {
    const memory = material({
      summaries: [
        summary(2, {
          request: `Mend ${LONG}`,
          nextSteps: `Move @src/a.ts of ${LONG}`,
          learned: `Rows of ${LONG}`,
        }),
        summary(1, { request: 'Begin', nextSteps: 'Ask @ada' }),
      ],
    });
    const block = renderProjectBlock({ project: 'p', material: memory });
    const both = `${block.text}\n${provided(memory, block)}`.replaceAll('＠', '@');
    for (const start of [
      'last request: "Mend',
      'open then: "Move @src',
      'learned: "Rows',
      'open then: "Ask @ada',
    ])
      expect(both.split(start), start).toHaveLength(2);
    expect(block.text).not.toContain('learned');
  });

  it('is provided at the session start when it is newer than the context file', () => {
    const old = material({ summaries: [summary(1, { nextSteps: 'Write the test' })] });
    const block = renderProjectBlock({ project: 'p', material: old });
    const now = material({ summaries: [summary(2, { nextSteps: 'Merge it' }), ...old.summaries] });
    expect(provided(now, block)).toContain('open then: "Merge it"');
    expect(provided(now, block)).not.toContain('Write the test');
    expect(provided(old, block)).toBe('');
  });
});

it('keeps every record when nothing is already provided', () => {
  const choice = { material: MEMORY, onBranch: [] };
  expect(removeProvided(choice, null)).toEqual({ ...choice, skipped: [] });
});

it('skips provided records in every section of the session context, and subtracts their tokens from the limit', () => {
  const more = [...Array(40).keys()].map((id) => observation(id + 1, { filesModified: ['src/a.ts'] }));
  const options = { project: 'p', material: material({ observations: more }), now: 0, files: ['src/a.ts'] };
  const onBranch = more.slice(0, 5);
  const provided = { shown: [1, 2, 40], tokens: 400, text: '' };
  const complete = renderSessionContext({ ...options, onBranch, maxTokens: 800 });
  const rest = renderSessionContext({ ...options, onBranch, maxTokens: 800, provided });
  expect(complete.shown).toEqual(expect.arrayContaining([1, 2, 40]));
  expect(rest.shown.filter((id) => provided.shown.includes(id))).toEqual([]);
  expect(rest.shown).toEqual(expect.arrayContaining([3, 4, 5]));
  expect(rest.tokens).toBeLessThanOrEqual(400);
});
