import { expect, it } from 'vitest';
import { maskVendorText } from './mask-vendor-text.js';

it.each([
  ['invalid x-api-key', 'invalid x-api-key'],
  ['Incorrect API key provided: my-very-own-key. Sorry.', 'Incorrect API key provided: [key]. Sorry.'],
  ['key sk-ant-api03-AbC_d-0123456789 is bad', 'key [key] is bad'],
  ['Incorrect API key provided: sk-proj-********************wxyz.', 'Incorrect API key provided: [key]'],
  ['key AIzaSyA-1234567890abcdefghijklmnopq was not found', 'key [key] was not found'],
  ['sent Authorization: Bearer abc.def.ghi', 'sent Authorization: [key]'],
  ['the key eyJhbGciOi.eyJzdWIiOiIx.c2lnbmF0dXJl', 'the key [key]'],
  ['two\nlines\tand \u0007 a bell', 'two lines and a bell'],
  ['the model claude-haiku-5-5 is a task-runner', 'the model claude-haiku-5-5 is a task-runner'],
])('masks %s as %s', (text, masked) => {
  expect(maskVendorText(text, ['my-very-own-key', ''])).toBe(masked);
});

it('masks keys before it shortens the text to 200 characters', () => {
  const text = maskVendorText(`${'x '.repeat(95)}sk-ant-api03-AbCd0123456789${'y'.repeat(300)}`);
  expect(text.length).toBeLessThanOrEqual(200);
  expect(text).not.toContain('sk-ant');
});
