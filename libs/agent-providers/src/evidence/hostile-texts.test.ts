import { expect, it } from 'vitest';
import { createCleanText } from '../local/clean-text.js';
import { fitTitle } from '../local/fit-title.js';
import { observeTurn } from '../local/observe-turn.js';
import { createObserverBatch } from '../testing/observer-batch.js';
import { declarationIn } from './declarations.js';
import { readTaskText } from './documents.js';
import { errorLineIn } from './error-line.js';
import { evidenceOf } from './evidence-of.js';
import { parseShell } from './parse-shell.js';
import { countsIn, saysFailure } from './result-counts.js';

const SIZE = 60_000;
const filled = (text: string) => text.repeat(Math.ceil(SIZE / text.length)).slice(0, SIZE);

const HOSTILE: readonly string[] = [
  `a${filled('\n')}b`,
  `a${filled(' ')}b`,
  ` a${filled(' ')}b`,
  `a${filled('\t\n')}b`,
  filled('='),
  filled('1'),
  filled('1 failed, '),
  filled('Error: '),
  filled('A_'),
  filled('a.'),
  filled('?'),
  `# ${filled('#')}x`,
  `---\ntitle: a${filled(' ')}b\n---\n`,
  filled('cat <<E\n'),
  filled('git commit '),
  `commit aaaaaaa\n a${filled(' ')}b`,
  filled('the user said: '),
];

const bash = (command: string, text: string) => ({
  toolName: 'Bash',
  input: { command },
  response: { stdout: text, stderr: text },
});

const readers: readonly ((text: string) => unknown)[] = [
  saysFailure,
  countsIn,
  errorLineIn,
  parseShell,
  createCleanText('/home/dev/shop', null),
  fitTitle,
  (text) => readTaskText(text, 0),
  (text) => declarationIn(`a(${text.slice(0, 390)};`, 'a.c'),
  (text) =>
    observeTurn(createObserverBatch({ prompt: 'Fix it', closing: `The bug is ${text.slice(0, 50_000)}` })),
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
];

it('reads hostile texts within seconds of processor time', () => {
  const slow: string[] = [];
  readers.forEach((read, reader) => {
    HOSTILE.forEach((text) => {
      const before = process.cpuUsage();
      read(text);
      const { user } = process.cpuUsage(before);
      if (user > 2_000_000) slow.push(`reader ${reader}: ${JSON.stringify(text.slice(0, 20))} ${user}`);
    });
  });
  expect(slow).toEqual([]);
});
