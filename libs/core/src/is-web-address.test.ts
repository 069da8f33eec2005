import { expect, it } from 'vitest';
import { isWebAddress } from './is-web-address.js';

it.each([
  ['https://api.example.com', true],
  ['http://127.0.0.1:11434/v1/', true],
  ['http://[::1]:8080', true],
  ['HTTPS://EXAMPLE.COM', true],
  ['', false],
  ['example.com', false],
  ['http//example.com', false],
  ['http://127.0.0.1:99999', false],
  ['file:///etc/passwd', false],
  ['http://me:secret@example.com', false],
  ['http://me@example.com', false],
  ['http://example.com/?a=b', false],
  ['http://example.com/#c', false],
])('returns for the address %s: %s', (text, expected) => {
  expect(isWebAddress(text)).toBe(expected);
});
