import { expect, it } from 'vitest';
import { factsOf, PARCELS, record, turns } from './__fixtures__/conversations.js';

it('records the decision of the user and the restatement of the agent when a conversation has no tool calls', () => {
  const draft = record(turns(...PARCELS));
  expect(draft).toMatchObject({ type: 'decision', filesModified: [] });
  expect(draft?.narrative).toContain('Parcels to the islands are delivered a day late');
  expect(factsOf(...PARCELS)).toEqual(
    expect.arrayContaining([
      'user: No. Each warehouse keeps its own cutoff in its own time zone, never a shared one.',
      `agreed: ${PARCELS[3]}`,
    ]),
  );
});

it('removes the opening word from the title when a restatement is the main statement', () => {
  expect(record(turns(...PARCELS))?.title).not.toMatch(/^Understood/);
});

it('names the record after the final rule when the user changes a rule in the same conversation', () => {
  const draft = record(
    turns(
      'Customs papers go through two brokers.',
      'Which broker should always get them?',
      'Always Alpha, never Beta.',
      'Understood: customs papers always go to Alpha.',
      'No, wait. Always Beta, never Alpha.',
      'Understood: customs papers always go to Beta.',
    ),
  );
  expect(draft?.title).toContain('Beta');
});

it.each([
  [
    'questions about existing code',
    [
      'How does the importer treat duplicates? Is it always by name?',
      'It compares the name and the date. The decision was made two years ago.',
      'Ah, makes sense. And what happens if the date is missing?',
      'Then it must never be imported.',
      'Good to know. Is that tested anywhere?',
      'Yes, in the importer tests.',
    ],
  ],
  [
    'a request and its report',
    ['Add a button for the export.', 'Added the button. All tests pass.', 'Great, thanks!'],
  ],
  ['small talk', ['hi', 'Hello! How can I help?', 'just looking around', 'Fine.']],
  [
    'a pasted review',
    [
      'Please address this review feedback:\n\nThe parser must never accept an empty name. Every field should always be validated by default.',
      'Done.',
    ],
  ],
  [
    'a text to translate',
    [
      'Translate to German: "Never share your password. Always log out when you leave."',
      'Teilen Sie nie Ihr Passwort. Melden Sie sich immer ab.',
    ],
  ],
  [
    'a text to write down',
    [
      "Write a README section: 'Always run the tests before you push. Never commit to main.'",
      'Done. I added the section.',
    ],
  ],
  ['an order with the number of a ticket', ['Bug 17 please', 'Done, bug 17 is fixed.']],
  ['an order for one commit', ['For this commit only, never run the linter.', 'Done.']],
  [
    'a ticket that speaks of nobody',
    [
      'The checkout must always show the tax. The total should never be rounded by default. All amounts are decided by the pricing service and every time a voucher is used the total must be computed again.',
      'I changed the checkout.',
    ],
  ],
])('records nothing when a conversation contains only %s', (_, texts) => {
  expect(record(turns(...texts))).toBeNull();
});
