import { expect, it } from 'vitest';
import { trustFiles, type SessionEvidence } from './trust-files.js';

/**
 * Twenty sessions ordered by words, with scores from 1 down to `least`. The sessions at the given positions touched
 * the files.
 */
function sessionsWith(touched: Readonly<Record<number, number>>, least: number): SessionEvidence[] {
  return Array.from({ length: 20 }, (_, place) => ({
    words: 1 - ((1 - least) * place) / 19,
    files: touched[place] ?? 0,
  }));
}

it('trusts the files that one session used together when scores by words are close', () => {
  expect(trustFiles(sessionsWith({ 18: 1 }, 0.5))).toBe(1);
});

it('does not trust the files when no session used them together', () => {
  expect(trustFiles(sessionsWith({ 0: 0.6, 1: 0.33, 2: 0.33 }, 0.5))).toBe(0);
  expect(trustFiles(sessionsWith({ 0: 0.8 }, 0.5))).toBeCloseTo(0.5);
});

it('trusts the files when scores by words are clear only if both prefer the same sessions', () => {
  expect(trustFiles(sessionsWith({ 0: 1 }, -0.5))).toBe(1);
  expect(trustFiles(sessionsWith({ 18: 1, 19: 1 }, -0.5))).toBe(0);
  expect(trustFiles(sessionsWith({ 0: 0.3, 1: 0.3, 19: 1 }, -0.5))).toBe(0);
  // The seventh session has 0.55 of the best score.
  expect(trustFiles(sessionsWith({ 6: 0.97, 19: 1 }, -0.425))).toBeCloseTo(0.445);
});

it('trusts the files when there are only a few sessions', () => {
  expect(
    trustFiles([
      { words: 1, files: 0 },
      { words: 0, files: 1 },
    ]),
  ).toBe(1);
});

it('returns 0 when there are no files', () => {
  expect(trustFiles(sessionsWith({}, 0.5))).toBe(0);
  expect(trustFiles([])).toBe(0);
});
