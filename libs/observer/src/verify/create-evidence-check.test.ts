import { createObserverBatch } from '@claude-mem/core/testing';
import { collectEvidence } from '@claude-mem/evidence';
import { expect, it } from 'vitest';
import { createEvidenceCheck } from './create-evidence-check.js';

const bash = (command: string, more: object = {}) => ({
  toolName: 'Bash',
  input: { command },
  response: { stdout: '' },
  ...more,
});
const batch = createObserverBatch({
  toolUses: [
    { toolName: 'Read', input: { file_path: '/home/dev/shop/src/cart.ts' }, response: 'x' },
    bash('cd src && npm run check -- cart', {
      outcome: 'failed',
      error: 'Exit code 1\nError: expected 10.01 to be 10',
    }),
    bash('git commit -m "Round once"', {
      response: { stdout: '[main 1234abc] Round once\n 1 file changed' },
    }),
    bash('make'),
  ],
});
const isProven = createEvidenceCheck(batch, collectEvidence(batch));

it.each([
  'sum() in src/cart.ts rounds once',
  'sum() is in cart.ts.',
  '`npm run check -- cart` failed',
  'npm run check failed at first',
  'Commit 1234abc rounds once',
  'Commit 1234abcdef0123 rounds once',
  'The check failed with "expected 10.01 to be 10"',
])('accepts %j when the turn contains what the text names', (text) => expect(isProven(text)).toBe(true));

it.each([
  'sum() in lib/cart.ts rounds once',
  'sum() in src/cart.tsx rounds once',
  'sum() in shop.ts rounds once',
  'They make the sum',
  '`npm run build` passed',
  'Commit 9876fed rounds once',
  'Commit 1234abcx rounds once',
  'The check failed with "expected 3 to be 4"',
  'It says "to be"',
  'The sum is rounded once',
])('rejects %j when the turn does not contain what the text names', (text) =>
  expect(isProven(text)).toBe(false),
);
