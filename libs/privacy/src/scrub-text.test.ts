import { describe, expect, it } from 'vitest';
import { scrubText } from './scrub-text.js';
import { HARMLESS_TEXTS } from './__fixtures__/harmless-texts.js';
import { SECRET_TEXTS } from './__fixtures__/secret-texts.js';

describe('scrubText: secrets', () => {
  it.each(SECRET_TEXTS.map((example) => [example.name, example] as const))('removes %s', (_name, example) => {
    const { text, removed } = scrubText(example.text);
    for (const secret of [example.secret].flat()) expect(text).not.toContain(secret);
    for (const kept of [example.keeps ?? []].flat()) expect(text).toContain(kept);
    expect(removed).toBeGreaterThan(0);
    expect(text).toMatch(/\[redacted:[a-z0-9-]+\]/);
    expect(scrubText(text)).toEqual({ text, removed: 0 });
  });

  it.each(HARMLESS_TEXTS.map((text) => [text] as const))('does not change %s', (text) => {
    expect(scrubText(text)).toEqual({ text, removed: 0 });
  });
});
