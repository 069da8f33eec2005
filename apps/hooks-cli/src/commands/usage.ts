import {
  localDayOf,
  readUsageReport,
  type UsageReport,
  type UsageRequest,
  type UsageRow,
} from '@claude-mem/core';
import { observerChain, usageLimitsOf } from '@claude-mem/settings';
import { CliError } from '../cli-error.js';
import { alignColumns } from '../align-columns.js';
import type { Command, CommandContext } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { openOfflineMemory, throughWorkerOr } from '../offline-memory.js';
import { readNumber } from '../read-number.js';
import { formatBudget, formatNumber, formatDollars } from '../format-budget.js';
import { formatTime } from '../format-time.js';

const GROUPS = ['day', 'session', 'provider'] as const;
type Group = (typeof GROUPS)[number];

export const usageCommand: Command = {
  name: 'usage',
  summary: 'Show the cost of the observer and its remaining budget',
  options: {
    by: { type: 'string', value: 'GROUP', summary: `Group by: ${GROUPS.join(', ')} (day)` },
    since: { type: 'string', value: 'WHEN', summary: 'First day, such as 2026-11-28, or 7d for seven days' },
    limit: { type: 'string', value: 'N', summary: 'Maximum number of lines (default 30)' },
    json: { type: 'boolean', summary: 'Print JSON' },
  },
  async run(context) {
    const { terminal, options } = context;
    const by = readGroup(options['by']);
    const since = readSince(options['since'], Date.now());
    const limit = readNumber(options['limit'], 'limit', { min: 1, max: 500 }) ?? 30;
    const report = await readReport(context, { by, limit, ...(since && { since }) });
    if (options['json']) terminal.print(JSON.stringify(report, null, 2));
    else terminal.print(render(context, report, { by, since }));
    return EXIT.done;
  },
};

/** Reads the usage report through the worker, or from the database when the worker does not run. */
export function readReport(context: CommandContext, request: UsageRequest): Promise<UsageReport> {
  return throughWorkerOr(
    context,
    () => context.worker.client.usage({ query: request }),
    () => readReportOffline(context, request),
  );
}

export async function readReportOffline(
  context: CommandContext,
  request: UsageRequest,
): Promise<UsageReport> {
  await using memory = openOfflineMemory(context);
  const limits = usageLimitsOf(context.loaded.settings);
  const store = memory?.store ?? { usage: async () => [] };
  return readUsageReport(store, request, { limits, now: Date.now() });
}

function readGroup(value: string | boolean | undefined): Group {
  const group = GROUPS.find((name) => name === (value ?? 'day'));
  if (group !== undefined) return group;
  throw new CliError('cli/usage', `--by is one of ${GROUPS.join(', ')}.`);
}

/** Parses `--since`: a day, or a number of days that ends with today. Returns the first day. */
export function readSince(value: string | boolean | undefined, now: number): string | null {
  if (value === undefined) return null;
  const text = String(value);
  const count = /^(\d{1,4})d$/.exec(text)?.[1];
  if (count !== undefined && Number(count) > 0) {
    const today = new Date(now);
    return localDayOf(
      new Date(today.getFullYear(), today.getMonth(), today.getDate() - Number(count) + 1).getTime(),
    );
  }
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && localDayOf(Date.parse(`${text}T12:00`)) === text) return text;
  throw new CliError('cli/usage', '--since needs a day such as 2026-11-28, or a number of days such as 7d.');
}

function render(
  { loaded }: Pick<CommandContext, 'loaded'>,
  { items, total, today, note }: UsageReport,
  { by, since }: { by: Group; since: string | null },
): string {
  const budget = [
    `Today: ${formatBudget(today)}.`,
    `The next day, with a new budget, begins ${formatTime(today.freeAtEpoch)}.`,
    ...(today.sessionTokens === null
      ? []
      : [`Limit per session: ${formatNumber(today.sessionTokens)} tokens.`]),
  ];
  if (items.length === 0) return [emptyText(loaded.settings, since), ...budget].join('\n');
  const rows = [
    [HEADING[by], 'calls', 'failed', 'input', 'cached', 'output', 'est. cost'],
    ...items.map((row) => [formatGroup(row, by), ...formatAmounts(row)]),
    ['total', ...formatAmounts(total)],
  ];
  return [...alignColumns(rows), '', ...budget, note].join('\n');
}

function emptyText(settings: CommandContext['loaded']['settings'], since: string | null): string {
  const when = since === null ? 'yet' : `since ${since}`;
  const [name] = observerChain(settings);
  return name === 'local'
    ? `No calls ${when}: the observer is "local", which uses no model and costs nothing.`
    : `No calls ${when}: the observer "${name}" has made no calls. The first call follows the end of a turn with work.`;
}

const HEADING: Readonly<Record<Group, string>> = {
  day: 'day',
  session: 'session',
  provider: 'observer, model',
};

function formatGroup({ day, sessionId, provider, model }: UsageRow, by: Group): string {
  if (by === 'day') return day ?? 'unknown';
  if (by === 'session') return sessionId === null ? 'none' : `#${sessionId}`;
  return [provider ?? 'unknown', model].filter(Boolean).join(', ');
}

function formatAmounts({
  calls,
  failedCalls,
  inputTokens,
  cachedTokens,
  outputTokens,
  estimatedCostUsd,
}: UsageRow) {
  const counts = [calls, failedCalls, inputTokens, cachedTokens, outputTokens];
  return [...counts.map(formatNumber), formatDollars(estimatedCostUsd)];
}
