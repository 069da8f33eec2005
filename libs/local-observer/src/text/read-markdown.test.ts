import { describe, expect, it } from 'vitest';
import { cleanInline, readMarkdown } from './read-markdown.js';

const texts = (markdown: string) => readMarkdown(markdown).map(({ kind, text }) => `${kind}: ${text}`);

describe('readMarkdown', () => {
  it('adds the parent headings and items to each list item', () => {
    const blocks = readMarkdown('## Changes\n\n**Parser:**\n- skips comments\n  - also in strings');
    expect(blocks.map(({ text, under, depth }) => [text, under, depth])).toEqual([
      ['skips comments', ['Changes', 'Parser'], 0],
      ['also in strings', ['Changes', 'Parser', 'skips comments'], 1],
    ]);
  });

  it('joins an item that ends in a colon with the items below it', () => {
    expect(texts('- Sets:\n  - `a: 1`\n  - `b: 2`')).toEqual(['item: Sets: `a: 1`; `b: 2`']);
  });

  it('reads table rows without the header row', () => {
    expect(texts('| Name | Use |\n|---|---|\n| `a` | b |')).toEqual(['row: `a` | Use: b']);
  });

  it('excludes horizontal rules and short lead-ins', () => {
    expect(texts('Done:\n\n---\n\nA text.')).toEqual(['paragraph: A text.']);
  });

  it('reads the lines of a quotation as one block', () => {
    expect(texts('It reads:\n\n> one\n> two\n\nA text.')).toEqual(['quote: one\ntwo', 'paragraph: A text.']);
  });

  it('adds the files of a section to its heading', () => {
    const [item] = readMarkdown('## Fix 1\n**Files**: `a.ts`\n\n- Rounds `total()`');
    expect(item).toMatchObject({ kind: 'item', under: ['Fix 1 (Files: `a.ts`)'] });
  });

  it('ends the section of a lead-in after its block', () => {
    const [, paragraph] = readMarkdown('The chain is:\n```\na → b\n```\nNo cycle.');
    expect(paragraph).toMatchObject({ text: 'No cycle.', under: [] });
  });
});

describe('cleanInline', () => {
  it('removes emphasis and decoration and does not change code', () => {
    expect(cleanInline('✅ **Fixed** the `$&=***` and *this* snake_case_name')).toBe(
      'Fixed the `$&=***` and this snake_case_name',
    );
  });

  it('returns the file of a link to a file', () => {
    expect(
      cleanInline('[release.yml](.github/workflows/release.yml:40) and [docs](https://example.org/x)'),
    ).toBe('`.github/workflows/release.yml:40` and docs');
  });
});
