import { describe, expect, it } from 'vitest';
import { excerptOf, markTerms } from './mark-terms.js';

const marked = (text: string, terms: string[]) =>
  markTerms(text, terms)
    .map(({ text: part, isMarked }) => (isMarked ? `[${part}]` : part))
    .join('');

describe('markTerms', () => {
  it('marks words that begin with a term, ignoring case', () => {
    expect(marked('Timeouts of the queue time out', ['timeout', 'queue'])).toBe(
      '[Timeouts] of the [queue] time out',
    );
  });

  it('does not mark a term inside a word', () => {
    expect(marked('reload the loader', ['load'])).toBe('reload the [loader]');
    expect(marked('𝒳load 1load', ['load'])).toBe('𝒳load 1load');
    expect(marked('ab cd', ['b cd', 'cd'])).toBe('ab [cd]');
  });

  it('marks the longer term when two terms begin alike', () => {
    expect(marked('tokens', ['to', 'token'])).toBe('[tokens]');
  });

  it('marks a term at any position in scripts without spaces', () => {
    expect(marked('数据库锁定', ['据库'])).toBe('数[据库]锁定');
  });

  it('treats a term as text, not as a pattern', () => {
    expect(marked('a.b (c+d) a-b', ['(c+d', 'a-b', 'a.b'])).toBe('[a.b] [(c+d]) [a-b]');
  });

  it('returns every character of the text, including HTML', () => {
    const text = '<img src=x onerror=alert(1)> & "><script>';
    expect(
      markTerms(text, ['script', 'img', '$&'])
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });

  it('returns a text without matching terms as one part', () => {
    expect(markTerms('', [])).toEqual([{ text: '', isMarked: false }]);
    expect(markTerms('words', [' '])).toEqual([{ text: 'words', isMarked: false }]);
  });
});

describe('excerptOf', () => {
  it('returns a short text unchanged', () => {
    expect(excerptOf('short', ['short'], 10)).toBe('short');
  });

  it('returns the part of a long text around the first term', () => {
    const text = `${'word '.repeat(100)}needle ${'word '.repeat(100)}`;
    const excerpt = excerptOf(text, ['needle'], 120);
    expect(excerpt).toContain('needle');
    expect(excerpt.length).toBeLessThanOrEqual(122);
    expect(excerpt.startsWith('…word')).toBe(true);
    expect(excerpt.endsWith('…')).toBe(true);
  });

  it('returns the part around the term when no space precedes it', () => {
    expect(excerptOf(`${'数'.repeat(300)}据库${'锁'.repeat(300)}`, ['据库'], 120)).toContain('据库');
    expect(excerptOf(`${'x'.repeat(300)}-needle and more`, ['needle'], 120)).toContain('needle');
  });

  it('returns the beginning when the text contains no term', () => {
    expect(excerptOf('abcdefghij '.repeat(20), ['none'], 20)).toBe('abcdefghij abcdefghi…');
  });
});
