import { createObserverBatch, LINEAR_GROWTH, processorTimeGrowth } from '@claude-mem/core/testing';
import { bash, HOSTILE_TEXTS } from '@claude-mem/evidence/testing';
import { expect, it } from 'vitest';
import { createCleanText } from './clean-text.js';
import { toComparableText } from './comparable-text.js';
import { fitTitle } from './fit-title.js';
import { observeTurn } from './observe-turn.js';
import { PLAN_LEAD_IN } from './read-request.js';
import { readMarkdown } from './text/read-markdown.js';

const LENGTH = 60_000;

const READERS: readonly (readonly [name: string, read: (text: string) => unknown])[] = [
  ['clean text', createCleanText('/home/dev/shop', null)],
  ['fitTitle', fitTitle],
  [
    'observeTurn',
    (text) => observeTurn(createObserverBatch({ prompt: 'Fix it', closing: `The bug is ${text}` })),
  ],
  [
    'observeTurn with a result',
    (text) =>
      observeTurn(
        createObserverBatch({
          toolUses: [bash('npm run heat', `heat 1% ${text}`)],
          closing: `The heat of 2% is above the limit, ${text}`,
        }),
      ),
  ],
];

it.each(READERS)('reads hostile texts in linear time: %s', (_name, read) => {
  for (const text of HOSTILE_TEXTS) {
    const growth = processorTimeGrowth((length) => read(text(length)), LENGTH);
    expect(growth, JSON.stringify(text(20))).toBeLessThan(LINEAR_GROWTH);
  }
});

const tabs = (length: number) => '\t'.repeat(length / 2);

const observeListBelow = (heading: string) =>
  observeTurn(
    createObserverBatch({
      toolUses: [{ toolName: 'Edit', input: { file_path: 'a.ts', old_string: 'a', new_string: 'total()' } }],
      closing: `# ${heading}\n\n${'- Adds `total()` to the cart of the shop\n'.repeat(20)}`,
    }),
  );

it.each<[text: string, length: number, read: (length: number) => unknown]>([
  ['a heading with U+2028', 1_600, (length) => readMarkdown(`# ${tabs(length)}x${tabs(length)}\u2028y`)],
  [
    'a message with measures',
    16_000,
    (length) =>
      observeTurn(
        createObserverBatch({
          toolUses: [bash('npm run heat', 'heat 1% '.repeat(length / 8))],
          closing: `The bug: ${'heat 2% '.repeat(length / 8)}`,
        }),
      ),
  ],
  ['blank lines of an output', 64_000, (length) => toComparableText('\t\n'.repeat(length / 2))],
  [
    'a comment with tabs',
    38_000,
    (length) =>
      observeTurn(
        createObserverBatch({
          toolUses: [
            {
              toolName: 'Edit',
              input: { file_path: 'a.ts', old_string: 'a', new_string: `*#${tabs(length)}x` },
            },
          ],
          closing: 'Done.',
        }),
      ),
  ],
  ['a heading with one word', 12_000, (length) => observeListBelow('only '.repeat(length / 5))],
  ['a heading with many sentences', 40_000, (length) => observeListBelow('1. '.repeat(length / 3))],
  [
    'a plan with blank lines',
    64_000,
    (length) => PLAN_LEAD_IN.test(`Implement the following plan:${'\n '.repeat(length / 2)}x`),
  ],
])('reads %s in linear time', (_, length, read) => {
  expect(processorTimeGrowth(read, length)).toBeLessThan(LINEAR_GROWTH);
});
