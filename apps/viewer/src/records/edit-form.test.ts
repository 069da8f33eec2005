import { toFacts } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { carryOver, changesOf, conflictsOf, problemsOf, toForm } from './edit-form.js';
import { observationOf } from './testing/observation-of.js';

const before = observationOf({
  id: 1,
  title: 'Old',
  facts: toFacts(['one', 'two'], 'agent'),
  filesRead: ['src/a.ts'],
});
const form = toForm(before);

describe('changesOf', () => {
  it('returns only the changed fields', () => {
    expect(changesOf(before, form)).toEqual({});
    expect(changesOf(before, { ...form, title: ' New ', facts: 'one\n\n two \nthree' })).toEqual({
      title: 'New',
      facts: ['one', 'two', 'three'],
    });
  });

  it('ignores surrounding blanks and empty lines', () => {
    expect(changesOf(before, { ...form, title: 'Old ', facts: 'one\n\ntwo\n' })).toEqual({});
  });

  it('returns null for an emptied text and an empty list for an emptied list', () => {
    expect(changesOf(before, { ...form, title: '', filesRead: ' ' })).toEqual({ title: null, filesRead: [] });
  });
});

describe('problemsOf', () => {
  it('returns no problem when every field can be stored unchanged', () => {
    expect(problemsOf(form)).toEqual({});
  });

  it('returns the fields that exceed a limit', () => {
    const long = { ...form, title: 'x'.repeat(303), facts: 'ok\n'.repeat(51), concepts: 'y'.repeat(101) };
    expect(problemsOf(long)).toEqual({
      title: 'Title: 3 characters too long (maximum 300).',
      facts: 'Facts: 51 lines (maximum 50).',
      concepts: 'Concepts: entry 1 is longer than 100 characters.',
    });
  });

  it('requires a type, and a title, a narrative or a fact', () => {
    expect(problemsOf({ ...form, title: ' ', narrative: '', facts: '\n', type: '' })).toEqual({
      type: 'Type: enter one, for example discovery.',
      title: 'Enter a title, a narrative or a fact.',
    });
  });
});

describe('conflictsOf', () => {
  it('returns only fields that both sides changed to different values', () => {
    const now = { ...before, title: 'Theirs', subtitle: 'Theirs', narrative: 'Same' };
    const mine = { ...form, title: 'Mine', narrative: 'Same', concepts: 'gotcha' };
    expect(conflictsOf(before, { now, form: mine })).toEqual(['title']);
  });
});

describe('carryOver', () => {
  const now = { ...before, title: 'Theirs', subtitle: 'Theirs' };
  const mine = { ...form, title: 'Mine', concepts: 'gotcha' };

  it('keeps the changes of the form over the stored values', () => {
    expect(carryOver(before, { now, form: mine })).toEqual({
      ...toForm(now),
      title: 'Mine',
      concepts: 'gotcha',
    });
  });

  it('uses the stored value for fields in which the other change wins', () => {
    expect(carryOver(before, { now, form: mine, theirs: ['title'] })).toEqual({
      ...toForm(now),
      concepts: 'gotcha',
    });
  });
});
