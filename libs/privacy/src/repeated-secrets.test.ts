import { expect, it } from 'vitest';
import { listRemovedValues, removeValues } from './repeated-secrets.js';
import { scrubText } from './scrub-text.js';

/** Scrubs a text, then a later text of the same session. */
const later = (first: string, second: string) =>
  removeValues(second, listRemovedValues(first, scrubText(first).text)).text;

it('removes private text from later texts only where it is a complete word', () => {
  expect(later('Never mention <private>Contoso</private>.', 'Contoso uses ContosoPay.')).toBe(
    '[redacted:secret] uses ContosoPay.',
  );
});

it.each(['<private>    </private>', '<private>a   </private>', '<private>main</private>'])(
  'removes nothing from later texts after %s',
  (first) => {
    expect(later(first, 'The domain is in src/main.ts')).toBe('The domain is in src/main.ts');
  },
);
