import { expect, it } from 'vitest';
import { PARCELS, read, record, turns } from './__fixtures__/conversations.js';
import { findReplaced } from './find-replaced.js';

const AMENDED = [
  'Amendment to the cutoff rule of the warehouses: the carrier contract changed.',
  'Which hour replaces 16:30 for the islands?',
  'From now on 15:00. Each warehouse still has its own cutoff in its own time zone.',
  'Understood: the islands use 15:00 as cutoff, superseding 16:30. Each warehouse keeps its own cutoff in its own time zone.',
];
const FOCUS = [
  'The search box loses the focus.',
  'Should the focus stay after each key?',
  'Always. The focus must never leave the box while a person types.',
  'Understood: the focus never leaves the box while a person types.',
];

const INVOICES = [
  'Set up the invoice rules.',
  'Which rules apply?',
  'Invoices are always due after 30 days. Reminders must go out every Monday at 9. Late fees never exceed 5 percent.',
  'Understood: invoices are due after 30 days, reminders go out every Monday at 9, late fees never exceed 5 percent.',
  'Right.',
];

/**
 * Returns the ids of the replaced records. The record of `PARCELS` has the id 7, that of `FOCUS` 8, and that of
 * `INVOICES` 9.
 */
function replacedBy(texts: string[]): number[] {
  const conversation = turns(...texts);
  const earlier = [
    { ...record(turns(...PARCELS))!, id: 7 },
    { ...record(turns(...FOCUS))!, id: 8 },
    { ...record(turns(...INVOICES))!, id: 9 },
  ];
  return findReplaced(record(conversation)!, earlier as never);
}

it('replaces the earlier record on the same subject when the user changes the rule', () => {
  expect(replacedBy(AMENDED)).toEqual([7]);
});

it('replaces the earlier record when the new record omits only a reason of the earlier one', () => {
  const parcels = record(turns(...PARCELS))!;
  const reason = { text: 'Customers wrote forty complaints about it last Monday.', origin: 'user' as const };
  const earlier = { ...parcels, id: 7, facts: [...parcels.facts, reason] };
  expect(findReplaced(record(turns(...AMENDED))!, [earlier] as never)).toEqual([7]);
});

it.each([
  [
    'states another rule',
    [
      'From now on every depot sends its parcel labels as PDF, never as ZPL.',
      'Understood: every depot sends its parcel labels as PDF.',
    ],
  ],
  [
    'changes a part of the rule',
    [
      'From now on the islands use 15:00, always.',
      'Understood: the islands use 15:00. The rest of the rule stays.',
    ],
  ],
  [
    'changes one rule and the agent only lists the others',
    [
      'We changed the rule of the invoices: reminders go out every Friday at 9. Which rules do we have?',
      'Invoices are due after 30 days, reminders go out every Monday at 9, late fees never exceed 5 percent. Shall I change the reminders?',
      'Yes, only the reminders: every Friday at 9, never on Monday.',
      'Understood: reminders for invoices go out every Friday at 9.',
    ],
  ],
  [
    'repeats the rule',
    [
      `Update to our rule: ${INVOICES[2]}`,
      'Understood: invoices are due after 30 days, reminders go out every Monday at 9, late fees never exceed 5 percent.',
      'Right.',
    ],
  ],
])('replaces no earlier record when the user %s', (_, texts) => {
  expect(replacedBy(texts)).toEqual([]);
});

it.each([
  ['names the earlier rule', AMENDED, { amends: true, replaces: true }],
  [
    'begins a rule',
    [
      'From now on orders are validated with Zod, never with Joi.',
      'Understood: orders are validated with Zod from now on.',
    ],
    { amends: true, replaces: false },
  ],
  ['states a rule without a change', PARCELS, { amends: false, replaces: false }],
  [
    'denies a change',
    ['We have not changed our mind: parcels of the islands still leave at 16:30, always.', 'Understood.'],
    { replaces: false },
  ],
  [
    'asks for a change',
    ['Did anyone change the rule? Parcels of the islands must leave at 16:30.', 'Understood.'],
    { replaces: false },
  ],
])('determines whether a conversation changes or replaces a rule when the user %s', (_, texts, expected) => {
  expect(read(turns(...texts))).toMatchObject(expected);
});
