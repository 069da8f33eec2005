import { expect, it } from 'vitest';
import { factsOf, PARCELS, read, turns } from './conversation/__fixtures__/conversations.js';

it.each([
  ['agreed', 'accepts it', PARCELS],
  ['agent', 'has not replied', PARCELS.slice(0, 4)],
])('records a restatement with the origin "%s" when the user %s', (origin, _, texts) => {
  expect(factsOf(...texts)).toContain(`${origin}: ${PARCELS[3]}`);
});

const NEW_CLAUSE = ', and reminders go out every Monday.';

it.each([
  ['agreed', 'the user accepts it', NEW_CLAUSE, '', 'Right.'],
  ['agent', 'the user accepts an offer of work', NEW_CLAUSE, ' Shall I add a test?', 'Yes.'],
  ['agent', 'the user states another rule', NEW_CLAUSE, '', 'Good, the currency stays EUR.'],
  ['agreed', 'the user accepts an offer and the clause is not new', '.', ' Shall I add a test?', 'Yes.'],
])('records a restatement with a new clause as "%s" when %s', (origin, _, clause, offer, answer) => {
  const restatement = `Understood: invoices are always due after 30 days${clause}`;
  const facts = factsOf(
    'The invoices need a rule.',
    'How many days until an invoice is due?',
    '30 days, always.',
    `${restatement}${offer}`,
    answer,
  );
  expect(facts).toContain(`${origin}: ${restatement}`);
});

it('records limits of the user and the list of the agent that repeats them', () => {
  const facts = factsOf(
    'Please add masking of mail addresses to the logs. The first character and the domain stay visible. It applies to all levels, debug as well.',
    "I've added a formatter. Which bank details should be masked?",
    'Only the last four digits of an account number stay.',
    "Done. Summary of what is in now:\n\n- mail addresses: the first character and the domain stay visible\n- account numbers: the last four digits\n\nOlder files aren't touched.",
    'Perfect.',
  );
  expect(facts).toEqual([
    'user: The first character and the domain stay visible.',
    'user: It applies to all levels, debug as well.',
    'user: “Which bank details should be masked?” — Only the last four digits of an account number stay.',
    'agreed: mail addresses: the first character and the domain stay visible',
    'agreed: account numbers: the last four digits',
  ]);
});

it('drops a restatement when the user refuses it', () => {
  const { statements } = read(
    turns(
      'Two users get the same coupon.',
      'I will hash the user id alone, always. Understood: coupons are drawn per user id.',
      'No, that is wrong. The hash must always be user id and campaign, joined by a colon.',
      'Got it: the hash is user id and campaign, joined by a colon.',
    ),
  );
  expect(statements.filter(({ origin }) => origin !== 'user').map(({ text }) => text)).toEqual([
    'Got it: the hash is user id and campaign, joined by a colon.',
  ]);
});
