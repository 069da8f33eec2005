import { expect, it } from 'vitest';
import { factsOf } from './__fixtures__/conversations.js';

const QUEUE = [
  'Which queue should we use for the mails?',
  'There are two ways. I recommend a table in Postgres, because it needs no new server. Mails older than 24 hours are dropped. Shall we go with that?',
];

it('records a proposal as agreed when the user accepts it with one word', () => {
  expect(factsOf(...QUEUE, 'Yes.', 'Okay, I will create the table.')).toEqual([
    'agreed: I recommend a table in Postgres, because it needs no new server.',
    'agreed: Mails older than 24 hours are dropped.',
  ]);
});

it('records no proposal when the user has not replied', () => {
  expect(factsOf(...QUEUE)).toEqual([]);
});

it('keeps the proposal with the answer when the user accepts it with a change', () => {
  const facts = factsOf(
    'How should we deliver webhooks?',
    'I recommend retrying failed webhooks with a backoff. Shall we go with that?',
    'Yes, but only 3 times.',
    'Done: failed webhooks are tried 3 times.',
  );
  expect(facts).toContain(
    'user: “I recommend retrying failed webhooks with a backoff.” — Yes, but only 3 times.',
  );
});

it.each([
  ['Should every export be CSV from now on?', 'Yes.'],
  ['Should the tests always run in CI?', 'Yes please'],
  ['Soll ab jetzt jeder Export CSV sein?', 'Ja'],
])('records "%s" as agreed when the user answers "%s"', (question, answer) => {
  const facts = factsOf('Build the export.', `Done. ${question}`, answer, 'Okay.');
  expect(facts).toEqual([`agreed: “${question}” — ${answer}`]);
});

it.each([
  ['Should I add a test?', 'Yes.'],
  ['Is the server always on UTC?', 'Yes.'],
  ['Should every export be CSV from now on?', 'Maybe.'],
  ['Should every export be CSV from now on?', 'No.'],
])('records nothing as agreed when the agent asks "%s" and the user answers "%s"', (question, answer) => {
  expect(factsOf('Build the export.', `Done. ${question}`, answer, 'Okay.')).toEqual([]);
});

it.each([
  'Okay, I disagree.',
  'Great, yet another server to run. Not happening.',
  'Yes. No, wait, no Redis.',
  'Do it with Memcached instead.',
  'Sure, if the team agrees.',
  'Passt nicht.',
])('records no proposal as agreed when the user answers "%s"', (answer) => {
  const proposal = 'I recommend Redis with a lifetime of 60 s for all pages. Does that work?';
  expect(factsOf('How do we cache?', proposal, answer, 'Okay.').join(' ')).not.toContain('agreed');
});

it.each([
  [
    'the question is about something else',
    'I suggest Redis with a lifetime of 60 s. Is the right Docker image already on the server?',
    'Yes.',
  ],
  [
    'the user only allows the agent to begin',
    "The pages are rendered each time. I'd suggest caching them. Want me to do that?",
    'Yes please.',
  ],
])('records no proposal when %s', (_, proposal, answer) => {
  expect(factsOf('The pages are slow.', proposal, answer, 'Done, the pages take 20 ms.')).toEqual([]);
});

it.each(['No.', 'Close the issue please.', 'Stop the dev server.'])(
  'keeps an accepted proposal when the user answers the offer of more work with "%s"',
  (last) => {
    const facts = factsOf(...QUEUE, 'Yes.', 'Added. Should I also write a test?', last, 'Okay.');
    expect(facts.join(' ')).toContain('a table in Postgres');
  },
);

it.each([
  ['keeps', 'thanks for the work', 'Thanks.', true],
  ['drops', 'takes the consent back', 'Scratch that. Use RabbitMQ.', false],
])('%s the accepted proposal when the user %s in the next turn', (_, __, last, isKept) => {
  const facts = factsOf(...QUEUE, 'Yes.', 'Okay, I will create the table.', last, 'Understood.');
  expect(facts.join(' ').includes('a table in Postgres')).toBe(isKept);
});
