import { toFacts } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { analyzeRecord } from './analyze-record.js';
import { scanText } from './scan-text.js';
import { wordsOf } from './words-of.js';

/** Formats words as they are, parts with `·`, compounds in brackets, and pieces in parentheses. */
function scanned(text: string): string {
  const found: string[] = [];
  scanText(text, {
    word: (term, isPart) => found.push(isPart ? `${term}·` : term),
    compound: (term) => found.push(`[${term}]`),
    piece: (term) => found.push(`(${term})`),
  });
  return found.join(' ');
}

it.each([
  ['words and their forms', 'Running the runs of a Runner', 'run the run of a runner'],
  [
    'endings behind an apostrophe',
    "don't stop the user's APIs, it’s o'brien",
    'dont stop the user api it [obrien] o· brien·',
  ],
  ['identifiers', 'user_id userId user-id', '[userid] user· id· [userid] user· id· [userid] user· id·'],
  ['humps', 'parseHTTPResponse URLs', '[parsehttprespons] pars· http· respons· url'],
  ['a number in a name', 'python3 utf8', 'python3 (python) utf8 (utf)'],
  ['paths', 'see src/api/router.ts:42', 'see [src/api/router.ts] src· api· [router.ts] router· ts· 42'],
  ['paths of Windows', 'C:\\Users\\x.ts', 'c [users/x.ts] user· [x.ts] x· ts·'],
  ['versions and decimals', '1.2.3 and 38.101', '[1.2.3] 1· 2· 3· and [38.101] 38· 101·'],
  ['units, options, keys', 'GB/s --flag foo:bar', '[gb/s] gb· s· flag foo bar'],
  ['signs that are part of a name', 'C++, C# and 100% (not 100)', 'c++ (c) c# (c) and 100% (100) not 100'],
  ['signs that are not', '# heading sum+b 5 % - +', 'head sum b 5'],
  ['a URL', 'https://a.example/d?e=f', 'http [a.example/d] [a.example] a· exampl· d· e f'],
  ['emoji, in parts and with their colour left out', 'ok 👩‍💻🎉 👍🏽', 'ok 👩 💻 🎉 👍'],
  ['flags', '🇩🇪🇫🇷', '🇩🇪 🇫🇷'],
  ['compatibility forms', 'ＡＢＣ ﬁle ㎡', 'abc file m2'],
  ['signs without width', 'pass\u200bword \ufeffbom soft\u00adhyphen', 'password bom softhyphen'],
  ['nothing', '"\'*()[]{}<>!?', ''],
])('finds %s', (_, text, expected) => {
  expect(scanned(text)).toBe(expected);
});

describe('text in scripts without spaces', () => {
  it('B128: is split into pairs of characters and single characters', () => {
    expect(wordsOf('修复了用户')).toEqual(['修复', '复了', '了用', '用户']);
    expect(scanned('用户')).toBe('用户 (用) (户)');
    expect(scanned('锁')).toBe('锁');
  });

  it('B128: shares pairs with a phrase from the same sentence and none with another phrase', () => {
    const stored = new Set(wordsOf('修复了用户身份验证模块'));
    expect(wordsOf('用户身份').every((pair) => stored.has(pair))).toBe(true);
    expect(wordsOf('数据库连接').some((pair) => stored.has(pair))).toBe(false);
  });

  it('ends where another script begins', () => {
    expect(scanned('修复userId的API를')).toBe('修复 (修) (复) [userid] user· id· 的 api 를');
  });

  it('keeps vowel marks with their base character', () => {
    expect(wordsOf('สวัสดี')).toEqual(['สวั', 'วัส', 'สดี']);
  });

  it('is not split inside a surrogate pair', () => {
    expect(wordsOf('𠮷野家')).toEqual(['𠮷野', '野家']);
  });
});

describe('normalization of text', () => {
  it('B130: returns the same words for composed and decomposed characters', () => {
    for (const text of ['café', 'Ångström', 'ガギグ', '한국어', 'Ёж'])
      expect(wordsOf(text.normalize('NFD'))).toEqual(wordsOf(text.normalize('NFC')));
    expect(wordsOf('café')).toEqual(['cafe']);
  });

  it('folds case, accents and letters without a decomposition', () => {
    expect(wordsOf('STRASSE İSTANBUL Łódź Ærø ΣΊΣΥΦΟΣ')).toEqual(
      wordsOf('straße istanbul lodz aero σισυφος'),
    );
  });

  it('keeps marks that distinguish letters in scripts other than Latin', () => {
    expect(wordsOf('か')).not.toEqual(wordsOf('が'));
    expect(wordsOf('हिन्दी')).toEqual(['हिन्दी']);
  });

  it('B131: separates words at a zero byte and at its stored replacement', () => {
    expect(wordsOf('left\u0000right')).toEqual(['left', 'right']);
    expect(wordsOf('left\u2400right')).toEqual(['left', 'right']);
  });

  it('separates words at an unpaired surrogate', () => {
    expect(wordsOf('ab\ud800cd \udc00 ef')).toEqual(['ab', 'cd', 'ef']);
  });
});

describe('scanning long text', () => {
  it('cuts a long run of letters to the same short term at any length', () => {
    const [word] = wordsOf('x'.repeat(10_000));
    expect(word).toHaveLength(64);
    expect(wordsOf(`${'x'.repeat(20_000)} y`)[0]).toBe(word);
    expect(wordsOf(`aB${'𝕏é'.repeat(5_000)}`).every((term) => term.isWellFormed())).toBe(true);
  });

  it('keeps every term within the maximum length of a path', () => {
    const found: string[] = [];
    const keep = (term: string) => found.push(term);
    for (const text of ['a/', 'a-', 'a.', 'aB', "a'", 'a_B.c/', '修', 'क\u093e', 'a::', '9%'])
      scanText(text.repeat(3_000), { word: keep, compound: keep, piece: keep });
    expect(Math.max(...found.map(({ length }) => length))).toBeLessThanOrEqual(512);
  });

  it('completes for texts of about one million characters', () => {
    for (const unit of ['a/', 'a-', 'aB', "a'", 'क\u093e', 'a\u0301', '::a', '修'])
      expect(wordsOf(unit.repeat(500_000)).length, unit).toBeGreaterThan(0);
  });
});

it('returns the words of a record by field and excludes file and concept markers from field lengths', () => {
  const { lengths, terms, words } = analyzeRecord({
    kind: 'observation',
    type: 'bugfix',
    title: 'Retry fixed',
    subtitle: null,
    narrative: 'The retry of userId',
    facts: toFacts(['one', 'two words'], null),
    concepts: ['gotcha', 'bugfix'],
    filesRead: ['src/a.ts'],
    filesModified: [],
  });
  expect(lengths).toEqual([2, 5, 3, 3, 3]);
  expect(words.narrative).toEqual(['the', 'retri', 'of', 'user', 'id']);
  expect(terms.get('retri')).toEqual([1, 1, 0, 0, 0]);
  expect(terms.get('userid')).toEqual([0, 1, 0, 0, 0]);
  expect(terms.get('#gotcha')).toEqual([0, 0, 0, 1, 0]);
  expect(terms.get('bugfix')).toEqual([0, 0, 0, 2, 0]);
  expect(terms.get('#bugfix')).toEqual([0, 0, 0, 1, 0]);
  expect(terms.get('/src/a.ts')).toEqual([0, 0, 0, 0, 1]);
  expect(terms.get('a.ts')).toEqual([0, 0, 0, 0, 1]);
});

it('returns the words of summaries and prompts by field', () => {
  expect(analyzeRecord({ kind: 'prompt', promptText: 'Why does it fail?' }).words.narrative).toEqual([
    'why',
    'doe',
    'it',
    'fail',
  ]);
  const summary = analyzeRecord({
    kind: 'summary',
    request: 'Fix login',
    investigated: null,
    learned: 'tokens expire',
    completed: null,
    nextSteps: 'ship',
    filesRead: [],
    filesEdited: ['b.ts'],
    notes: null,
  });
  expect(summary.lengths).toEqual([2, 3, 0, 0, 2]);
});
