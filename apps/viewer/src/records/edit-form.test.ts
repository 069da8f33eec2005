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
  it('holds only the fields that differ', () => {
    expect(changesOf(before, form)).toEqual({});
    expect(changesOf(before, { ...form, title: ' New ', facts: 'one\n\n two \nthree' })).toEqual({
      title: 'New',
      facts: ['one', 'two', 'three'],
    });
  });

  it('takes blanks at the ends and empty lines for no change', () => {
    expect(changesOf(before, { ...form, title: 'Old ', facts: 'one\n\ntwo\n' })).toEqual({});
  });

  it('empties a text to null and a list to none', () => {
    expect(changesOf(before, { ...form, title: '', filesRead: ' ' })).toEqual({ title: null, filesRead: [] });
  });
});

describe('problemsOf', () => {
  it('is empty for what can be stored as it is', () => {
    expect(problemsOf(form)).toEqual({});
  });

  it('names fields that would be cut or dropped', () => {
    const long = { ...form, title: 'x'.repeat(303), facts: 'ok\n'.repeat(51), concepts: 'y'.repeat(101) };
    expect(problemsOf(long)).toEqual({
      title: 'Title: 3 characters too long, 300 are kept.',
      facts: 'Facts: 51 lines, 50 are kept.',
      concepts: 'Concepts: entry 1 is longer than 100 characters.',
    });
  });

  it('demands that something is said', () => {
    expect(problemsOf({ ...form, title: ' ', narrative: '', facts: '\n', type: '' })).toEqual({
      type: 'Type: give one, for example discovery.',
      title: 'Give a title, a narrative or a fact.',
    });
  });
});

describe('conflictsOf', () => {
  it('is of fields that both changed, to something else', () => {
    const now = { ...before, title: 'Theirs', subtitle: 'Theirs', narrative: 'Same' };
    const mine = { ...form, title: 'Mine', narrative: 'Same', concepts: 'gotcha' };
    expect(conflictsOf(before, { now, form: mine })).toEqual(['title']);
  });
});

describe('carryOver', () => {
  const now = { ...before, title: 'Theirs', subtitle: 'Theirs' };
  const mine = { ...form, title: 'Mine', concepts: 'gotcha' };

  it('keeps what was changed here over what is there now', () => {
    expect(carryOver(before, { now, form: mine })).toEqual({
      ...toForm(now),
      title: 'Mine',
      concepts: 'gotcha',
    });
  });

  it('gives way where it should', () => {
    expect(carryOver(before, { now, form: mine, theirs: ['title'] })).toEqual({
      ...toForm(now),
      concepts: 'gotcha',
    });
  });
});
