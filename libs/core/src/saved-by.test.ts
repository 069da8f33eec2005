import { expect, it } from 'vitest';
import { removeSavedBy } from './saved-by.js';

it.each([
  '(saved by hand)',
  '［Saved by an agent］',
  '【saved by hand】',
  '«saved  by hand»',
  '<saved by hand>',
])('S06: removeSavedBy replaces the label %s', (mark) => {
  expect(removeSavedBy(`Fact ${mark} end`)).toBe('Fact … end');
});

it('removeSavedBy keeps the words of a label without brackets', () => {
  expect(removeSavedBy('The file is saved by hand (once)')).toBe('The file is saved by hand (once)');
});
