import { expect, it } from 'vitest';
import { stemWord } from './stem-word.js';
import { wordsOf } from './words-of.js';

it.each([
  ['connections', 'connect'],
  ['caching', 'cach'],
  ['internationalization', 'internation'],
  ['is', 'is'],
  ['utf8', 'utf8'],
  ['größe', 'größe'],
  ['', ''],
  ['округления', 'округлен'],
  ['ваучеров', 'ваучер'],
  ['новый', 'нов'],
  ['пользователей', 'пользовател'],
  ['χρηστησ', 'χρηστ'],
  ['σφαλματα', 'σφαλμ'],
  ['versionа', 'versionа'],
])('returns the stem of %s: %s', (word, stem) => {
  expect(stemWord(word)).toBe(stem);
  expect(stemWord(word)).toBe(stem);
});

it('returns the same stem after more words than the cache holds', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  for (let number = 0; number < 25_000; number += 1)
    stemWord(
      Array.from(String(number), (digit) => letters[Number(digit)])
        .join('')
        .padStart(6, 'k'),
    );
  expect(stemWord('connections')).toBe('connect');
});

it.each([
  ['Исправлена ошибка округления суммы ваучера в корзине', 'округление ваучеров'],
  ['Исправлена ошибка округления суммы ваучера в корзине', 'ОШИБКИ КОРЗИНЫ'],
  ['Новый счётчик', 'новые счетчики'],
  ['Σφάλμα σύνδεσης χρήστη διορθώθηκε', 'ΧΡΉΣΤΗΣ'],
  ['Σφάλμα σύνδεσης χρήστη διορθώθηκε', 'σφάλματα'],
])('R12: finds in "%s" every word of the query %s', (text, query) => {
  expect(wordsOf(text)).toEqual(expect.arrayContaining([...wordsOf(query)]));
});
