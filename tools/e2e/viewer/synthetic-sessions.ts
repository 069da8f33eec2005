import { toFacts, type HostName, type ObservationDraft, type SummaryDraft } from '@claude-mem/core';
import { syntheticMemory, NEWEST_EPOCH } from '../../bench/search-synthetic-memory.mjs';
import { HOSTILE } from './hostile-texts.js';

export interface GeneratedTurn {
  prompt: string;
  observations: readonly ObservationDraft[];
  summary: SummaryDraft | null;
  atEpoch: number;
}

export interface GeneratedSession {
  host: HostName;
  id: string;
  project: { key: string; name: string };
  turns: readonly GeneratedTurn[];
}

const HOUR_MS = 3_600_000;
const HOSTS: readonly HostName[] = [
  'claude-code',
  'claude-code',
  'codex',
  'cursor',
  'gemini-cli',
  'opencode',
];
const PER_TURN = 3;

/**
 * Yields generated sessions of several years, oldest first, with prompts and a summary per turn. The newest session
 * is five minutes old.
 */
export function* generateSessions(observations: number, now: number): Generator<GeneratedSession> {
  const shift = now - 5 * 60_000 - NEWEST_EPOCH;
  let number = 0;
  let held: (ObservationDraft & { project: string; session: string; createdAtEpoch: number })[] = [];
  const session = (): GeneratedSession => {
    const [first] = held;
    if (first === undefined) throw new Error('a session without observations');
    const turns = Array.from({ length: Math.ceil(held.length / PER_TURN) }, (_, turn) =>
      turnOf(held.slice(turn * PER_TURN, (turn + 1) * PER_TURN), shift),
    );
    const name = first.project.slice(first.project.lastIndexOf('/') + 1);
    const host = HOSTS[number % HOSTS.length] ?? 'claude-code';
    return { host, id: first.session, project: { key: first.project, name }, turns };
  };
  for (const record of syntheticMemory(observations)) {
    if (held.length > 0 && held[0]?.session !== record.session) {
      yield session();
      number += 1;
      held = [];
    }
    held.push(record);
  }
  if (held.length > 0) yield session();
}

function turnOf(
  records: readonly (ObservationDraft & { createdAtEpoch: number })[],
  shift: number,
): GeneratedTurn {
  const first = records[0];
  if (first === undefined) throw new Error('a turn without observations');
  return {
    prompt: `Please look at this: ${first.subtitle ?? ''}`,
    observations: records,
    summary: summary({
      request: first.title,
      learned: first.facts[0]?.text ?? null,
      completed: first.subtitle,
      nextSteps: records.length < PER_TURN ? first.narrative : null,
      filesEdited: first.filesModified,
    }),
    atEpoch: first.createdAtEpoch + shift,
  };
}

/** Returns three realistic sessions on two days. */
export function createRealisticSessions(now: number): readonly GeneratedSession[] {
  const shop = { key: '/repos/shop', name: 'shop' };
  return [
    {
      host: 'claude-code',
      id: 'few-1',
      project: shop,
      turns: [
        {
          atEpoch: now - 30 * HOUR_MS,
          prompt:
            'Orders placed in the evening do not show up when I filter the list by day. Can you fix it?',
          observations: [
            observation({
              type: 'bugfix',
              title: 'Evening orders were missing because the day was cut in UTC',
              subtitle: 'The filter now cuts the day in the time zone of the shop',
              narrative:
                'filterByDay cut the day in UTC while orders are listed in the local time of the shop, so that an order of 23:30 in Berlin fell on the next day. It now uses startOfDay(day, shop.timeZone).',
              facts: toFacts(
                ['startOfDay takes the time zone as its second parameter', 'All 5 tests of the filter pass'],
                null,
              ),
              concepts: ['problem-solution', 'gotcha'],
              filesRead: ['src/orders/filter-by-day.ts', 'src/time.ts'],
              filesModified: ['src/orders/filter-by-day.ts'],
            }),
          ],
          summary: summary({
            request: 'Orders of the evening are missing in the list of a day',
            investigated: 'The filter, its test and the helpers for time',
            learned: 'Orders are stored in UTC and listed in the time zone of the shop',
            completed: 'The filter cuts days in the time zone of the shop',
            nextSteps: 'The monthly report in src/reports/monthly.ts still cuts in UTC',
            filesEdited: ['src/orders/filter-by-day.ts'],
          }),
        },
        {
          atEpoch: now - 29 * HOUR_MS,
          prompt:
            'Yes, change the report too. But first decide: convert to UTC in the database, or keep local dates?',
          observations: [
            observation({
              type: 'decision',
              title: 'Times stay in UTC in the database and are converted when shown',
              narrative:
                'Two ways were weighed: local dates in the database, or UTC and a conversion at the edge. UTC won, since a shop may move to another time zone and exports to the bookkeeping need one clock.',
              facts: toFacts(['Every query by day goes through startOfDay'], null),
              concepts: ['why-it-exists', 'trade-off'],
            }),
            observation({
              type: 'change',
              title: 'The monthly report cuts months in the time zone of the shop',
              facts: toFacts(['groupBy(orders, monthIn(shop.timeZone))'], null),
              concepts: ['what-changed'],
              filesRead: ['src/reports/monthly.ts'],
              filesModified: ['src/reports/monthly.ts', 'src/reports/monthly.test.ts'],
            }),
          ],
          summary: null,
        },
      ],
    },
    {
      host: 'codex',
      id: 'few-2',
      project: { key: '/repos/docs-site', name: 'docs-site' },
      turns: [
        {
          atEpoch: now - 26 * HOUR_MS,
          prompt: 'How are the pages of the reference made?',
          observations: [
            observation({
              type: 'discovery',
              title: 'Reference pages are generated from the schemas of the API',
              subtitle: 'Do not edit the pages manually',
              narrative:
                'The script scripts/reference.mjs reads the schemas and writes one page for each route. A check in CI fails when the pages and the schemas disagree.',
              facts: toFacts(
                ['npm run reference writes the pages', 'npm run reference -- --check only compares'],
                null,
              ),
              concepts: ['how-it-works'],
              filesRead: ['scripts/reference.mjs', 'api/schemas.ts'],
            }),
          ],
          summary: summary({
            request: 'How the pages of the reference are made',
            learned: 'They are generated from the schemas',
          }),
        },
      ],
    },
    {
      host: 'cursor',
      id: 'few-3',
      project: shop,
      turns: [
        {
          atEpoch: now - 3 * HOUR_MS,
          prompt: 'Add a voucher field to the checkout.',
          observations: [
            observation({
              type: 'feature',
              title: 'The checkout takes a voucher and shows what it takes off',
              subtitle: 'A voucher is checked on the server, at every change of the basket',
              narrative:
                'The field is a component of its own and asks /api/vouchers/:code. What is taken off is a line of the basket, so that the invoice and the mail show it without a change.',
              facts: toFacts(
                ['A voucher may be used once per customer', 'An expired one says so beside the field'],
                null,
              ),
              concepts: ['what-changed', 'pattern'],
              filesRead: ['src/checkout/basket.ts'],
              filesModified: ['src/checkout/voucher-field.tsx', 'src/checkout/basket.ts', 'api/vouchers.ts'],
            }),
            observation({
              type: 'refactor',
              title: 'Prices are whole cents everywhere',
              narrative: 'Sums of floats were off by a cent when a voucher was split over several lines.',
              facts: toFacts(['formatPrice takes cents'], null),
              concepts: ['gotcha', 'what-changed'],
              filesModified: ['src/checkout/basket.ts', 'src/price.ts'],
            }),
          ],
          summary: summary({
            request: 'A voucher field in the checkout',
            completed: 'The field, its check on the server, and tests for both',
            nextSteps:
              'Show a used voucher in the history of orders. Ask whether gift cards work the same way.',
            filesEdited: ['src/checkout/voucher-field.tsx', 'src/checkout/basket.ts', 'api/vouchers.ts'],
          }),
        },
      ],
    },
    createHostileSession(now),
  ];
}

export function createHostileSession(now: number): GeneratedSession {
  return {
    host: 'gemini-cli',
    id: 'hostile',
    project: { key: `/repos/${HOSTILE.project}`, name: HOSTILE.project },
    turns: [
      {
        atEpoch: now - HOUR_MS,
        prompt: HOSTILE.prompt,
        observations: [
          observation({
            type: 'bugfix',
            title: HOSTILE.title,
            subtitle: HOSTILE.odd,
            narrative: HOSTILE.narrative,
            facts: toFacts([HOSTILE.fact, HOSTILE.odd], null),
            concepts: [HOSTILE.concept],
            filesRead: [HOSTILE.file],
            filesModified: [HOSTILE.file],
          }),
          observation({ type: '<b>odd</b>', title: HOSTILE.odd }),
        ],
        summary: summary({
          request: HOSTILE.title,
          learned: HOSTILE.narrative,
          nextSteps: HOSTILE.next,
          filesEdited: [HOSTILE.file],
        }),
      },
    ],
  };
}

function observation(draft: Partial<ObservationDraft> & { type: string }): ObservationDraft {
  return {
    title: null,
    subtitle: null,
    narrative: null,
    facts: [],
    concepts: [],
    filesRead: [],
    filesModified: [],
    ...draft,
  };
}

function summary(draft: Partial<SummaryDraft>): SummaryDraft {
  return {
    request: null,
    investigated: null,
    learned: null,
    completed: null,
    nextSteps: null,
    notes: null,
    filesRead: [],
    filesEdited: [],
    ...draft,
  };
}
