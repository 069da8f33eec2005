import { describe, expect, it } from 'vitest';
import { fitTitle } from './fit-title.js';

describe('fitTitle', () => {
  it.each([
    ['The parser skips comments.', 'The parser skips comments'],
    ['Fixed: Added `return nil` after the answer is written', 'Added return nil after the answer is written'],
    [
      'Switched the cart to integer cents, which avoids rounding errors in every total that is shown',
      'Switched the cart to integer cents',
    ],
    [
      'Updated `cart.ts` (was broken since the last release because of floats) to use cents',
      'Updated cart.ts to use cents',
    ],
    ['設定ファイルを更新しました。テストも通ります。', '設定ファイルを更新しました'],
  ])('shortens to a title: %s', (text, title) => {
    expect(fitTitle(text)).toBe(title);
  });

  it('returns null when the title would lose a condition', () => {
    expect(
      fitTitle('The build of the workspace fails, if someone reverts to the old client of theirs'),
    ).toBeNull();
  });

  it('returns null when the sentence has no position at which a title can end', () => {
    expect(fitTitle('The command that prints all totals of all carts of all customers now shows')).toBeNull();
  });

  it('keeps a title of at most ten words', () => {
    expect(fitTitle(Array(40).fill('word').join(' '))).toBeNull();
  });
});

it('does not end a title before the verb of its sentence', () => {
  expect(
    fitTitle('Edits of the user made after the base commit but before the first prompt are never captured'),
  ).toBeNull();
  expect(
    fitTitle('The bug was that when on the main branch all commits of the list were filtered out too early'),
  ).toBeNull();
});

it('ends a title with "only" after its condition', () => {
  const text = 'The line only appears when the folder is created, and hooks show another word in that case';
  expect(fitTitle(text)).toBe('The line only appears when the folder is created');
  expect(
    fitTitle('The check only accepts names, dates of the shop, and numbers of at most eight digits'),
  ).toBeNull();
});

it.each(['From now on we deploy on Fridays only', 'The cache is valid for admins only'])(
  'keeps the limit at the end of a short sentence: %s',
  (text) => expect(fitTitle(`${text}.`)).toBe(text),
);

it('returns null when a cut would remove a limit', () => {
  expect(fitTitle('From now on the whole team deploys every service of the shop on Fridays only')).toBeNull();
});
