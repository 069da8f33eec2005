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
])('%s is found as %s', (word, stem) => {
  expect(stemWord(word)).toBe(stem);
  expect(stemWord(word)).toBe(stem);
});

it('gives the same when more words were seen than it remembers', () => {
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
])('R12: %s has every word of the query %s', (text, query) => {
  expect(wordsOf(text)).toEqual(expect.arrayContaining([...wordsOf(query)]));
});
