import { createObserverBatch } from '@claude-mem/core/testing';
import { collectEvidence } from '@claude-mem/evidence';
import { edit } from '@claude-mem/evidence/testing';
import { describe, expect, it } from 'vitest';
import { addedComments, describeChange } from './describe-change.js';

function commentsIn(path: string, added: string): string[] {
  const use = {
    toolName: 'Edit',
    input: { file_path: `/home/dev/shop/${path}`, old_string: 'run()', new_string: `${added}\nrun()` },
    response: { filePath: `/home/dev/shop/${path}` },
  };
  return addedComments(collectEvidence(createObserverBatch({ toolUses: [use] })).changes[0]!);
}

describe('describeChange', () => {
  const changeOf = (before: string, after: string) =>
    describeChange(
      collectEvidence(createObserverBatch({ toolUses: [edit('src/a.ts', before, after)] })).changes[0]!,
    );

  it('reports a declaration as replaced when another declaration takes its position', () => {
    expect(changeOf('function statusText() {\n  a();', 'export function StatusText() {\n  a();')).toBe(
      '`src/a.ts` replaces `statusText()` with `StatusText()`',
    );
  });

  it('reports declarations as added and removed when their numbers differ', () => {
    expect(changeOf('function one() {', 'function two() {\n}\nfunction three() {')).toBe(
      '`src/a.ts` adds `two()`, `three()`; removes `one()`',
    );
  });
});

describe('addedComments', () => {
  it.each([
    [
      'an assignment',
      '// fast=false (default): direct commands for production use\n// fast=true: wrapper script',
      'fast=false (default): direct commands for production use; fast=true: wrapper script',
    ],
    [
      'a hyphen',
      '# checks the variables of the shell\n# - MODE is set by the user',
      'checks the variables of the shell; MODE is set by the user',
    ],
    [
      'a capital letter',
      '// rounds totals to cents for the receipt\n// Returns null without items',
      'rounds totals to cents for the receipt; Returns null without items',
    ],
  ])('separates comment lines with a semicolon when the next one starts with %s', (_, added, comment) => {
    expect(commentsIn('a.ts', added)).toEqual([comment]);
  });

  it.each([
    ['in lower case', '// rounds the totals of a cart\n// to cents for the receipt'],
    ['after a comma', '// rounds the totals of a cart,\n// Receipts included, to cents'],
    ['after an article', '// rounds the totals before the\n// Receipt shows them'],
    ['with an acronym', '// rounds all the totals of one\n// VAT rate to cents'],
    ['with a setting', '// rounds the totals of a cart when\n// fast=true is not set'],
    ['with a comparison', '// rounds the totals of a cart when\n// total == 0 is false'],
  ])('joins comment lines with a space when the next one continues the sentence %s', (_, added) => {
    expect(commentsIn('a.ts', added)).toEqual([added.replace(/\n?\/\/ ?/g, ' ').trim()]);
  });

  it('starts another comment after the end of a sentence', () => {
    const added = '// Rounds the totals of a cart to cents.\n// The receipt shows the totals in cents.';
    expect(commentsIn('a.ts', added)).toHaveLength(2);
  });
});
