import { noSuchProject, parseMoment, projectNamed } from '@claude-mem/core';
import type { SessionRow } from '@claude-mem/worker-protocol';
import { requestedProject } from '../requested-project.js';
import { CliError } from '../cli-error.js';
import { alignColumns } from '../align-columns.js';
import { compareHoldout, type HoldoutComparison } from '../compare-holdout.js';
import type { Command, CommandContext } from '../command.js';
import { formatCount } from '../format-count.js';
import { evaluateReplay, type Evaluation, type PromptInSession } from '../evaluate-replay.js';
import { EXIT } from '../exit-codes.js';
import { readNumber } from '../read-number.js';
import { renderHoldout } from '../render-holdout.js';
import { ensureWorker } from '../worker-process/ensure-worker.js';
import { readSince } from './usage.js';

const PROMPTS = 200;
const PAGE = 50;
const REPLAY_TIMEOUT_MS = 5 * 60_000;

export const evalCommand: Command = {
  name: 'eval',
  summary: 'Count how often turns used the files and identifiers that recall injects',
  details: [
    'Repeats the recall of your past prompts, newest sessions first, with the records that were older than each prompt.',
    'Calls no model and stores nothing. "Used afterwards" does not mean "helped": see docs/guides/measure-the-memory.md.',
  ],
  options: {
    project: { type: 'string', value: 'PROJECT', summary: 'Only this project: name or folder' },
    since: {
      type: 'string',
      value: 'WHEN',
      summary: 'Only sessions since this day, such as 2026-11-28, or 7d for seven days',
    },
    limit: { type: 'string', value: 'N', summary: `Maximum number of prompts (default ${PROMPTS})` },
    json: { type: 'boolean', summary: 'Print JSON' },
  },
  async run(context) {
    const { terminal, options } = context;
    const limit = readNumber(options['limit'], 'limit', { min: 1, max: 10_000 }) ?? PROMPTS;
    const since = readSince(options['since'], Date.now());
    await ensureWorker(context);
    const filter = await readFilter(context, since);
    const prompts: PromptInSession[] = [];
    for await (const session of listSessions(context, filter)) {
      prompts.push(...(await replay(context, session, limit - prompts.length)));
      terminal.reportProgress(`Replayed ${prompts.length} of at most ${formatCount(limit, 'prompt')}`);
      if (prompts.length >= limit) break;
    }
    const evaluation = evaluateReplay(prompts);
    const holdout = await readHoldout(context, filter);
    if (options['json']) terminal.print(JSON.stringify({ ...evaluation, holdout }, null, 2));
    else terminal.print([render(evaluation), ...(holdout ? ['', renderHoldout(holdout)] : [])].join('\n'));
    return EXIT.done;
  },
};

interface Filter {
  project?: string;
  fromEpoch: number;
}

async function readFilter(context: CommandContext, since: string | null): Promise<Filter> {
  const project = await projectKey(context);
  return { ...(project !== null && { project }), fromEpoch: since === null ? 0 : (parseMoment(since) ?? 0) };
}

/** Null when no session began while the holdout was on. */
async function readHoldout({ worker }: CommandContext, filter: Filter): Promise<HoldoutComparison | null> {
  const { sessions } = await worker.client.holdoutSessions({ query: filter });
  return sessions.length === 0 ? null : compareHoldout(sessions);
}

/** Sessions with prompts, newest first. */
async function* listSessions(
  { worker: { client } }: CommandContext,
  { project, fromEpoch }: Filter,
): AsyncGenerator<SessionRow> {
  let cursor: string | null = null;
  do {
    const query = { limit: PAGE, ...(project && { project: [project] }), ...(cursor && { cursor }) };
    const page: Awaited<ReturnType<typeof client.listSessions>> = await client.listSessions({ query });
    for (const session of page.items) {
      if (session.createdAtEpoch < fromEpoch) return;
      if (session.prompts > 0) yield session;
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
}

async function projectKey(context: CommandContext): Promise<string | null> {
  const requested = requestedProject(context);
  if (requested === undefined) return null;
  const { items } = await context.worker.client.listProjects();
  const project = projectNamed(items, requested);
  if (project === undefined) throw new CliError('cli/failed', noSuchProject(requested, items));
  return project.key;
}

async function replay(
  { worker }: CommandContext,
  { id, projectId }: SessionRow,
  limit: number,
): Promise<PromptInSession[]> {
  const request = { params: { id }, query: { limit: Math.min(limit, 500) } };
  const { prompts } = await worker.within(REPLAY_TIMEOUT_MS).replaySession(request);
  return prompts.map((prompt) => ({ ...prompt, sessionId: id, projectId }));
}

function render({
  prompts,
  sessions,
  injections,
  silentPrompts,
  tokensPerInjection,
  unknownTurns,
  usedAfterwards,
  usedFirstAfterwards,
  control,
}: Evaluation): string {
  if (prompts === 0) return 'No prompts to replay.';
  const lines = [
    `Replayed: ${formatCount(prompts, 'prompt')} of ${formatCount(sessions, 'session')}`,
    `With an injection: ${formatPart(injections, prompts)}`,
    `Silent: ${formatPart(silentPrompts, prompts)}`,
  ];
  if (tokensPerInjection === null)
    return [
      ...lines,
      'No prompt matched records that were stored before it, so there is nothing to compare.',
    ].join('\n');
  const rows = [
    ['', 'injection', 'control'],
    [
      'a named file or identifier was used afterwards',
      formatShare(usedAfterwards),
      formatShare(control.usedAfterwards),
    ],
    [
      '… that the session did not name before',
      formatShare(usedFirstAfterwards),
      formatShare(control.usedFirstAfterwards),
    ],
  ];
  const unknown =
    unknownTurns === 0
      ? []
      : [
          `Not counted: ${formatCount(unknownTurns, 'injection')} whose turn has no recorded files or tool results.`,
        ];
  return [
    ...lines,
    `Tokens per injection: ${tokensPerInjection.mean} on average, at most ${tokensPerInjection.p95} in 95% of injections`,
    '',
    ...alignColumns(rows),
    '',
    ...unknown,
    'Control: the same turns with the latest earlier injection of another session in the project.',
    '"Used afterwards" does not prove that the injection helped.',
  ].join('\n');
}

const formatShare = ({ count, of }: { count: number; of: number }) => formatPart(count, of);

const formatPart = (count: number, of: number): string =>
  of === 0 ? '0 of 0' : `${count} of ${of} (${((count / of) * 100).toFixed(1)}%)`;
