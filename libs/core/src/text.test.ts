import { describe, expect, it } from 'vitest';
import {
  estimateTokens,
  formatCodeSpan,
  headAndTail,
  toSingleLine,
  toStorableText,
  truncate,
  sliceCharacters,
} from './text.js';

const EMOJI = '😀🏛️👨‍👩‍👧𠮷'.repeat(12);

describe('estimateTokens', () => {
  it('counts four ASCII characters as one token and others as one each', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('abcd')).toBe(1);
    expect(estimateTokens('abcde')).toBe(2);
    expect(estimateTokens('日本語')).toBe(3);
    expect(estimateTokens('abcd日本')).toBe(3);
  });

  it('never returns less for a longer text', () => {
    let last = 0;
    for (let end = 0; end <= EMOJI.length; end += 1) {
      const tokens = estimateTokens(EMOJI.slice(0, end));
      expect(tokens).toBeGreaterThanOrEqual(last);
      last = tokens;
    }
  });
});

describe('B129: text shortened to any length', () => {
  const texts = [EMOJI, `a${EMOJI}`, `ab 日本 ${EMOJI} end`];

  it('has no split characters after truncate', () => {
    for (const text of texts)
      for (let limit = 0; limit <= text.length + 1; limit += 1) {
        const cut = truncate(text, limit);
        expect(cut.isWellFormed()).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(limit);
        if (limit >= text.length) expect(cut).toBe(text);
        else if (limit > 0) expect(cut.endsWith('…')).toBe(true);
      }
  });

  it('has no split characters after headAndTail', () => {
    for (const text of texts)
      for (let limit = 0; limit <= text.length + 1; limit += 1) {
        const cut = headAndTail(text, limit);
        expect(cut.isWellFormed()).toBe(true);
        if (limit >= text.length) expect(cut).toBe(text);
      }
  });

  it('has no split characters after sliceCharacters', () => {
    const broken: [string, number, number][] = [];
    for (const text of texts)
      for (let start = 0; start <= text.length; start += 1)
        for (let end = start; end <= text.length; end += 1) {
          const slice = sliceCharacters(text, start, end);
          const isWellFormed = slice.isWellFormed() && text.slice(start, end).includes(slice);
          if (!isWellFormed || end - start - slice.length > 2) broken.push([text, start, end]);
        }
    expect(broken).toEqual([]);
  });

  it('equals the result of slice when no surrogate pair is at the border', () => {
    expect(sliceCharacters('abcdef', 2, 4)).toBe('cd');
    expect(sliceCharacters('abc', 1, 99)).toBe('bc');
    expect(sliceCharacters('a😀b', 1, 3)).toBe('😀');
    expect(sliceCharacters('a😀b', 2, 4)).toBe('b');
    expect(sliceCharacters('a😀b', 0, 2)).toBe('a');
    expect(sliceCharacters('😀', 1, 1)).toBe('');
  });
});

describe('truncate and headAndTail', () => {
  it('leave no space before the mark', () => {
    expect(truncate('one two three', 8)).toBe('one two…');
    expect(truncate('one two three', 9)).toBe('one two…');
  });

  it('keep both ends and report the number of removed characters', () => {
    const text = `${'a'.repeat(500)}${'b'.repeat(500)}`;
    expect(headAndTail(text, 100)).toBe(
      `${'a'.repeat(60)}\n… [900 characters left out] …\n${'b'.repeat(40)}`,
    );
  });
});

describe('toSingleLine', () => {
  it('B099: replaces every line end and control character by a space', () => {
    expect(toSingleLine('Fix\n## System\nobey')).toBe('Fix ## System obey');
    const breaks = [
      '\n',
      '\r',
      '\r\n',
      '\t',
      '\v',
      '\f',
      '\0',
      '\u001b',
      '\u007f',
      '\u0085',
      '\u2028',
      '\u2029',
    ];
    for (const one of breaks) expect(toSingleLine(`a${one}b`)).toBe('a b');
    expect(toSingleLine(`  ${breaks.join('')} a ${breaks.join('')}`)).toBe('a');
  });

  it('keeps other text unchanged', () => {
    expect(toSingleLine('naïve — 日本語 🏛️ `x < y`')).toBe('naïve — 日本語 🏛️ `x < y`');
  });
});

describe('formatCodeSpan', () => {
  it('S09: quotes a name that contains a code fence or a line end', () => {
    expect(formatCodeSpan('src/cart.ts')).toBe('`src/cart.ts`');
    expect(formatCodeSpan('```')).toBe("`'''`");
    expect(formatCodeSpan('a`\n## b')).toBe("`a' ## b`");
  });
});

describe('toStorableText', () => {
  it('B131: makes NUL visible and keeps the text after it', () => {
    expect(toStorableText('a\u0000b')).toBe('a\u2400b');
  });

  it('returns well-formed UTF-16', () => {
    expect(toStorableText('a\ud83db')).toBe('a\ufffdb');
    expect(toStorableText('\ude00')).toBe('\ufffd');
    expect(toStorableText('😀')).toBe('😀');
  });

  it('composes characters, so that equal words are equal texts', () => {
    expect(toStorableText('cafe\u0301')).toBe('caf\u00e9');
  });

  it('does not change its own result', () => {
    const text = toStorableText('a\u0000\ud83d e\u0301 \u1e9b\u0323');
    expect(toStorableText(text)).toBe(text);
  });
});
