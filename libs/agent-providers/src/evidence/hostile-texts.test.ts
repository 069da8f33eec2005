import { LINEAR_GROWTH, processorTimeGrowth } from '@claude-mem/core/testing';
import { expect, it } from 'vitest';
import { createCleanText } from '../local/clean-text.js';
import { toComparableText } from '../local/comparable-text.js';
import { fitTitle } from '../local/fit-title.js';
import { observeTurn } from '../local/observe-turn.js';
import { PLAN_LEAD_IN } from '../local/read-request.js';
import { readMarkdown } from '../local/text/read-markdown.js';
import { createObserverBatch } from '../testing/observer-batch.js';
import { declarationIn } from './declarations.js';
import { readTaskText } from './documents.js';
import { errorLineIn } from './error-line.js';
import { evidenceOf } from './evidence-of.js';
import { parseShell } from './parse-shell.js';
import { countsIn, reportsFailure } from './result-counts.js';

const LENGTH = 60_000;

/** Texts in which one piece is repeated. `filled` repeats a piece up to the length of the test. */
const HOSTILE: readonly ((filled: (piece: string) => string) => string)[] = [
  (filled) => `a${filled('\n')}b`,
  (filled) => `a${filled(' ')}b`,
  (filled) => ` a${filled(' ')}b`,
  (filled) => `a${filled('\t\n')}b`,
  (filled) => filled('='),
  (filled) => filled('1'),
  (filled) => filled('1 failed, '),
  (filled) => filled('Error: '),
  (filled) => filled('A_'),
  (filled) => filled('a.'),
  (filled) => filled('?'),
  (filled) => `# ${filled('#')}x`,
  (filled) => `---\ntitle: a${filled(' ')}b\n---\n`,
  (filled) => filled('cat <<E\n'),
  (filled) => filled('git commit '),
  (filled) => `commit aaaaaaa\n a${filled(' ')}b`,
  (filled) => filled('the user said: '),
];

const bash = (command: string, text: string) => ({
  toolName: 'Bash',
  input: { command },
  response: { stdout: text, stderr: text },
});

const READERS: readonly (readonly [name: string, read: (text: string) => unknown])[] = [
  ['reportsFailure', reportsFailure],
  ['countsIn', countsIn],
  ['errorLineIn', errorLineIn],
  ['parseShell', parseShell],
  ['clean text', createCleanText('/home/dev/shop', null)],
  ['fitTitle', fitTitle],
  ['readTaskText', (text) => readTaskText(text, 0)],
  // lines of more than 400 characters are not read
  ['declarationIn', (text) => declarationIn(`a(${text.slice(0, text.length / 160)};`, 'a.c')],
  [
    'observeTurn',
    (text) => observeTurn(createObserverBatch({ prompt: 'Fix it', closing: `The bug is ${text}` })),
  ],
  [
    'evidenceOf',
    (text) =>
      evidenceOf(
        createObserverBatch({
          toolUses: [
            bash('git log --oneline', 'bbbbbbb old'),
            bash('git log --oneline', 'aaaaaaa new\nbbbbbbb old'),
            bash('git show --stat', text),
            bash('npm test | cat', text),
            bash('npx prettier --write a.ts', text),
            bash(`ls ${text}`, ''),
            bash(`gh pr create --body "${text}"`, ''),
            bash(`git commit -m "$(${text}`, text),
            { toolName: 'WebFetch', input: { url: text } },
            { toolName: 'Edit', input: { file_path: 'a.ts' }, outcome: 'failed', error: text },
          ],
        }),
      ),
  ],
];

it.each(READERS)('reads hostile texts in linear time: %s', (_name, read) => {
  for (const textOf of HOSTILE) {
    const text = (length: number) =>
      textOf((piece) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length));
    const growth = processorTimeGrowth((length) => read(text(length)), LENGTH);
    expect(growth, JSON.stringify(text(20))).toBeLessThan(LINEAR_GROWTH);
  }
});

const tabs = (length: number) => '\t'.repeat(length / 2);

it.each<[text: string, length: number, read: (length: number) => unknown]>([
  ['a heading with U+2028', 1_600, (length) => readMarkdown(`# ${tabs(length)}x${tabs(length)}\u2028y`)],
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
  [
    'a plan with blank lines',
    64_000,
    (length) => PLAN_LEAD_IN.test(`Implement the following plan:${'\n '.repeat(length / 2)}x`),
  ],
])('reads %s in linear time', (_, length, read) => {
  expect(processorTimeGrowth(read, length)).toBeLessThan(LINEAR_GROWTH);
});
