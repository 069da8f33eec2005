import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@claude-mem/core';
import { boundJson } from './bound-json.js';

const bytes = (value: JsonValue) => Buffer.byteLength(JSON.stringify(value));
const base64 = (length: number) =>
  'iVBORw0KGgo' + 'kP7+aQ/zB3xW9d'.repeat(Math.ceil(length / 14)).slice(0, length - 11);

describe('boundJson', () => {
  it('keeps a small value unchanged', () => {
    const value = { a: ['x', 1, null, true], b: { c: 'y' } };
    expect(boundJson(value)).toEqual(value);
  });

  it.each<[string, JsonValue, string]>([
    [
      'a model block',
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64(800_000) } },
      '[image png, 600 kB]',
    ],
    [
      'a tool result',
      { type: 'image', data: base64(800_000), mimeType: 'image/jpeg' },
      '[image jpeg, 600 kB]',
    ],
    [
      'a file read',
      { type: 'image', file: { base64: base64(4_000_000), type: 'image/webp', originalSize: 3_000_000 } },
      '[image webp, 3.0 MB]',
    ],
    [
      'a document',
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: base64(8_000) } },
      '[document pdf, 6 kB]',
    ],
    ['inline data', { inlineData: { mimeType: 'image/png', data: base64(8_000) } }, '[image png, 6 kB]'],
    [
      'one letter',
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(800_000) } },
      '[image png, 600 kB]',
    ],
    ['text of bytes', base64(800_000), '[image png, 600 kB]'],
    ['an address', `see data:image/gif;base64,${base64(8_000)} here`, 'see [image gif, 6 kB] here'],
  ])('B063: replaces images with their type and size: %s', (_name, value, expected) => {
    expect(boundJson({ content: [value] })).toEqual({ content: [expected] });
  });

  it('keeps the beginning and the end of long text', () => {
    const bounded = boundJson(`first ${'long text '.repeat(100_000)}last`) as string;
    expect(bounded.length).toBeLessThan(17_000);
    expect(bounded).toMatch(/^first .*left out.* last$|^first [\s\S]*last$/);
  });

  it.each<[string, JsonValue]>([
    ['many long strings', Array.from({ length: 500 }, (_, index) => `${index} `.repeat(5_000))],
    [
      'many keys',
      Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key ${index}`, 'v'.repeat(300)])),
    ],
    [
      'huge keys',
      Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${index}${'k'.repeat(50_000)}`, 1])),
    ],
    [
      'wide and deep',
      Array.from({ length: 100 }, () =>
        Array.from({ length: 100 }, () => Array.from({ length: 20 }, () => 'text '.repeat(20))),
      ),
    ],
    ['wide characters', Array.from({ length: 200 }, () => '漢字🎉'.repeat(4_000))],
    ['control characters', '\u0001'.repeat(500_000)],
  ])('limits the size of the result: %s', (_name, value) => {
    for (const maxBytes of [65_536, 4_096, 300, 40, 4])
      expect(bytes(boundJson(value, { maxBytes })), String(maxBytes)).toBeLessThanOrEqual(maxBytes);
    expect(bytes(boundJson(value))).toBeLessThanOrEqual(65_536);
    expect(JSON.stringify(boundJson(value)).isWellFormed()).toBe(true);
  });

  it('B059: keeps the key __proto__ as data without changing a prototype', () => {
    const bounded = boundJson(JSON.parse('{"__proto__":{"isAdmin":true}}') as JsonValue);
    expect(Object.getPrototypeOf(bounded)).toBe(Object.prototype);
    expect(JSON.stringify(bounded)).toBe('{"__proto__":{"isAdmin":true}}');
  });
});
