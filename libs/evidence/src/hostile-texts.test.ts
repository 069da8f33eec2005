import { createObserverBatch, LINEAR_GROWTH, processorTimeGrowth } from '@claude-mem/core/testing';
import { expect, it } from 'vitest';
import { readDeclaration } from './declarations.js';
import { readTaskText } from './documents.js';
import { findErrorLine } from './error-line.js';
import { readErrorPattern } from './error-pattern.js';
import { collectEvidence } from './collect-evidence.js';
import { readFixFact } from './fix-fact.js';
import { parseShell } from './parse-shell.js';
import { readCounts, reportsFailure } from './result-counts.js';
import { HOSTILE_TEXTS } from './testing/hostile-texts.js';

const LENGTH = 60_000;

const bash = (command: string, text: string) => ({
  toolName: 'Bash',
  input: { command },
  response: { stdout: text, stderr: text },
});

const READERS: readonly (readonly [name: string, read: (text: string) => unknown])[] = [
  ['reportsFailure', (text) => reportsFailure(`error: ${text}\n${text}`, { reportsPass: true })],
  ['countsIn', readCounts],
  ['errorLineIn', findErrorLine],
  ['readErrorPattern', readErrorPattern],
  ['readFixFact', (text) => readFixFact(`\`${text}\` failed: “${text}”; passes after ${text}`)],
  ['parseShell', parseShell],
  ['readTaskText', (text) => readTaskText(text, 0)],
  // `readDeclaration` ignores lines of more than 400 characters.
  ['declarationIn', (text) => readDeclaration(`a(${text.slice(0, text.length / 160)};`, 'a.c')],
  [
    'evidenceOf',
    (text) =>
      collectEvidence(
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

it.each(READERS)('takes linear time to read hostile texts with %s', (_name, read) => {
  for (const text of HOSTILE_TEXTS) {
    const growth = processorTimeGrowth((length) => read(text(length)), LENGTH);
    expect(growth, JSON.stringify(text(20))).toBeLessThan(LINEAR_GROWTH);
  }
});
