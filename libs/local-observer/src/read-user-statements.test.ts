import type { ConversationTurn } from '@claude-mem/core';
import { expect, it } from 'vitest';
import { factsOf, record } from './conversation/__fixtures__/conversations.js';

it('keeps the question with a short answer when the agent restates the answer', () => {
  const facts = factsOf(
    'The export to the scale fails for heavy goods.',
    'The driver rounds the weight. In which direction does the scale expect the rounding?',
    'Up.',
    'Weights round up in the driver, as the scale expects. I changed the driver.',
    'Perfect, thanks.',
  );
  expect(facts).toContain('user: “In which direction does the scale expect the rounding?” — Up.');
});

it.each([
  ['repeats no words of one', 'Which currency? Which format?', 'EUR', 'Which currency? Which format?'],
  [
    'could refuse both',
    'Should exports be CSV? Should old files be deleted?',
    'No.',
    'Should exports be CSV? Should old files be deleted?',
  ],
  [
    'repeats words of the first',
    'Which format, CSV or JSON? How many retries?',
    'CSV',
    'Which format, CSV or JSON?',
  ],
  ['cannot answer an offer of work', 'Which currency? Should I also write a test?', 'EUR', 'Which currency?'],
])('assigns a short answer to the questions that it can answer when it %s', (_, questions, answer, kept) => {
  expect(factsOf('Build the export.', questions, answer, 'Done.')).toEqual([`user: “${kept}” — ${answer}`]);
});

it.each([
  ['UTC or local time?', 'UTC'],
  ['Should the dates be in UTC or in local time?', 'local'],
  ['UTC oder Ortszeit?', 'Ortszeit'],
  ['用UTC还是本地时间？', 'UTC'],
])('records the question "%s" with the answer when the user picks "%s"', (question, answer) => {
  const reply = `${answer}: 2026-11-30.`;
  expect(factsOf('Build the export.', question, answer, reply)).toEqual([`user: “${question}” — ${answer}`]);
});

it.each([
  ['Is it broken on staging or on prod?', 'prod'],
  ['Did you see it in Chrome or Firefox?', 'Firefox'],
  ['Should I run the tests now or later?', 'later'],
])('records nothing when the agent asks "%s" and the user answers "%s"', (question, answer) => {
  expect(factsOf('The export hangs.', question, answer, `${answer} has an old version.`)).toEqual([]);
});

it('keeps the question of the last reply when the user sends two messages before the next reply', () => {
  const conversation: ConversationTurn[] = [
    {
      promptNumber: 1,
      prompt: 'Checkout loads 240 kB of scripts.',
      reply: 'Which limit should the check use, and does the chat widget count?',
    },
    { promptNumber: 2, prompt: '170', reply: null },
    { promptNumber: 3, prompt: 'The widget always counts.', reply: 'Added the check with 170 kB.' },
  ];
  expect(record(conversation)?.facts).toContainEqual({
    text: '“Which limit should the check use, and does the chat widget count?” — The widget always counts.',
    origin: 'user',
  });
});

it.each([
  ['Exports must always be CSV.', 'Understood: exports will always be CSV.'],
  ['Never commit directly to main in this repo.', 'Got it. I will always use a branch.'],
  ['We use pnpm here, not npm.', 'Noted, pnpm it is.'],
])('records "%s" when it is the only message of the user and the agent acknowledges it', (rule, reply) => {
  expect(factsOf(rule, reply)).toContain(`user: ${rule}`);
});

it.each([
  ['Use tabs everywhere, never spaces.', 'Understood.'],
  ['Commits müssen immer auf Deutsch sein.', 'Verstanden: Commits schreibe ich auf Deutsch.'],
  ['tests must not use the network', 'ok, noted'],
  ['You must ask before you delete a file.', 'Understood. I will ask first.'],
  ['Our policy is that only admins delete projects.', 'Understood.'],
])('records the rule "%s" when the agent answers "%s"', (rule, reply) => {
  expect(factsOf(rule, reply)).toContain(`user: ${rule}`);
});

it.each([
  [
    'Google always requires two reviewers, apparently.',
    'Understood. Two reviewers it is for them; shall we?',
  ],
  ['The vendor says their API never returns more than 100 rows.', "Understood. I'll keep that in mind."],
  ['The importer always skips the last row.', 'Fixed. The loop ended one row early.'],
  ['Each save must be broken: the file is always written twice.', 'I fixed the second write.'],
  ['Der Import überspringt immer die letzte Zeile.', 'Verstanden. Ich sehe mir die Schleife an.'],
  ['If we ever move to Kubernetes, every service would need a check.', 'Understood. That would take long.'],
])('records no rule when the user writes "%s" and the agent answers "%s"', (report, reply) => {
  expect(factsOf(report, reply)).toEqual([]);
  expect(factsOf('The list is slow.', 'I added an index.', report, reply)).toEqual([]);
});

it('records a sentence when it begins in lower case', () => {
  const facts = factsOf(
    'flags throw when the service is down',
    'I set a maximum age of 24 h for the stored values.',
    "stale beats wrong. no age limit. and delete the yml, if there's nothing on disk it's off",
    'Removed the age check and `flags.yml`.',
  );
  expect(facts.join('\n')).toContain('no age limit.');
});

it('records no program output when the agent asked the user for the output', () => {
  const facts = factsOf(
    'The pod restarts.',
    'Could you run `kubectl logs --previous` and paste the last lines?',
    "KeyError: 'MAIL_HOST', always the same",
    'The variable is missing.',
  );
  expect(facts).toEqual([]);
});

it('records a request when it reverses an earlier decision', () => {
  const reversal = "Let's move the session tokens back to Postgres after all, Redis loses them on restart.";
  const report = 'Moved: the session tokens are in Postgres again.';
  expect(factsOf('Add a health endpoint.', 'Added.', reversal, report)).toEqual([`user: ${reversal}`]);
});

it('records a limit when the agent repeats its number in a language without word lists', () => {
  const limit = 'Każda paczka ma 20 dni na zwrot, licząc od dnia dostawy.';
  const reply = 'Każda paczka ma teraz 20 dni na zwrot.';
  expect(factsOf('Zwroty nie działają.', 'Formularz już działa.', limit, reply)).toContain(`user: ${limit}`);
});

it('records no one-off orders when the agent only repeats their numbers', () => {
  const texts = [1, 2, 3, 4].flatMap((limit) => [`Raise limit ${limit}`, `Limit ${limit} is raised.`]);
  expect(factsOf(...texts)).toEqual([]);
});
