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

it('files that a session touched together are believed where words are not sure', () => {
  expect(trustFiles(sessionsWith({ 18: 1 }, 0.5))).toBe(1);
});

it('files that no session touched together are not', () => {
  expect(trustFiles(sessionsWith({ 0: 0.6, 1: 0.33, 2: 0.33 }, 0.5))).toBe(0);
  expect(trustFiles(sessionsWith({ 0: 0.8 }, 0.5))).toBeCloseTo(0.5);
});

it('where words are sure, files count only if they lead to the same sessions', () => {
  expect(trustFiles(sessionsWith({ 0: 1 }, -0.5))).toBe(1);
  expect(trustFiles(sessionsWith({ 18: 1, 19: 1 }, -0.5))).toBe(0);
  expect(trustFiles(sessionsWith({ 0: 0.3, 1: 0.3, 19: 1 }, -0.5))).toBe(0);
  // The seventh session has 0.55 of the best score.
  expect(trustFiles(sessionsWith({ 6: 0.97, 19: 1 }, -0.425))).toBeCloseTo(0.445);
});

it('a few sessions say nothing against the files', () => {
  expect(
    trustFiles([
      { words: 1, files: 0 },
      { words: 0, files: 1 },
    ]),
  ).toBe(1);
});

it('without files there is nothing to believe', () => {
  expect(trustFiles(sessionsWith({}, 0.5))).toBe(0);
  expect(trustFiles([])).toBe(0);
});
