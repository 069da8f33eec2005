// What the observers ask of their vendors: calls, tokens and money per tool use, and how that grows with a session.
import path from 'node:path';
import { eventsOfTranscript, transcripts } from '../e2e/session-source.mjs';
import { row } from './figures.mjs';
import { madeUpWork } from './made-up-work.mjs';
import { observeSessions } from './observed-sessions.mjs';

const CALLS_PER_TOOL_USE = 0.08;
const TOKENS_PER_TOOL_USE = 200;
/** The default of CLAUDE_MEM_REQUEST_MAX_TOKENS. */
const LARGEST_REQUEST = 8_000;
const LENGTHS = [30, 100, 300];
const GROWTH = 1.1;

/** @param providers names of observers */
export async function benchCost(providers, { say }) {
  const recorded = recordedSessions();
  if (recorded.length === 0) say('no recorded sessions here: only how cost grows is measured');
  const rows = [];
  const all = [];
  for (const provider of providers) {
    const onSession = (session) => say(`${provider}: ${lineOf(session)}`);
    if (recorded.length > 0) {
      const observed = await observeSessions(provider, recorded, { onSession });
      all.push(observed);
      rows.push(...rowsOf(provider, observed));
    }
    const grown = await observeSessions(provider, LENGTHS.map(workOf), { onSession });
    rows.push(growthRow(provider, grown), endsRow(`${provider}: events of those`, grown));
  }
  if (all.length > 1) rows.push(...rowsOf('all', togetherOf(all)));
  return rows;
}

const recordedSessions = () =>
  transcripts().map((file) => ({
    name: path.basename(file).replace(/\.jsonl(\.gz)?$/, ''),
    events: (where) => eventsOfTranscript(file, where),
  }));

const workOf = (toolUses) => ({
  name: `made-up-${toolUses}`,
  events: (where) => madeUpWork({ ...where, toolUses }),
});

function rowsOf(name, observed) {
  const requests = observed.sessions.flatMap((session) => session.requests);
  const toolUses = sum(observed.sessions, ({ account }) => account.sent);
  const calls = requests.length / toolUses;
  const tokens = sum(requests, tokensOf) / toolUses;
  const vendorTokens = sum(requests, (request) => request.vendorTokens) / toolUses;
  const largest = Math.max(0, ...requests.map(tokensOf));
  const usd = (observed.meter.estimatedCostUsd / toolUses) * 100;
  return [
    row(
      `${name}: calls per tool use`,
      `${calls.toFixed(4)} (${requests.length} for ${toolUses})`,
      `${CALLS_PER_TOOL_USE}`,
      calls <= CALLS_PER_TOOL_USE,
    ),
    row(
      `${name}: input tokens per tool use, body / 4`,
      `${tokens.toFixed(0)} (texts alone ${vendorTokens.toFixed(0)})`,
      `${TOKENS_PER_TOOL_USE}`,
      tokens <= TOKENS_PER_TOOL_USE,
    ),
    row(
      `${name}: largest request, body / 4`,
      `${Math.ceil(largest).toLocaleString('en')} tokens`,
      LARGEST_REQUEST.toLocaleString('en'),
      largest <= LARGEST_REQUEST,
    ),
    row(`${name}: estimated cost of 100 tool uses`, `$${usd.toFixed(4)}`),
    row(
      `${name}: calls that the meter counted`,
      `${observed.meter.calls} of ${requests.length}`,
      'all',
      observed.meter.calls === requests.length,
    ),
    endsRow(`${name}: tool events`, observed),
  ];
}

function endsRow(name, { sessions }) {
  const total = (end) => sum(sessions, ({ account }) => account[end]);
  const problems = sessions.flatMap((session) => session.problems);
  const ends = ['stored', 'evidence', 'empty', 'filtered'].map((end) => `${total(end)} ${end}`);
  const result = `${ends.join(', ')}, ${total('missing')} missing of ${total('sent')}`;
  return row(name, [result, ...problems.slice(0, 3)].join('; '), 'each one end', problems.length === 0);
}

/** Calls and tokens of the longest session against the shortest as many times. */
function growthRow(provider, { sessions }) {
  const costs = sessions.map(({ requests }) => sum(requests, tokensOf));
  const [shortest, , longest] = costs;
  const growth = longest / (shortest * (LENGTHS[2] / LENGTHS[0]));
  const each = costs.map((cost, index) => `${Math.round(cost / LENGTHS[index])} at ${LENGTHS[index]}`);
  return row(
    `${provider}: cost of 300 tool uses against 10 × 30`,
    `${growth.toFixed(3)} (tokens per tool use ${each.join(', ')})`,
    `${GROWTH}`,
    growth <= GROWTH,
  );
}

function togetherOf(observed) {
  const meters = observed.map(({ meter }) => meter);
  return {
    sessions: observed.flatMap(({ sessions }) => sessions),
    meter: {
      calls: sum(meters, ({ calls }) => calls),
      estimatedCostUsd: sum(meters, ({ estimatedCostUsd }) => estimatedCostUsd),
    },
  };
}

function lineOf({ name, account, requests }) {
  const tokens = sum(requests, tokensOf);
  return `${name}: ${account.sent} tool uses, ${requests.length} calls, ${Math.round(tokens / Math.max(1, account.sent))} tokens each`;
}

const tokensOf = ({ bytes }) => bytes / 4;
const sum = (items, of) => items.reduce((total, item) => total + of(item), 0);
