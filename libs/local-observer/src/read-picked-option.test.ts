import { expect, it } from 'vitest';
import { factsOf } from './conversation/__fixtures__/conversations.js';

it.each([
  ['B.', 'Token bucket per tenant with 60 requests'],
  ['Option b, but with a cap of 40.', 'Token bucket per tenant with 60 requests'],
  ['the second one', 'Token bucket per tenant with 60 requests'],
  ['Die zweite.', 'Token bucket per tenant with 60 requests'],
  ['a and b', 'Fixed window per IP; Token bucket per tenant with 60 requests'],
])('keeps the text of the option when the user answers "%s"', (answer, option) => {
  const facts = factsOf(
    'We need a rate limit for the API.',
    'There are two options:\n\nA. Fixed window per IP\nB. **Token bucket** per tenant with 60 requests\n\nWhich one?',
    answer,
    'Understood, I will implement it.',
  );
  expect(facts).toEqual([`user: “${option}” — ${answer}`]);
});

it.each(['1.5 seconds at most.', '2-day window.', 'Нам хватит 2.', '2 and a half hours.', '2 every day.'])(
  'keeps no option when the user answers "%s"',
  (answer) => {
    const options = 'Two ways:\n\n1. Fixed window per IP\n2. Token bucket per tenant';
    const facts = factsOf('We need a rate limit for the API.', options, answer, 'Okay.');
    expect(facts.join(' ')).not.toMatch(/Fixed window|Token bucket/);
  },
);

const OPTIONS = 'Options:\n\n1. Redis\n2. Postgres';

it.each([
  [
    'a message has two lists',
    ['Which?', `${OPTIONS}\n\nNext steps:\n\n1. Write it\n2. Delete the table`, '2', 'ok'],
    /Delete|Postgres/,
  ],
  [
    'the user answers a later question',
    ['Which?', OPTIONS, 'looks fine', 'Done. How many retries do you want?', '2', 'ok'],
    /Postgres/,
  ],
  [
    'an answer begins with an article',
    [
      'How do we test this?',
      'A. A unit test\nB. A browser test\n\nWhat do you prefer?',
      'A dedicated test is what I prefer.',
      'Understood.',
    ],
    /A unit test/,
  ],
])('keeps no option when %s', (_, texts, option) => {
  expect(factsOf(...texts).join(' ')).not.toMatch(option);
});

it('keeps the text of the alternative when the agent names two in a sentence', () => {
  const facts = factsOf(
    'Flags disappear when the service is down.',
    'I see two directions: update the file each night, or persist the last values and use these.',
    'second',
    'Done.',
  );
  expect(facts).toEqual(['user: “persist the last values and use these.” — second']);
});

it('keeps the text of the option when more sentences of the user follow the choice', () => {
  const facts = factsOf(
    'The reset form shows who has an account.',
    '**Option 1 – rate limit.** Keep the 404.\n\n**Option 2 – uniform answer.** Always 204 and the same text.\n\nWhich one?',
    '2, and signup has the same hole so do that there as well. A known address gets a mail, nothing on the page.',
    'Done for both endpoints.',
  );
  expect(facts).toEqual([
    'user: “uniform answer. Always 204 and the same text.” — 2, and signup has the same hole so do that there as well.',
    'user: A known address gets a mail, nothing on the page.',
  ]);
});

it('keeps the text of the option when the user asks a question before the choice', () => {
  const facts = factsOf(
    'The first users after a deploy wait for four seconds.',
    'Two ways:\n\n**Option 1: soft purge.** Pages refresh on demand.\n\n**Option 2: warm-up.** A script requests the URLs with five hits.\n\nI lean towards the second.',
    'how many pods do we have?',
    'Four, and twelve during campaigns.',
    'Option 2, but with a cap of 40.',
    "It's in `deploy/warm.py` now.",
  );
  expect(facts).toEqual([
    'user: “warm-up. A script requests the URLs with five hits.” — Option 2, but with a cap of 40.',
  ]);
});

it('keeps the question of each answer when the user numbers the answers as the agent numbered its questions', () => {
  const facts = factsOf(
    'Build the summary endpoint for venues.',
    'Two questions:\n\n1. **Time zone.** Is a day in UTC or in the zone of the venue?\n2. **Late hours.** Until which hour does the evening count?',
    '1 venue\n2 4',
    'Thanks. The window is computed once.',
  );
  expect(facts).toEqual([
    'user: “Time zone. Is a day in UTC or in the zone of the venue?” — venue',
    'user: “Late hours. Until which hour does the evening count?” — 4',
  ]);
});
