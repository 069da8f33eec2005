import type { ConversationTurn } from '@claude-mem/core';
import { LINEAR_GROWTH, processorTimeGrowth } from '@claude-mem/core/testing';
import { finish } from '@claude-mem/evidence';
import { HOSTILE_TEXTS } from '@claude-mem/evidence/testing';
import { expect, it } from 'vitest';
import { chooseStatements } from './choose-statements.js';
import { draftConversationRecord } from './draft-conversation-record.js';
import { findReplaced } from './find-replaced.js';
import { statementSteps } from './read-statements.js';

const session = {
  id: 1,
  host: 'claude-code',
  contentSessionId: 's',
  project: 'shop',
  projectRoot: '/home/me/shop',
  goal: null,
  memorySessionId: null,
} as const;

/** Prompt and reply by turns. */
const turns = (...texts: string[]): ConversationTurn[] =>
  Array.from({ length: Math.ceil(texts.length / 2) }, (_, index) => ({
    promptNumber: index + 1,
    prompt: texts[index * 2]!,
    reply: texts[index * 2 + 1] ?? null,
  }));
const read = (conversation: ConversationTurn[]) => finish(statementSteps(conversation));
const record = (conversation: ConversationTurn[]) =>
  draftConversationRecord(read(conversation), { conversation, session });
const textsOf = (draft: ReturnType<typeof record>) => (draft?.facts ?? []).map(({ text }) => text);

const PARCELS = turns(
  'Parcels to the islands are delivered a day late since Monday, customers complain.',
  'The cutoff is read in UTC. I will move the cutoff to 18:00 for all warehouses. Should every warehouse use the same hour?',
  'No. Each warehouse keeps its own cutoff in its own time zone, never a shared one. The carrier contract names 16:30 for the islands.',
  'Understood: each warehouse has its own cutoff in its own time zone, and the islands use 16:30 as in the carrier contract.',
  'Right.',
);

it('records what the user decided and what the agent restated when a conversation has no tool calls', () => {
  const draft = record(PARCELS);
  expect(draft).toMatchObject({ type: 'decision', filesModified: [] });
  expect(draft?.facts).toEqual(
    expect.arrayContaining([
      {
        text: 'No. Each warehouse keeps its own cutoff in its own time zone, never a shared one.',
        origin: 'user',
      },
      {
        text: 'Understood: each warehouse has its own cutoff in its own time zone, and the islands use 16:30 as in the carrier contract.',
        origin: 'agreed',
      },
    ]),
  );
  expect(draft?.title).not.toMatch(/^Understood/);
  expect(draft?.narrative).toContain('Parcels to the islands are delivered a day late');
});

it('marks a restatement as agreed only when the user accepted it', () => {
  const originOf = (conversation: ConversationTurn[]) =>
    record(conversation)?.facts.find(({ text }) => text.startsWith('Understood'))?.origin;
  expect(originOf(PARCELS)).toBe('agreed');
  expect(originOf(PARCELS.slice(0, 2))).toBe('agent');
});

it('keeps the question with a short answer when the answer was restated', () => {
  const conversation = turns(
    'The export to the scale fails for heavy goods.',
    'The driver rounds the weight. In which direction does the scale expect the rounding?',
    'Up.',
    'Weights round up in the driver, as the scale expects. I changed the driver.',
    'Perfect, thanks.',
  );
  expect(textsOf(record(conversation))).toContain(
    '“In which direction does the scale expect the rounding?” — Up.',
  );
});

it.each([
  [
    'de',
    turns(
      'Die Rechnungen weichen um einen Cent ab.',
      'Die Rundung ist kaufmännisch. Soll ich pro Position oder auf die Summe runden?',
      'Pro Position, immer. Die Summe darf nicht noch einmal gerundet werden.',
      'Verstanden: gerundet wird pro Position, die Summe wird nicht noch einmal gerundet.',
      'Genau.',
    ),
    'Die Summe darf nicht noch einmal gerundet werden.',
  ],
  [
    'fr',
    turns(
      'Les factures diffèrent de un centime.',
      'Faut-il arrondir chaque ligne ou le total ?',
      'Chaque ligne, toujours. Le total ne doit jamais être arrondi une seconde fois.',
      'Compris : arrondir chaque ligne, le total jamais une seconde fois.',
      'Exactement.',
    ),
    'Le total ne doit jamais être arrondi une seconde fois.',
  ],
  [
    'es',
    turns(
      'Las facturas difieren en un céntimo.',
      '¿Redondeo cada línea o el total?',
      'Cada línea, siempre. El total nunca debe redondearse otra vez.',
      'Entendido: redondear cada línea, el total nunca otra vez.',
      'Exacto.',
    ),
    'El total nunca debe redondearse otra vez.',
  ],
  [
    'pt',
    turns(
      'As faturas diferem em um centavo.',
      'Devo arredondar cada linha ou o total?',
      'Cada linha, sempre. O total nunca deve ser arredondado outra vez.',
      'Entendido: arredondar cada linha, o total nunca outra vez.',
      'Exato.',
    ),
    'O total nunca deve ser arredondado outra vez.',
  ],
  [
    'ru',
    turns(
      'Счета расходятся на одну копейку.',
      'Округлять каждую строку или итог?',
      'Каждую строку, всегда. Итог никогда нельзя округлять второй раз.',
      'Понял: округлять каждую строку, итог никогда второй раз.',
      'Верно.',
    ),
    'Итог никогда нельзя округлять второй раз.',
  ],
  [
    'zh',
    turns(
      '发票金额相差一分钱。',
      '应该对每一行四舍五入，还是对总额四舍五入？',
      '对每一行。总额不得再次四舍五入，必须保持各行之和。',
      '明白：对每一行四舍五入，总额不得再次四舍五入，保持各行之和。',
      '对。',
    ),
    '总额不得再次四舍五入，必须保持各行之和。',
  ],
  [
    'ja',
    turns(
      '請求書が一円ずれています。',
      '各行を丸めますか、それとも合計を丸めますか？',
      '各行です。合計は絶対に再び丸めてはいけない、各行の和にしてください。',
      '承知しました。各行を丸め、合計は再び丸めず、各行の和にします。',
      'はい。',
    ),
    '合計は絶対に再び丸めてはいけない、各行の和にしてください。',
  ],
  [
    'a language without word lists',
    turns(
      'Faktury różnią się o jeden grosz.',
      'Zaokrąglać każdą pozycję czy sumę faktury?',
      'Każdą pozycję faktury osobno, suma faktury bez zaokrąglania.',
      'Każdą pozycję faktury zaokrąglam osobno, suma faktury zostaje bez zaokrąglania.',
    ),
    'Każdą pozycję faktury osobno, suma faktury bez zaokrąglania.',
  ],
])('records a decision in %s', (_, conversation, expected) => {
  expect(textsOf(record(conversation)).join('\n')).toContain(expected);
});

it.each([
  [
    'questions about existing code',
    turns(
      'How does the importer treat duplicates? Is it always by name?',
      'It compares the name and the date. The decision was made two years ago.',
      'Ah, makes sense. And what happens if the date is missing?',
      'Then it must never be imported.',
      'Good to know. Is that tested anywhere?',
      'Yes, in the importer tests.',
    ),
  ],
  [
    'a request and its report',
    turns('Add a button for the export.', 'Added the button. All tests pass.', 'Great, thanks!'),
  ],
  ['small talk', turns('hi', 'Hello! How can I help?', 'just looking around', 'Fine.')],
  [
    'a pasted review',
    turns(
      'Please address this review feedback:\n\nThe parser must never accept an empty name. Every field should always be validated by default.',
      'Done.',
    ),
  ],
  [
    'a text to translate',
    turns(
      'Translate to German: "Never share your password. Always log out when you leave."',
      'Teilen Sie nie Ihr Passwort. Melden Sie sich immer ab.',
    ),
  ],
  [
    'a text to write down',
    turns(
      "Write a README section: 'Always run the tests before you push. Never commit to main.'",
      'Done. I added the section.',
    ),
  ],
  ['an order with the number of a ticket', turns('Bug 17 please', 'Done, bug 17 is fixed.')],
  ['an order for one commit', turns('For this commit only, never run the linter.', 'Done.')],
  [
    'a ticket that speaks of nobody',
    turns(
      'The checkout must always show the tax. The total should never be rounded by default. All amounts are decided by the pricing service and every time a voucher is used the total must be computed again.',
      'I changed the checkout.',
    ),
  ],
])('records nothing for %s', (_, conversation) => {
  expect(record(conversation)).toBeNull();
});

it('does not record a proposal of the agent that the user refused', () => {
  const conversation = turns(
    'Two users get the same coupon.',
    'I will hash the user id alone, always. Understood: coupons are drawn per user id.',
    'No, that is wrong. The hash must always be user id and campaign, joined by a colon.',
    'Got it: the hash is user id and campaign, joined by a colon.',
  );
  const { statements } = read(conversation);
  expect(statements.filter(({ origin }) => origin !== 'user').map(({ text }) => text)).toEqual([
    'Got it: the hash is user id and campaign, joined by a colon.',
  ]);
});

it('contains only sentences of the conversation', () => {
  const all = PARCELS.map(({ prompt, reply }) => `${prompt}\n${reply ?? ''}`).join('\n');
  const { statements } = read(PARCELS);
  expect(statements).not.toEqual([]);
  for (const { text } of statements) expect(all).toContain(text);
});

const AMENDED = turns(
  'Amendment to the cutoff rule of the warehouses: the carrier contract changed.',
  'Which hour replaces 16:30 for the islands?',
  'From now on 15:00. Each warehouse still has its own cutoff in its own time zone.',
  'Understood: the islands use 15:00 as cutoff, superseding 16:30. Each warehouse keeps its own cutoff in its own time zone.',
);

it('replaces the earlier record on the same subject when the user changes the rule', () => {
  const amended = record(AMENDED)!;
  expect(read(AMENDED).amends).toBe(true);
  const parcels = { ...record(PARCELS)!, id: 7 };
  const other = {
    ...record(
      turns(
        'The search box loses the focus.',
        'Should the focus stay after each key?',
        'Always. The focus must never leave the box while a person types.',
        'Understood: the focus never leaves the box while a person types.',
      ),
    )!,
    id: 8,
  };
  expect(findReplaced(amended, AMENDED, [parcels, other] as never)).toEqual([7]);
  expect(read(PARCELS).amends).toBe(false);
});

it.each([
  ['names the earlier rule', AMENDED, true],
  [
    'begins a rule',
    turns(
      'From now on orders are validated with Zod, never with Joi.',
      'Understood: orders are validated with Zod from now on.',
    ),
    false,
  ],
])('replaces an earlier rule only when a conversation names one: %s', (_, conversation, replaces) => {
  expect(read(conversation)).toMatchObject({ amends: true, replaces });
});

it.each([
  [
    'states another rule',
    turns(
      'From now on every depot sends its parcel labels as PDF, never as ZPL.',
      'Understood: every depot sends its parcel labels as PDF.',
    ),
  ],
  [
    'changes a part of the rule',
    turns(
      'From now on the islands use 15:00, always.',
      'Understood: the islands use 15:00. The rest of the rule stays.',
    ),
  ],
])('replaces no earlier record when a conversation %s', (_, conversation) => {
  const parcels = { ...record(PARCELS)!, id: 7 };
  expect(read(conversation).amends).toBe(true);
  expect(findReplaced(record(conversation)!, conversation, [parcels] as never)).toEqual([]);
});

it('names the record after the rule that holds when the user changed it in the same conversation', () => {
  const conversation = turns(
    'Customs papers go through two brokers.',
    'Which broker should always get them?',
    'Always Alpha, never Beta.',
    'Understood: customs papers always go to Alpha.',
    'No, wait. Always Beta, never Alpha.',
    'Understood: customs papers always go to Beta.',
  );
  expect(record(conversation)?.title).toContain('Beta');
});

const originsOf = (conversation: ConversationTurn[]) =>
  (record(conversation)?.facts ?? []).map(({ text, origin }) => `${origin}: ${text}`);

it('records a proposal as agreed when the user accepts it with one word', () => {
  const conversation = turns(
    'Which queue should we use for the mails?',
    'There are two ways. I recommend a table in Postgres, because it needs no new server. Mails older than 24 hours are dropped. Shall we go with that?',
    'Yes.',
    'Okay, I will create the table.',
  );
  expect(originsOf(conversation)).toEqual([
    'agreed: I recommend a table in Postgres, because it needs no new server.',
    'agreed: Mails older than 24 hours are dropped.',
  ]);
  expect(originsOf(conversation.slice(0, 1))).toEqual([]);
});

it('keeps the proposal with the answer when the user accepts it with a change', () => {
  const conversation = turns(
    'How should we deliver webhooks?',
    'I recommend retrying failed webhooks with a backoff. Shall we go with that?',
    'Yes, but only 3 times.',
    'Done: failed webhooks are tried 3 times.',
  );
  expect(originsOf(conversation)).toContain(
    'user: “I recommend retrying failed webhooks with a backoff.” — Yes, but only 3 times.',
  );
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
  const conversation = turns('How do we cache?', proposal, answer, 'Okay.');
  expect(originsOf(conversation).join(' ')).not.toContain('agreed');
});

it('records no proposal as agreed when the question is about something else', () => {
  const conversation = turns(
    'How do we cache?',
    'I suggest Redis with a lifetime of 60 s. Is the right Docker image already on the server?',
    'Yes.',
    'Good.',
  );
  expect(originsOf(conversation)).toEqual([]);
});

it('keeps no option when a message has two lists, or the user answers a later question', () => {
  const options = 'Options:\n\n1. Redis\n2. Postgres';
  const twoLists = turns(
    'Which?',
    `${options}\n\nNext steps:\n\n1. Write it\n2. Delete the table`,
    '2',
    'ok',
  );
  expect(originsOf(twoLists).join(' ')).not.toMatch(/Delete|Postgres/);
  const later = turns('Which?', options, 'looks fine', 'Done. How many retries do you want?', '2', 'ok');
  expect(originsOf(later).join(' ')).not.toContain('Postgres');
});

it.each([
  'We have not changed our mind: parcels of the islands still leave at 16:30, always.',
  'Did anyone change the rule? Parcels of the islands must leave at 16:30.',
])('replaces nothing when the user says "%s"', (text) => {
  expect(read(turns(text, 'Understood.')).replaces).toBe(false);
});

it('keeps an accepted proposal when the user declines an offer or gives an order', () => {
  const conversation = (last: string) =>
    turns(
      'Which queue should we use?',
      'I recommend a table in Postgres, because it needs no new server. Shall we go with that?',
      'Yes.',
      'Added. Should I also write a test?',
      last,
      'Okay.',
    );
  for (const last of ['No.', 'Close the issue please.', 'Stop the dev server.'])
    expect(originsOf(conversation(last)).join(' '), last).toContain('a table in Postgres');
});

it('drops an accepted proposal when the user takes the consent back in the next turn', () => {
  const conversation = (last: string) =>
    turns(
      'Which queue should we use for the mails?',
      'I recommend a table in Postgres, because it needs no new server. Shall we go with that?',
      'Yes.',
      'Okay, I will create the table.',
      last,
      'Understood.',
    );
  expect(originsOf(conversation('Thanks.')).join(' ')).toContain('a table in Postgres');
  expect(originsOf(conversation('Scratch that. Use RabbitMQ.')).join(' ')).not.toContain('Postgres');
});

it('records no proposal when the user only allows the agent to begin', () => {
  const conversation = turns(
    'The tests are slow.',
    "The fixtures are rebuilt each time. I'd suggest caching them. Want me to do that?",
    'Yes please.',
    'Done, the suite takes 20 s.',
  );
  expect(originsOf(conversation)).toEqual([]);
});

it.each([
  ['B.', 'Token bucket per tenant with 60 requests'],
  ['Option b, but with a cap of 40.', 'Token bucket per tenant with 60 requests'],
  ['the second one', 'Token bucket per tenant with 60 requests'],
  ['Die zweite.', 'Token bucket per tenant with 60 requests'],
  ['a and b', 'Fixed window per IP; Token bucket per tenant with 60 requests'],
])('keeps the text of the option when the user answers %s', (answer, option) => {
  const conversation = turns(
    'We need a rate limit for the API.',
    'There are two options:\n\nA. Fixed window per IP\nB. **Token bucket** per tenant with 60 requests\n\nWhich one?',
    answer,
    'Understood, I will implement it.',
  );
  expect(originsOf(conversation)).toEqual([`user: “${option}” — ${answer}`]);
});

it.each([
  ['Exports must always be CSV.', 'Understood: exports will always be CSV.'],
  ['Never commit directly to main in this repo.', 'Got it. I will always use a branch.'],
  ['We use pnpm here, not npm.', 'Noted, pnpm it is.'],
])('records "%s" when it is all that the user writes and the agent acknowledges it', (rule, reply) => {
  expect(originsOf(turns(rule, reply))).toContain(`user: ${rule}`);
});

it('keeps the question of each numbered answer', () => {
  const conversation = turns(
    'Build the summary endpoint for venues.',
    'Two questions:\n\n1. **Time zone.** Is a day in UTC or in the zone of the venue?\n2. **Late hours.** Until which hour does the evening count?',
    '1 venue\n2 4',
    'Thanks. The window is computed once.',
  );
  expect(originsOf(conversation)).toEqual([
    'user: “Time zone. Is a day in UTC or in the zone of the venue?” — venue',
    'user: “Late hours. Until which hour does the evening count?” — 4',
  ]);
});

it('keeps the text of the option when the agent names two in a sentence and the user says which', () => {
  const conversation = turns(
    'Flags disappear when the service is down.',
    'I see two directions: update the file each night, or persist the last values and use these.',
    'second',
    'Done.',
  );
  expect(originsOf(conversation)).toEqual(['user: “persist the last values and use these.” — second']);
});

it('keeps the text of the option before more sentences of the user', () => {
  const conversation = turns(
    'The reset form shows who has an account.',
    '**Option 1 – rate limit.** Keep the 404.\n\n**Option 2 – uniform answer.** Always 204 and the same text.\n\nWhich one?',
    '2, and signup has the same hole so do that there as well. A known address gets a mail, nothing on the page.',
    'Done for both endpoints.',
  );
  expect(originsOf(conversation)).toEqual([
    'user: “uniform answer. Always 204 and the same text.” — 2, and signup has the same hole so do that there as well.',
    'user: A known address gets a mail, nothing on the page.',
  ]);
});

it.each(['1.5 seconds at most.', '2-day window.', 'Нам хватит 2.', '2 and a half hours.', '2 every day.'])(
  'keeps no option when the user answers %s',
  (answer) => {
    const conversation = turns(
      'We need a rate limit for the API.',
      'Two ways:\n\n1. Fixed window per IP\n2. Token bucket per tenant',
      answer,
      'Okay.',
    );
    expect(originsOf(conversation).join(' ')).not.toMatch(/Fixed window|Token bucket/);
  },
);

it('takes a sentence that begins with an article for no option', () => {
  const conversation = turns(
    'How do we test this?',
    'A. A unit test\nB. A browser test\n\nWhat do you prefer?',
    'A dedicated test is what I prefer.',
    'Understood.',
  );
  expect(originsOf(conversation).join(' ')).not.toContain('A unit test');
});

it('reads a second message before any reply as an answer to the last message of the agent', () => {
  const conversation: ConversationTurn[] = [
    {
      promptNumber: 1,
      prompt: 'Checkout loads 240 kB of scripts.',
      reply: 'Which limit should the check use, and does the chat widget count?',
    },
    { promptNumber: 2, prompt: '170', reply: null },
    { promptNumber: 3, prompt: 'The widget always counts.', reply: 'Added the check with 170 kB.' },
  ];
  expect(originsOf(conversation)).toContain(
    'user: “Which limit should the check use, and does the chat widget count?” — The widget always counts.',
  );
});

it('reads sentences that begin in lower case', () => {
  const conversation = turns(
    'flags throw when the service is down',
    'I set a maximum age of 24 h for the stored values.',
    "stale beats wrong. no age limit. and delete the yml, if there's nothing on disk it's off",
    'Removed the age check and `flags.yml`.',
  );
  expect(textsOf(record(conversation))).toContain('no age limit.');
});

it('does not take an output that the agent asked for as a decision', () => {
  const conversation = turns(
    'The pod restarts.',
    'Could you run `kubectl logs --previous` and paste the last lines?',
    "KeyError: 'MAIL_HOST', always the same",
    'The variable is missing.',
  );
  expect(originsOf(conversation)).toEqual([]);
});

it('keeps the text of the option when the user asks a question before the choice', () => {
  const conversation = turns(
    'The first users after a deploy wait for four seconds.',
    'Two ways:\n\n**Option 1: soft purge.** Pages refresh on demand.\n\n**Option 2: warm-up.** A script requests the URLs with five hits.\n\nI lean towards the second.',
    'how many pods do we have?',
    'Four, and twelve during campaigns.',
    'Option 2, but with a cap of 40.',
    "It's in `deploy/warm.py` now.",
  );
  expect(originsOf(conversation)).toEqual([
    'user: “warm-up. A script requests the URLs with five hits.” — Option 2, but with a cap of 40.',
  ]);
});

it('records a limit of the user and the list that repeats it when the agent follows the user', () => {
  const conversation = turns(
    'Please add masking of mail addresses to the logs. The first character and the domain stay visible. It applies to all levels, debug as well.',
    "I've added a formatter. Which bank details should be masked?",
    'Only the last four digits of an account number stay.',
    "Done. Summary of what is in now:\n\n- mail addresses: the first character and the domain stay visible\n- account numbers: the last four digits\n\nOlder files aren't touched.",
    'Perfect.',
  );
  expect(originsOf(conversation)).toEqual([
    'user: The first character and the domain stay visible.',
    'user: It applies to all levels, debug as well.',
    'user: “Which bank details should be masked?” — Only the last four digits of an account number stay.',
    'agreed: mail addresses: the first character and the domain stay visible',
    'agreed: account numbers: the last four digits',
  ]);
});

it('records a decision that reverses an earlier one in a request', () => {
  const reversal = "Let's move the session tokens back to Postgres after all, Redis loses them on restart.";
  const conversation = turns(
    'Add a health endpoint.',
    'Added.',
    reversal,
    'Moved: the session tokens are in Postgres again.',
  );
  expect(originsOf(conversation)).toEqual([`user: ${reversal}`]);
});

it('drops a rule that the user replaced in the same conversation', () => {
  const conversation = turns(
    'Invoices need a due date rule.',
    'How many days should invoices be due after?',
    'Invoices are always due after 30 days.',
    'Understood: invoices are always due after 30 days.',
    'Actually, from now on invoices are always due after 20 days.',
    'Understood: invoices are due after 20 days.',
  );
  expect(originsOf(conversation).join(' ')).toContain('20 days');
  expect(originsOf(conversation).join(' ')).not.toContain('30 days');
});

it('chooses within the token limit, with the words of the prompt before other sentences', () => {
  const chosen = chooseStatements(read(PARCELS), {
    asked: new Map([
      ['contract', 1],
      ['16', 1],
    ]),
    tokens: 32,
  });
  expect(chosen.map(({ text }) => text)).toEqual([expect.stringContaining('16:30')]);
  expect(chooseStatements(read(PARCELS), { asked: new Map(), tokens: 0 })).toEqual([]);
});

it('chooses nothing when the user stated nothing', () => {
  const conversation = turns(
    'The cart total is wrong when the currency changes',
    'The total was wrong when the currency changed; the cart converts the total last now.',
  );
  expect(read(conversation).statements).not.toEqual([]);
  expect(chooseStatements(read(conversation), { asked: new Map(), tokens: 190 })).toEqual([]);
});

it('reads hostile conversations in linear time', () => {
  for (const text of HOSTILE_TEXTS) {
    const conversation = (length: number) => turns(text(length), text(length), text(length), text(length));
    const growth = processorTimeGrowth((length) => read(conversation(length)), 9_000);
    expect(growth, JSON.stringify(text(20))).toBeLessThan(LINEAR_GROWTH);
  }
});
