import { LINEAR_GROWTH, processorTimeGrowth } from '@claude-mem/core/testing';
import { HOSTILE_TEXTS } from '@claude-mem/evidence/testing';
import { expect, it } from 'vitest';
import { factsOf, PARCELS, read, turns } from './__fixtures__/conversations.js';

it('returns only sentences of the conversation when the agent restates a rule', () => {
  const { statements } = read(turns(...PARCELS));
  expect(statements).not.toEqual([]);
  for (const { text } of statements) expect(PARCELS.join('\n')).toContain(text);
});

it.each([
  [
    'a rule',
    ['20 days', '30 days'],
    [
      'Invoices need a due date rule.',
      'How many days should invoices be due after?',
      'Invoices are always due after 30 days.',
      'Understood: invoices are always due after 30 days.',
      'Actually, from now on invoices are always due after 20 days.',
      'Understood: invoices are due after 20 days.',
    ],
  ],
  [
    'a short answer with its question',
    ['JSON', 'CSV'],
    [
      'Build the export.',
      'Which format should every export have, CSV or JSON?',
      'CSV',
      'Okay.',
      'From now on every export has the format JSON.',
      'Understood: every export is JSON.',
    ],
  ],
])('drops %s when the user replaces it in the same conversation', (_, [current, earlier], texts) => {
  const facts = factsOf(...texts).join(' ');
  expect(facts).toContain(current);
  expect(facts).not.toContain(earlier);
});

const CSV = ['Exports must always be CSV.', 'Understood: exports will always be CSV.'] as const;

it.each([
  'Scratch that.',
  'Wait, scratch that. No format.',
  'Forget what I said.',
  'never mind',
  'Never mind, leave it as it was.',
  'Vergiss es.',
  'Oublie ça.',
  'Olvídalo.',
  'Esquece isso.',
  'Забудь.',
  '算了。',
  '忘れて。',
])('drops the rule of the previous message when the user writes "%s"', (text) => {
  expect(factsOf(...CSV, text, 'Okay.')).toEqual([]);
});

it('drops only the rule of the previous message when the user stated another rule earlier', () => {
  const facts = factsOf(...CSV, 'Imports must always be JSON.', 'Understood.', 'Forget that.', 'Okay.');
  expect(facts).toContain(`user: ${CSV[0]}`);
  expect(facts.join(' ')).not.toContain('JSON');
});

it('records the new rule when the user withdraws the previous rule', () => {
  const offer = `${CSV[1]} Should I add a test?`;
  const facts = factsOf(CSV[0], offer, 'Scratch that. Exports are always JSON.', 'Understood: always JSON.');
  expect(facts.join(' ')).toContain('user: Exports are always JSON.');
  expect(facts.join(' ')).not.toContain('CSV');
});

it.each([
  ['drops the question of the agent', ' Should I add a test?', 'Never mind.'],
  ['drops something else', '', 'Never mind the warning.'],
  ['writes "no matter whether" in German', '', 'Egal, ob es ein Import ist.'],
  ['writes "no matter who" in Russian', '', 'Неважно, кто импортирует.'],
])('keeps the rule of the previous message when the user %s', (_, question, text) => {
  expect(factsOf(CSV[0], `${CSV[1]}${question}`, text, 'Okay.')).toContain(`user: ${CSV[0]}`);
});

it('takes linear time when a conversation repeats hostile texts', () => {
  for (const text of HOSTILE_TEXTS) {
    const conversation = (length: number) => turns(text(length), text(length), text(length), text(length));
    const growth = processorTimeGrowth((length) => read(conversation(length)), 9_000);
    expect(growth, JSON.stringify(text(20))).toBeLessThan(LINEAR_GROWTH);
  }
});
