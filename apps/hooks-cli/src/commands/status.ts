import { existsSync, readdirSync } from 'node:fs';
import type { QueueCounts, StoreStats } from '@claude-mem/core';
import { StorageError } from '@claude-mem/storage';
import type { Command, CommandContext } from '../command.js';
import { EXIT, exitCodeOf } from '../exit-codes.js';
import { openOfflineMemory } from '../offline-memory.js';
import { textOfDuration } from '../text-of-time.js';

/** What `status --json` prints. */
export interface Status {
  worker: {
    state: 'ready' | 'starting' | 'failed' | 'away';
    reason: string | null;
    pid: number | null;
    version: string | null;
    uptimeMs: number | null;
    /** Null when it only answers on its socket. */
    url: string | null;
  };
  /** Null when neither the worker nor the database could be asked. */
  queue: QueueCounts | null;
  memory: Omit<StoreStats, 'outcomes'> | null;
  spool: { waiting: number; rejected: number };
  provider: string;
  notices: readonly string[];
  paths: { dataDir: string; log: string; settings: string; database: string };
}

export const statusCommand: Command = {
  name: 'status',
  summary: 'Show the worker, the queue and the memory on one screen',
  options: { json: { type: 'boolean', summary: 'As JSON' } },
  async run(context) {
    const status = await readStatus(context);
    context.terminal.print(
      context.options['json'] ? JSON.stringify(status, null, 2) : renderStatus(status, Date.now()),
    );
    return status.worker.state === 'away' ? EXIT.workerAway : EXIT.done;
  },
};

async function readStatus(context: CommandContext): Promise<Status> {
  const { paths, settings, problems } = context.loaded;
  const { worker } = context;
  const health = await worker.client.healthDetail().catch(ignoreAway);
  const offline = health?.ready ? null : await readOffline(context);
  const stats = health?.ready ? await worker.client.stats().catch(ignoreAway) : offline?.stats;
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
      reason: health?.reason ?? null,
      pid: health?.pid ?? null,
      version: health?.version ?? null,
      uptimeMs: health?.uptimeMs ?? null,
      url,
    },
    queue: health?.queue ?? offline?.queue ?? null,
    memory: stats ? withoutOutcomes(stats) : null,
    spool: health?.spool ?? countSpool(paths),
    provider: health?.observer.provider ?? settings.provider,
    notices: [...(health?.notices ?? []), ...(offline?.notices ?? []), ...(health ? [] : problems)],
    paths: {
      dataDir: paths.dataDir,
      log: health?.logFile ?? paths.logsDir,
      settings: paths.settingsFile,
      database: paths.database,
    },
  };
}

function ignoreAway(error: unknown): null {
  if (exitCodeOf(error) === EXIT.workerAway) return null;
  throw error;
}

async function readOffline(context: CommandContext) {
  try {
    await using memory = openOfflineMemory(context);
    if (memory === null) return null;
    return { stats: await memory.store.stats(), queue: await memory.messages.counts(), notices: [] };
  } catch (error) {
    if (!StorageError.isInstance(error)) throw error;
    return { stats: null, queue: null, notices: [error.message] };
  }
}

const withoutOutcomes = ({ outcomes: _, ...memory }: StoreStats) => memory;
const bracketed = (host: string) => (host.includes(':') ? `[${host}]` : host);

/** Events that hooks left and the worker has not taken yet. */
export function countSpool({ spoolDir, rejectedDir }: { spoolDir: string; rejectedDir: string }) {
  const names = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);
  return {
    waiting: names(spoolDir).filter((name) => name.endsWith('.json')).length,
    rejected: names(rejectedDir).length,
  };
}

function renderStatus(
  { worker, queue, memory, spool, provider, notices, paths }: Status,
  now: number,
): string {
  const lines: [string, string][] = [
    ['worker', workerLine(worker)],
    ['observer', provider],
    ['queue', queue ? queueLine(queue, now) : 'unknown'],
    ['spool', `${spool.waiting} waiting, ${spool.rejected} rejected`],
    ['memory', memory ? memoryLine(memory) : 'nothing yet'],
    ['data', paths.dataDir],
    ['log', paths.log],
    ...notices.map((notice): [string, string] => ['note', notice]),
  ];
  return lines.map(([name, text]) => `${name.padEnd(9)} ${text}`).join('\n');
}

function workerLine({ state, reason, pid, version, uptimeMs, url }: Status['worker']): string {
  if (state === 'away') return 'away; start it with: claude-mem start';
  const since = uptimeMs === null ? '' : ` for ${textOfDuration(uptimeMs)}`;
  const where = url ?? 'unix socket only';
  return `${state}${reason ? ` (${reason})` : ''}, process ${pid}, version ${version}${since}, ${where}`;
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
      : `oldest waits ${textOfDuration(Math.max(0, now - oldestPendingEpoch))}`,
  ];
  return parts.filter(Boolean).join(', ');
}

function memoryLine(memory: NonNullable<Status['memory']>): string {
  const { observations, summaries, sessions, projects, databaseBytes } = memory;
  return `${observations} observations, ${summaries} summaries, ${sessions} sessions, ${projects} projects, ${(databaseBytes / 1048576).toFixed(1)} MiB`;
}
