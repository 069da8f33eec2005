import { LINEAR_GROWTH, processorTimeGrowth } from '@claude-mem/core/testing';
import { HOSTILE_TEXTS } from '@claude-mem/evidence/testing';
import { expect, it } from 'vitest';
import { factsOf, PARCELS, read, turns } from './__fixtures__/conversations.js';

it('returns only sentences of the conversation when the agent restates a rule', () => {
  const { statements } = read(turns(...PARCELS));
  expect(statements).not.toEqual([]);
  for (const { text } of statements) expect(PARCELS.join('\n')).toContain(text);
});

it('drops a rule when the user replaces it in the same conversation', () => {
  const facts = factsOf(
    'Invoices need a due date rule.',
    'How many days should invoices be due after?',
    'Invoices are always due after 30 days.',
    'Understood: invoices are always due after 30 days.',
    'Actually, from now on invoices are always due after 20 days.',
    'Understood: invoices are due after 20 days.',
  );
  expect(facts.join(' ')).toContain('20 days');
  expect(facts.join(' ')).not.toContain('30 days');
});

it('takes linear time when a conversation repeats hostile texts', () => {
  for (const text of HOSTILE_TEXTS) {
    const conversation = (length: number) => turns(text(length), text(length), text(length), text(length));
    const growth = processorTimeGrowth((length) => read(conversation(length)), 9_000);
    expect(growth, JSON.stringify(text(20))).toBeLessThan(LINEAR_GROWTH);
  }
});
