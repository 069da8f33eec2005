// Measures the cost of observers: calls, tokens and money per tool use, and how the cost grows with the length of a
// session.
import path from 'node:path';
import { eventsOfTranscript, transcripts } from '../e2e/session-source.mjs';
import { missingDataReason, RECORDED_SESSIONS } from './data-sets.mjs';
import { failedRow, row, skippedRow } from './figures.mjs';
import { syntheticWork } from './synthetic-work.mjs';
import { observeSessions } from './observed-sessions.mjs';
import { runMeasurements } from './samples.mjs';

const CALLS_PER_TOOL_USE = 0.08;
const TOKENS_PER_TOOL_USE = 200;
/** Tokens; the default of CLAUDE_MEM_REQUEST_MAX_TOKENS. */
const LARGEST_REQUEST = 8_000;
const LENGTHS = [30, 100, 300];
const GROWTH = 1.1;

/**
 * Measures the cost of observers.
 * @param options.providers names of observers
 */
export async function benchCost({ providers, report }) {
  const reason = missingDataReason(RECORDED_SESSIONS);
  const recorded = reason === null ? recordedSessions() : [];
  const all = [];
  const observe = (provider, sources) =>
    observeSessions(provider, sources, {
      onSession: (session) => report(`${provider}: ${formatSession(session)}`),
    });
  const costOfRecorded = async (provider) => {
    const observed = await observe(provider, recorded);
    all.push(observed);
    return rowsOf(provider, observed);
  };
  const costOfSynthetic = async (provider) => {
    const observed = await observe(provider, LENGTHS.map(workOf));
    return [growthRow(provider, observed), endsRow(`${provider}: events of those`, observed)];
  };
  const rows = await runMeasurements(
    providers.flatMap((provider) => [
      ...(recorded.length > 0 ? [[`${provider}: recorded sessions`, () => costOfRecorded(provider)]] : []),
      [`${provider}: cost as a session grows`, () => costOfSynthetic(provider)],
    ]),
  );
  if (reason !== null) rows.unshift(skippedRow('cost of recorded sessions', reason));
  if (all.length > 1) rows.push(...rowsOf('all', merge(all)));
  return rows;
}

const recordedSessions = () =>
  transcripts().map((file) => ({
    name: path.basename(file).replace(/\.jsonl(\.gz)?$/, ''),
    events: (where) => eventsOfTranscript(file, where),
  }));

const workOf = (toolUses) => ({
  name: `synthetic-${toolUses}`,
  events: (where) => syntheticWork({ ...where, toolUses }),
});

function rowsOf(name, observed) {
  if (observed.sessions.length === 0) return [failedRow(name, observed.missed)];
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

function endsRow(name, { sessions, missed }) {
  const total = (end) => sum(sessions, ({ account }) => account[end]);
  const problems = [...sessions.flatMap((session) => session.problems), ...(missed === '' ? [] : [missed])];
  const ends = ['stored', 'evidence', 'empty', 'filtered'].map((end) => `${total(end)} ${end}`);
  const result = `${ends.join(', ')}, ${total('missing')} missing of ${total('sent')}`;
  return row(name, [result, ...problems.slice(0, 3)].join('; '), 'each one end', problems.length === 0);
}

/** Compares the tokens of the longest session with the tokens of the same number of tool uses in short sessions. */
function growthRow(provider, { sessions, missed }) {
  const measure = `${provider}: cost of 300 tool uses against 10 × 30`;
  if (sessions.length < LENGTHS.length) return failedRow(measure, missed, `${GROWTH}`);
  const costs = sessions.map(({ requests }) => sum(requests, tokensOf));
  const [shortest, , longest] = costs;
  const growth = longest / (shortest * (LENGTHS[2] / LENGTHS[0]));
  const each = costs.map((cost, index) => `${Math.round(cost / LENGTHS[index])} at ${LENGTHS[index]}`);
  return row(
    measure,
    `${growth.toFixed(3)} (tokens per tool use ${each.join(', ')})`,
    `${GROWTH}`,
    growth <= GROWTH,
  );
}

function merge(observed) {
  const meters = observed.map(({ meter }) => meter);
  return {
    sessions: observed.flatMap(({ sessions }) => sessions),
    missed: observed.flatMap(({ missed }) => missed || []).join('; '),
    meter: {
      calls: sum(meters, ({ calls }) => calls),
      estimatedCostUsd: sum(meters, ({ estimatedCostUsd }) => estimatedCostUsd),
    },
  };
}

function formatSession({ name, account, requests }) {
  const tokens = sum(requests, tokensOf);
  return `${name}: ${account.sent} tool uses, ${requests.length} calls, ${Math.round(tokens / Math.max(1, account.sent))} tokens each`;
}

const tokensOf = ({ bytes }) => bytes / 4;
const sum = (items, of) => items.reduce((total, item) => total + of(item), 0);
