import { describe, expect, it } from 'vitest';
import { splitSentences } from './split-sentences.js';

describe('splitSentences', () => {
  it.each([
    ['English', 'It failed. Now it works! Does it?', ['It failed.', 'Now it works!', 'Does it?']],
    ['Japanese', '修正しました。テストは通ります。', ['修正しました。', 'テストは通ります。']],
    ['Chinese', '已修复。现在使用缓存！', ['已修复。', '现在使用缓存！']],
    [
      'German',
      'Der Fehler ist weg, z.B. in der Liste. Tests laufen.',
      ['Der Fehler ist weg, z.B. in der Liste.', 'Tests laufen.'],
    ],
    ['Russian', 'Ошибка исправлена. Тесты проходят.', ['Ошибка исправлена.', 'Тесты проходят.']],
  ])('splits %s', (_, text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences);
  });

  it('does not split code, quotations, paths, versions and abbreviations', () => {
    for (const text of [
      'Call `a.b(). c` once',
      'The file src/app.config.ts is new, e.g. for tests',
      'Needs Node 20.19 or later',
      'A remark (see here. And there) ends later',
      'The message is "Payment failed. Try again."',
    ]) {
      expect(splitSentences(text)).toEqual([text]);
    }
  });

  it('ends a sentence at the end of a quotation that ends with a complete sentence', () => {
    expect(splitSentences('It says "Failed. Try again." The retry works.')).toEqual([
      'It says "Failed. Try again."',
      'The retry works.',
    ]);
  });
});
