import { noSuchProject, parseMoment, projectNamed } from '@claude-mem/core';
import type { SessionRow } from '@claude-mem/worker-protocol';
import { askedProject } from '../asked-project.js';
import { CliError } from '../cli-error.js';
import { columns } from '../columns.js';
import { compareHoldout, type HoldoutComparison } from '../compare-holdout.js';
import type { Command, CommandContext } from '../command.js';
import { counted } from '../counted.js';
import { evaluateReplay, type Evaluation, type PromptInSession } from '../evaluate-replay.js';
import { EXIT } from '../exit-codes.js';
import { readNumber } from '../read-number.js';
import { renderHoldout } from '../render-holdout.js';
import { needWorker } from '../worker-process/need-worker.js';
import { readSince } from './usage.js';

const PROMPTS = 200;
const PAGE = 50;
const REPLAY_TIMEOUT_MS = 5 * 60_000;

export const evalCommand: Command = {
  name: 'eval',
  summary: 'Count how often your turns used what recall injects for them',
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
    limit: { type: 'string', value: 'N', summary: `At most N prompts (${PROMPTS})` },
    json: { type: 'boolean', summary: 'As JSON' },
  },
  async run(context) {
    const { terminal, options } = context;
    const limit = readNumber(options['limit'], 'limit', { min: 1, max: 10_000 }) ?? PROMPTS;
    const since = readSince(options['since'], Date.now());
    await needWorker(context);
    const filter = await filterOf(context, since);
    const prompts: PromptInSession[] = [];
    for await (const session of sessionsOf(context, filter)) {
      prompts.push(...(await replay(context, session, limit - prompts.length)));
      terminal.reportProgress(`Replayed ${prompts.length} of at most ${counted(limit, 'prompt')}`);
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

async function filterOf(context: CommandContext, since: string | null): Promise<Filter> {
  const project = await projectKey(context);
  return { ...(project !== null && { project }), fromEpoch: since === null ? 0 : (parseMoment(since) ?? 0) };
}

/** Null when no session began while the holdout was on. */
async function readHoldout({ worker }: CommandContext, filter: Filter): Promise<HoldoutComparison | null> {
  const { sessions } = await worker.client.holdoutSessions({ query: filter });
  return sessions.length === 0 ? null : compareHoldout(sessions);
}

/** Sessions with prompts, newest first. */
async function* sessionsOf(
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
  const asked = askedProject(context);
  if (asked === undefined) return null;
  const { items } = await context.worker.client.listProjects();
  const project = projectNamed(items, asked);
  if (project === undefined) throw new CliError('cli/failed', noSuchProject(asked, items));
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
    `Replayed: ${counted(prompts, 'prompt')} of ${counted(sessions, 'session')}`,
    `With an injection: ${ofAll(injections, prompts)}`,
    `Silent: ${ofAll(silentPrompts, prompts)}`,
  ];
  if (tokensPerInjection === null) return lines.join('\n');
  const rows = [
    ['', 'injection', 'control'],
    [
      'a named file or identifier was used afterwards',
      ofShare(usedAfterwards),
      ofShare(control.usedAfterwards),
    ],
    [
      '… that the session did not name before',
      ofShare(usedFirstAfterwards),
      ofShare(control.usedFirstAfterwards),
    ],
  ];
  const unknown =
    unknownTurns === 0
      ? []
      : [
          `Not counted: ${counted(unknownTurns, 'injection')} whose turn has no recorded files or tool results.`,
        ];
  return [
    ...lines,
    `Tokens per injection: ${tokensPerInjection.mean} on average, at most ${tokensPerInjection.p95} in 95% of injections`,
    '',
    ...columns(rows),
    '',
    ...unknown,
    'Control: the same turns with the latest earlier injection of another session in the project.',
    '"Used afterwards" does not prove that the injection helped.',
  ].join('\n');
}

const ofShare = ({ count, of }: { count: number; of: number }) => ofAll(count, of);

const ofAll = (count: number, of: number): string =>
  of === 0 ? '0 of 0' : `${count} of ${of} (${((count / of) * 100).toFixed(1)}%)`;
