import { describe, expect, it } from 'vitest';
import { coverage, promptsOf, ruleWords } from './sde-bench.js';

describe('ruleWords', () => {
  it('returns long words and numbers in lower case when the bug report lacks them', () => {
    const policy =
      'Retry 5xx plus exactly {429,408}; max 4 attempts; ROUND_HALF_DOWN; retry after 30s, crc32';
    const bugReport = 'The client makes 4 attempts. A retryable call waits.';
    expect(ruleWords({ policy, bugReport })).toEqual(['retry', '5', '429', '408', 'round_half_down', '30']);
  });
});

describe('coverage', () => {
  it('counts a word when another word begins with it, and not when it is inside of a word or number', () => {
    expect(coverage(['tomb'], 'Tombstones')).toBe(1);
    expect(coverage(['stone', '30', '32', '7'], 'tombstones, 430, 30s, crc32, 783')).toBe(1 / 4);
  });

  it('ignores a number when it is the id, date, time or token count of a record', () => {
    expect(coverage(['12', '30', '45', '9'], '| #12 | 2026-11-30 | 10:45 | title | ~9 |')).toBe(0);
  });
});

describe('promptsOf', () => {
  it('takes the last answer before the next prompt, and null when no answer follows', () => {
    const turns = [
      { role: 'assistant', text: 'Hello' },
      { role: 'user', text: 'Why?' },
      { role: 'assistant', text: 'Wait' },
      { role: 'assistant', text: 'Because' },
      { role: 'user', text: 'Thanks' },
    ] as const;
    expect(promptsOf({ id: '1', turns })).toEqual([
      { prompt: 'Why?', answer: 'Because' },
      { prompt: 'Thanks', answer: null },
    ]);
  });
});
