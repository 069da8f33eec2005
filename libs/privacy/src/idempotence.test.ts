import { describe, expect, it } from 'vitest';
import { SECRET_TEXTS } from './__fixtures__/secret-texts.js';
import { scrubJson } from './scrub-json.js';
import { scrubText } from './scrub-text.js';

const glue = [
  '',
  ' ',
  '\n',
  '"',
  "'",
  '=',
  ': ',
  '; ',
  ', ',
  '\\n',
  '\\"',
  '{',
  '}',
  '<',
  '&',
  '?',
  '/',
  '@',
  '`',
  'password=',
  'token: ',
  'Authorization: ',
  '<private>',
  '</private>',
  '[redacted:',
  ']',
];

describe('scrubbing twice', () => {
  it('changes nothing in scrubbed text for random and truncated combinations of secrets', () => {
    let seed = 23;
    const next = (limit: number) => (seed = (seed * 48_271) % 2_147_483_647) % limit;
    const piece = () => {
      const { text } = SECRET_TEXTS[next(SECRET_TEXTS.length)] ?? { text: '' };
      const from = next(3) === 0 ? next(text.length) : 0;
      return text.slice(from, from + 1 + next(text.length));
    };
    for (let round = 0; round < 4_000; round += 1) {
      const text = Array.from({ length: 1 + next(6) }, () =>
        next(2) === 0 ? piece() : (glue[next(glue.length)] ?? ''),
      ).join('');
      const once = scrubText(text).text;
      expect(scrubText(once), JSON.stringify(text)).toEqual({ text: once, removed: 0 });
    }
  }, 60_000);

  it('changes nothing in scrubbed JSON, also inside a JSON string', () => {
    for (const { text, secret } of SECRET_TEXTS) {
      for (const input of [
        { output: text },
        [JSON.stringify({ output: text })],
        { a: JSON.stringify({ b: JSON.stringify([text]) }) },
      ]) {
        const { value } = scrubJson(input);
        for (const part of [secret].flat())
          expect(JSON.stringify(value), JSON.stringify(input)).not.toContain(part);
        expect(scrubJson(value)).toEqual({ value, removed: 0 });
      }
    }
  });
});
