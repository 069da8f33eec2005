import { existsSync, readdirSync } from 'node:fs';
import { ClaudeMemError, type DayBudget, type QueueCounts, type StoreStats } from '@claude-mem/core';
import { observerChain } from '@claude-mem/settings';
import { StorageError, listQuarantined, formatQuarantineNotice } from '@claude-mem/storage';
import type { HealthDetail, IndexState } from '@claude-mem/worker-protocol';
import { isSilent } from '@claude-mem/worker-protocol/local';
import type { Command, CommandContext } from '../command.js';
import { formatCount } from '../format-count.js';
import { EXIT, exitCodeOf } from '../exit-codes.js';
import { isObserving } from '../is-observing.js';
import { openOfflineMemory } from '../offline-memory.js';
import { otherPluginNotices } from '../other-plugin-notices.js';
import { formatBudget } from '../format-budget.js';
import { formatIndexState } from '../wait-for-indexes.js';
import { formatDuration } from '../format-time.js';
import { findWriteProblem } from '../find-write-problem.js';
import { readReport, readReportOffline } from './usage.js';

/** The output of `claude-mem status --json`. */
export interface Status {
  worker: {
    state: 'ready' | 'starting' | 'failed' | 'away';
    reason: string | null;
    pid: number | null;
    version: string | null;
    uptimeMs: number | null;
    /** Null when the worker listens only on its Unix socket. */
    url: string | null;
  };
  /** Null when neither the worker nor the database can be read. */
  queue: QueueCounts | null;
  memory: Omit<StoreStats, 'outcomes'> | null;
  /** Number of deletions that can be undone. Null when the worker does not answer. */
  undoableDeletions: number | null;
  spool: { waiting: number; rejected: number };
  /** State of the search indexes. Null when the worker does not answer. */
  search: IndexState | null;
  observer: {
    /** The current provider, or the first configured one when the worker does not answer. */
    provider: string;
    model: string | null;
    state: 'works' | 'paused' | 'away';
    /** Why the observer is paused. */
    problem: string | null;
  };
  /** Cost of today and remaining budget. Null when neither the worker nor the database can be read. */
  today: DayBudget | null;
  /** Share of new sessions without injected context (CLAUDE_MEM_HOLDOUT). */
  holdout: number;
  notices: readonly string[];
  paths: { dataDir: string; log: string; settings: string; database: string };
}

const DISABLED =
  'claude-mem is disabled (CLAUDE_MEM_ENABLED is false): no event is stored and no context is injected.';

export const statusCommand: Command = {
  name: 'status',
  summary: 'Show the worker, the queue and the memory on one screen',
  options: { json: { type: 'boolean', summary: 'Print JSON' } },
  async run(context) {
    const status = await readStatus(context);
    context.terminal.print(
      context.options['json'] ? JSON.stringify(status, null, 2) : renderStatus(status, Date.now()),
    );
    return status.worker.state === 'away' ? EXIT.workerNotRunning : EXIT.done;
  },
};

async function readStatus(context: CommandContext): Promise<Status> {
  const { paths, settings, problems } = context.loaded;
  const { worker } = context;
  let isHanging = false;
  const health = await worker.client.healthDetail().catch((error: unknown) => {
    isHanging = isSilent(error);
    return ignoreNotRunning(error);
  });
  const offline = health?.ready ? null : await readOffline(context);
  const stats = health?.ready ? await worker.client.stats().catch(ignoreNotRunning) : offline?.stats;
  const deletions = health?.ready ? await worker.client.listForgotten().catch(ignoreNotRunning) : null;
  const url = health?.tcp.isListening ? `http://${bracketed(health.tcp.host)}:${health.tcp.port}` : null;
  return {
    worker: {
      state:
        health === null
          ? 'away'
          : health.ready
            ? 'ready'
            : health.status === 'failed'
              ? 'failed'
              : 'starting',
      reason: isHanging ? 'it does not answer' : (health?.reason ?? null),
      pid: health?.pid ?? null,
      version: health?.version ?? null,
      uptimeMs: health?.uptimeMs ?? null,
      url,
    },
    queue: health?.queue ?? offline?.queue ?? null,
    memory: stats ? withoutOutcomes(stats) : null,
    undoableDeletions: deletions?.items.length ?? null,
    spool: health?.spool ?? countSpool(paths),
    search: health?.search ?? null,
    observer: {
      provider: health?.observer.provider || observerChain(settings)[0] || settings.provider,
      model: health?.observer.model ?? null,
      ...observerState(health),
    },
    // a second request to a worker that hangs would time out again
    today: await readToday(context, isHanging ? readReportOffline : readReport),
    holdout: settings.holdout,
    notices: [
      ...(settings.enabled ? [] : [DISABLED]),
      ...[(findWriteProblem(paths.dataDir) ?? findWriteProblem(paths.spoolDir))?.message].filter(
        (one) => one !== undefined,
      ),
      ...(health?.notices ?? []),
      ...(offline?.notices ?? []),
      ...(health ? [] : problems),
      ...(await otherPluginNotices(context)),
    ],
    paths: {
      dataDir: paths.dataDir,
      log: health?.logFile ?? paths.logsDir,
      settings: paths.settingsFile,
      database: paths.database,
    },
  };
}

function ignoreNotRunning(error: unknown): null {
  if (exitCodeOf(error) === EXIT.workerNotRunning) return null;
  throw error;
}

async function readOffline(context: CommandContext) {
  try {
    await using memory = openOfflineMemory(context);
    if (memory === null) return null;
    const quarantined = listQuarantined(context.loaded.paths.database).map((file) =>
      formatQuarantineNotice(file),
    );
    const notices = quarantined.map(({ text, advice }) => `${text}. ${advice}`);
    return { stats: await memory.store.stats(), queue: await memory.messages.counts(), notices };
  } catch (error) {
    if (!StorageError.isInstance(error)) throw error;
    return { stats: null, queue: null, notices: [error.message] };
  }
}

/** A problem of one provider is only a notice while another provider works. */
function observerState(health: HealthDetail | null): Pick<Status['observer'], 'state' | 'problem'> {
  if (!health?.ready) return { state: 'away', problem: health?.observer.problem ?? null };
  const { problem = null } = health.observer;
  return problem === null || isObserving(health.observer)
    ? { state: 'works', problem: null }
    : { state: 'paused', problem };
}

async function readToday(context: CommandContext, read: typeof readReport): Promise<DayBudget | null> {
  try {
    return (await read(context, { by: 'total' })).today;
  } catch (error) {
    // the notices report an unreadable database; an older worker does not have the route
    if (!ClaudeMemError.isInstance(error)) throw error;
    return null;
  }
}

const withoutOutcomes = ({ outcomes: _, ...memory }: StoreStats) => memory;
const bracketed = (host: string) => (host.includes(':') ? `[${host}]` : host);

/** Counts the spool files that the worker has not stored, and the rejected ones. */
export function countSpool({ spoolDir, rejectedDir }: { spoolDir: string; rejectedDir: string }) {
  const names = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);
  return {
    waiting: names(spoolDir).filter((name) => /\.(json|event)$/.test(name)).length,
    rejected: names(rejectedDir).length,
  };
}

function renderStatus(
  {
    worker,
    queue,
    memory,
    undoableDeletions,
    spool,
    search,
    observer,
    today,
    holdout,
    notices,
    paths,
  }: Status,
  now: number,
): string {
  const lines: [string, string][] = [
    ['worker', workerLine(worker)],
    ['observer', observerLine(observer)],
    ...(today && (today.calls.spent > 0 || observer.provider !== 'local')
      ? [['today', formatBudget(today)] as [string, string]]
      : []),
    ['queue', queue ? queueLine(queue, now) : 'unknown'],
    ['spool', `${spool.waiting} waiting, ${spool.rejected} rejected`],
    ['memory', memory ? memoryLine(memory) : existsSync(paths.database) ? 'cannot be read' : 'empty'],
    ...(undoableDeletions
      ? [
          [
            'deleted',
            `${formatCount(undoableDeletions, 'deletion')} can be undone: claude-mem forget --undo list`,
          ] as [string, string],
        ]
      : []),
    ...(search ? [['search', formatIndexState(search)] as [string, string]] : []),
    ...(holdout > 0 ? [['holdout', holdoutLine(holdout)] as [string, string]] : []),
    ['data', paths.dataDir],
    ['log', paths.log],
    ...notices
      .filter((notice) => notice !== observer.problem && notice !== worker.reason)
      .map((notice): [string, string] => ['note', notice]),
  ];
  return lines.map(([name, text]) => `${name.padEnd(9)} ${text}`).join('\n');
}

function workerLine({ state, reason, pid, version, uptimeMs, url }: Status['worker']): string {
  if (state === 'away')
    return reason ? `${reason}; claude-mem restart` : 'not running; start it with: claude-mem start';
  const since = uptimeMs === null ? '' : ` for ${formatDuration(uptimeMs)}`;
  const where = url ?? 'Unix socket only';
  return `${state}${reason ? ` (${reason})` : ''}, process ${pid}, version ${version}${since}, ${where}`;
}

const holdoutLine = (share: number) =>
  `${Number((share * 100).toFixed(1))}% of new sessions get no injected context (CLAUDE_MEM_HOLDOUT); results: claude-mem eval`;

function observerLine({ provider, model, state, problem }: Status['observer']): string {
  const who = model === null ? provider : `${provider} (${model})`;
  if (state === 'away') return who;
  return `${who}, ${state === 'works' ? 'working' : 'paused'}${problem === null ? '' : `: ${problem}`}`;
}

function queueLine(
  { pending, processing, parked, orphans, oldestPendingEpoch }: QueueCounts,
  now: number,
): string {
  const parts = [
    `${pending} pending`,
    `${processing} processing`,
    parked > 0 ? `${parked} parked (claude-mem queue list --status parked)` : '0 parked',
    orphans > 0 ? `${orphans} orphans` : '',
    oldestPendingEpoch === null
      ? ''
      : `oldest waiting for ${formatDuration(Math.max(0, now - oldestPendingEpoch))}`,
  ];
  return parts.filter(Boolean).join(', ');
}

function memoryLine(memory: NonNullable<Status['memory']>): string {
  const { observations, summaries, sessions, projects, databaseBytes } = memory;
  return [
    formatCount(observations, 'observation'),
    formatCount(summaries, 'summary', 'summaries'),
    formatCount(sessions, 'session'),
    formatCount(projects, 'project'),
    `${(databaseBytes / 1048576).toFixed(1)} MiB`,
  ].join(', ');
}
