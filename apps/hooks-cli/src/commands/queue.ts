import { PENDING_STATUSES, type MessageSelection, type PendingMessage } from '@claude-mem/core';
import { CliError } from '../cli-error.js';
import type { Command, CommandContext } from '../command.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { formatCount } from '../format-count.js';
import { openOfflineMemory, throughWorkerOr } from '../offline-memory.js';
import { readIds, readNumber } from '../read-number.js';
import { formatTime } from '../format-time.js';

export const queueCommand: Command = {
  name: 'queue',
  summary: 'List, retry or drop events that wait for the observer',
  operands: '[list | retry | drop] [ID…]',
  operandCount: { min: 0, max: Infinity },
  options: {
    status: { type: 'string', value: 'STATUS', summary: `List only: ${PENDING_STATUSES.join(', ')}` },
    limit: { type: 'string', value: 'N', summary: 'Maximum number of events (default 50)' },
    parked: { type: 'boolean', summary: 'Retry or drop all parked events' },
    yes: { type: 'boolean', short: 'y', summary: 'Do not ask before dropping' },
    json: { type: 'boolean', summary: 'Print JSON' },
  },
  async run(context) {
    const [action = 'list', ...ids] = context.operands;
    if (action === 'list') return list(context, ids);
    if (action === 'retry') return retry(context, readSelection(context, ids));
    if (action === 'drop') return drop(context, readSelection(context, ids));
    throw new CliError('cli/usage', `queue has the actions list, retry and drop, not "${action}".`);
  },
};

async function list(context: CommandContext, extra: readonly string[]): Promise<ExitCode> {
  const { options, terminal, worker } = context;
  if (extra.length > 0) throw new CliError('cli/usage', 'queue list takes no ids.');
  const limit = readNumber(options['limit'], 'limit', { min: 1, max: 500 }) ?? 50;
  const status = PENDING_STATUSES.find((name) => name === options['status']);
  if (options['status'] !== undefined && status === undefined)
    throw new CliError('cli/usage', `--status is one of ${PENDING_STATUSES.join(', ')}.`);
  const query = { limit, ...(status && { status }) };
  const items = await throughWorkerOr(
    context,
    async () => (await worker.client.listQueue({ query })).items,
    async () => {
      await using memory = openOfflineMemory(context);
      return memory === null ? [] : (await memory.messages.list(query)).map(withoutPayload);
    },
  );
  if (options['json']) terminal.print(JSON.stringify(items, null, 2));
  else if (items.length === 0) terminal.print('The queue is empty.');
  else for (const item of items) terminal.print(formatMessage(item));
  return EXIT.done;
}

type ListedMessage = Omit<PendingMessage, 'payload'> & { toolName: string | null };

function withoutPayload({ payload, ...message }: PendingMessage): ListedMessage {
  return { ...message, toolName: 'toolName' in payload ? payload.toolName : null };
}

function formatMessage(message: ListedMessage): string {
  const work = message.toolName ?? `end of turn ${message.promptNumber}`;
  const problem =
    message.attempts > 0 ? ` after ${message.attempts} attempts: ${message.lastError ?? 'unknown'}` : '';
  return `#${message.id}  ${formatTime(message.createdAtEpoch)}  session ${message.sessionId}  ${message.status.padEnd(10)} ${work}${problem}`;
}

async function retry({ terminal, worker }: CommandContext, selection: MessageSelection): Promise<ExitCode> {
  const { changed } = await worker.client.retryMessages({ body: toBody(selection) });
  terminal.print(`${changed} will be retried.`);
  return EXIT.done;
}

async function drop(context: CommandContext, selection: MessageSelection): Promise<ExitCode> {
  const { terminal, worker, options } = context;
  if (!options['yes']) {
    if (!terminal.isInteractive)
      throw new CliError('cli/usage', 'drop needs --yes when stdin is not a terminal.');
    const events = 'ids' in selection ? formatCount(selection.ids.length, 'event') : 'all parked events';
    if (!(await terminal.confirm(`Drop ${events}? Dropped events are never observed.`))) return EXIT.failed;
  }
  const { changed } = await worker.client.dropMessages({ body: toBody(selection) });
  terminal.print(`${changed} dropped.`);
  return EXIT.done;
}

function readSelection({ options }: CommandContext, words: readonly string[]): MessageSelection {
  if (options['parked'] && words.length === 0) return { status: 'parked' };
  if (options['parked'] || words.length === 0) throw new CliError('cli/usage', 'Use either ids or --parked.');
  return { ids: readIds(words) };
}

const toBody = (selection: MessageSelection) =>
  'ids' in selection ? { ids: [...selection.ids] } : { status: 'parked' as const };
