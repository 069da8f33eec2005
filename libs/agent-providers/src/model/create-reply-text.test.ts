import { expect, it } from 'vitest';
import { createReplyText } from './create-reply-text.js';

it('accepts parts up to its limit, and reports when the limit is reached', () => {
  const text = createReplyText(10);
  expect(text.add('12345')).toBe(true);
  expect(text.add('67890')).toBe(true);
  expect([text.isCut, String(text)]).toEqual([false, '1234567890']);
  expect(text.add('x')).toBe(false);
  expect(text.add('y')).toBe(false);
  expect([text.isCut, String(text)]).toEqual([true, '1234567890']);
});

it('joins the halves of a character, and never ends with one', () => {
  const text = createReplyText(3);
  for (const piece of ['a\ud83d', '\ude00', '\ud83d', '\ude00']) text.add(piece);
  expect(String(text)).toBe('a😀');
  const half = createReplyText();
  half.add('b\ud83d');
  expect(String(half)).toBe('b\ufffd');
  const cut = createReplyText(2);
  cut.add('a😀');
  expect(String(cut)).toBe('a');
});
