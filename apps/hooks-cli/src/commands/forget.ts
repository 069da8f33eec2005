import { withoutUndefined } from '@claude-mem/core';
import type { ForgetReply, ForgetRequest, UndoableForget } from '@claude-mem/worker-protocol';
import { requestedProject } from '../requested-project.js';
import { CliError } from '../cli-error.js';
import type { Command, CommandContext } from '../command.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { parseInstantOption } from '../parse-instant-option.js';
import { parseListOption } from '../parse-list-option.js';
import { readIds } from '../read-number.js';
import { ensureWorker } from '../worker-process/ensure-worker.js';
import { readHosts, FILTER_OPTIONS, renameField } from './search.js';

/** Deleting rewrites the complete database file, which takes long for a large memory. */
const REQUEST_TIMEOUT_MS = 10 * 60_000;

export const forgetCommand: Command = {
  name: 'forget',
  summary: 'Delete observations, a session, or a project permanently',
  operands: '[ID…]',
  operandCount: { min: 0, max: Infinity },
  details: [
    'Takes ids or filters. --project alone, or --session alone, deletes observations, summaries, prompts and queued events.',
    'With any other filter, only observations that match all filters are deleted.',
    'Deleted records are removed from every index, overwritten in the file, and not recorded again from repeated events.',
    'Deletes every id that exists. Prints the ids that were not found and exits with code 1.',
    '--undo NUMBER restores records that were deleted over MCP or in the viewer, until the undo period ends.',
    '--backups alone deletes no record. It removes earlier deleted records from the backups.',
  ],
  options: {
    ...FILTER_OPTIONS,
    session: {
      type: 'string',
      value: 'SESSION',
      summary: 'Only this session: id of claude-mem or of the host',
    },
    'dry-run': { type: 'boolean', summary: 'Only show what would be deleted' },
    backups: {
      type: 'boolean',
      summary: 'Delete the records from the backups too: replaces all backups with a new one',
    },
    undo: {
      type: 'string',
      value: 'NUMBER',
      summary: 'Undo this deletion; list: show deletions that can be undone',
    },
    yes: { type: 'boolean', short: 'y', summary: 'Do not ask' },
    json: { type: 'boolean', summary: 'Print JSON' },
  },
  async run(context) {
    const { terminal, options, worker } = context;
    if (typeof options['undo'] === 'string') return undo(context, options['undo']);
    const body = readRequest(context);
    await ensureWorker(context);
    const client = worker.within(REQUEST_TIMEOUT_MS);
    const isDryRun = options['dry-run'] === true;
    const planned = await client.forget({ body: { ...body, dryRun: true } }).catch(renameField);
    const missing = planned.missing ?? [];
    const isOnlyBackups = Object.keys(body).every((name) => name === 'backups');
    if (isOnlyBackups && planned.backups === 0) {
      terminal.print('There are no backups.');
      return EXIT.done;
    }
    if (!isOnlyBackups && !hasAny(planned)) {
      terminal.warn(formatNoMatch(body));
      return EXIT.failed;
    }
    if (missing.length > 0) terminal.warn(formatMissing(missing));
    const exit = missing.length > 0 ? EXIT.failed : EXIT.done;
    if (isDryRun || !options['yes']) printReply(context, planned, { isDone: false });
    if (isDryRun) return exit;
    if (!options['yes']) {
      if (!terminal.isInteractive)
        throw new CliError('cli/usage', 'forget needs --yes when stdin is not a terminal.');
      const question = isOnlyBackups
        ? 'Replace all backups with a new one?'
        : 'Delete these records permanently?';
      if (!(await terminal.confirm(question))) return EXIT.failed;
    }
    const reply = await client.forget({ body: { ...body, confirm: true } });
    printReply(context, reply, { isDone: true });
    return exit;
  },
};

async function undo(context: CommandContext, value: string): Promise<ExitCode> {
  const { terminal, worker, operands, options } = context;
  if (operands.length > 0) throw new CliError('cli/usage', 'Use either --undo or ids.');
  const isList = value === 'list';
  if (!isList && !/^[1-9]\d{0,14}$/.test(value))
    throw new CliError('cli/usage', '--undo needs the number of a deletion, or list to show them.');
  const forgetId = isList ? 0 : Number(value);
  await ensureWorker(context);
  const client = worker.within(REQUEST_TIMEOUT_MS);
  const reply = isList ? await client.listForgotten() : await client.undoForget({ params: { id: forgetId } });
  if (options['json']) terminal.print(JSON.stringify(reply, null, 2));
  else if ('restored' in reply) terminal.print(`Restored: ${formatCounts(reply.restored)}.`);
  else terminal.print(reply.items.map(formatUndoable).join('\n') || 'No deletion can be undone.');
  if ('restored' in reply) for (const note of reply.notes) terminal.warn(`Note: ${note}`);
  return EXIT.done;
}

function formatUndoable({ forgetId, finalAtEpoch, titles, ...counts }: UndoableForget): string {
  const titleLines = titles.map(({ id, title }) => `  #${id}  ${title ?? 'untitled'}`);
  const until = new Date(finalAtEpoch).toISOString().slice(0, 16).replace('T', ' ');
  return [`${forgetId}  ${formatCounts(counts)}, final at ${until} UTC`, ...titleLines].join('\n');
}

function printReply(
  { terminal, options }: CommandContext,
  reply: ForgetReply,
  { isDone }: { isDone: boolean },
): void {
  if (options['json']) {
    if (isDone || options['dry-run']) terminal.print(JSON.stringify(reply, null, 2));
    return;
  }
  const counts = formatCounts(reply);
  if (counts !== '') terminal.print(`${isDone ? 'Deleted' : 'To be deleted'}: ${counts}.`);
  else terminal.print(formatBackups(reply, { isDone }));
  if (!isDone) {
    for (const { id, title } of reply.titles) terminal.print(`  #${id}  ${title ?? 'untitled'}`);
    const more = reply.observations - reply.titles.length;
    if (more > 0) terminal.print(`  … and ${more} more`);
  }
  if (!isDone) return;
  for (const note of reply.notes) terminal.warn(`Note: ${note}`);
}

function formatBackups({ backups }: ForgetReply, { isDone }: { isDone: boolean }): string {
  if (!isDone) return `Backups: ${backups}.`;
  return backups === 0 ? 'A new backup replaced all others.' : 'The backups were not changed.';
}

/** Records that were deleted earlier can still be in the backups. */
function formatNoMatch({ ids, backups }: ForgetRequest): string {
  const message = ids ? formatMissing(ids) : 'No record matches these filters.';
  return backups ? `${message} To clean only the backups: claude-mem forget --backups` : message;
}

const formatMissing = (ids: readonly number[]) => `Not found: ${ids.map((id) => `#${id}`).join(', ')}.`;

const hasAny = ({ observations, summaries, prompts, sessions }: ForgetReply) =>
  observations + summaries + prompts + sessions > 0;

function formatCounts({
  observations,
  summaries,
  prompts,
  sessions,
}: Pick<ForgetReply, 'observations' | 'summaries' | 'prompts' | 'sessions'>): string {
  const parts = [
    [observations, 'observation', 'observations'],
    [summaries, 'summary', 'summaries'],
    [prompts, 'prompt', 'prompts'],
    [sessions, 'session', 'sessions'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${count} ${count === 1 ? one : many}`)
    .join(', ');
}

function readRequest(context: CommandContext): ForgetRequest {
  const { operands, options } = context;
  const text = (name: string) => (typeof options[name] === 'string' ? options[name] : undefined);
  const filters: Omit<ForgetRequest, 'ids'> = withoutUndefined({
    project: requestedProject(context),
    session: text('session'),
    type: parseListOption(options['type']),
    concepts: parseListOption(options['concept']),
    files: parseListOption(options['file']),
    host: readHosts(options),
    dateFrom: parseInstantOption(options['from'], 'start'),
    dateTo: parseInstantOption(options['to'], 'end'),
  });
  const isOnlyBackups = options['backups'] === true && operands.length + Object.keys(filters).length === 0;
  if (!isOnlyBackups && operands.length > 0 === Object.keys(filters).length > 0)
    throw new CliError('cli/usage', 'Use either ids or filters. See: claude-mem forget --help');
  return {
    ...(operands.length > 0 ? { ids: readIds(operands) } : filters),
    ...(options['backups'] ? { backups: true } : {}),
  };
}
