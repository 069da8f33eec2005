import type { Health, HealthDetail } from '@claude-mem/worker-protocol';
import { ClaudeMemError, messageOf, type QueueCounts } from '@claude-mem/core';
import type { StorageHealth } from '@claude-mem/storage';
import type { OpenMemory } from '../open-memory.js';
import type { CaptureCounters } from '@claude-mem/capture';
import { toNotices, toProblems, type Diagnostic } from './diagnostic.js';
import {
  memoryDiagnostics,
  notReadyDiagnostic,
  queueDiagnostics,
  spoolDiagnostic,
  uncountedDiagnostic,
} from './memory-diagnostics.js';

/** The state of the parts of the worker. */
export interface HealthSources {
  version: string;
  pid: number;
  startedAt: number;
  now(): number;
  dataDir: string;
  logFile(): string;
  readiness(): { state: 'starting' | 'failed' | 'ready' | 'stopping'; reason: string | null };
  memory(): OpenMemory | null;
  socket(): string | null;
  tcp(): { host: string; port: number; isListening: boolean; problem: string | null };
  spool(): Promise<{ waiting: number; rejected: number }>;
  counters: CaptureCounters;
  /** Problems outside of the memory. */
  diagnostics(): readonly Diagnostic[];
  residentBytes(): number;
}

export interface HealthReport {
  brief(): Promise<Health>;
  detail(): Promise<HealthDetail>;
}

/** Creates the response of `/health`. Waits for the database for at most one count. */
export function createHealth(sources: HealthSources): HealthReport {
  const look = async () => {
    const { state, reason: notReady } = sources.readiness();
    const memory = sources.memory();
    const counted = memory === null ? null : await countQueue(memory);
    const spool = await sources.spool();
    const opened = memory?.storage.health();
    const reason = notReady ?? (opened?.status === 'failed' ? (opened.notices[0] ?? null) : null);
    const diagnostics: Diagnostic[] = [
      ...(opened?.diagnostics ?? []),
      ...(counted?.problem ? [uncountedDiagnostic(counted.problem)] : []),
      ...sources.diagnostics(),
      ...(memory === null ? [] : await memoryDiagnostics(memory)),
      ...(counted?.queue ? queueDiagnostics(counted.queue) : []),
      ...(spool.rejected > 0 ? [spoolDiagnostic(spool.rejected)] : []),
    ];
    const notices = toNotices(diagnostics);
    const isReady = state === 'ready' && opened?.status !== 'failed';
    const status =
      state === 'failed' || opened?.status === 'failed'
        ? 'failed'
        : !isReady
          ? 'starting'
          : notices.length > 0
            ? 'degraded'
            : 'ok';
    const health: Health = {
      status,
      live: true,
      ready: isReady,
      ...(reason === null ? {} : { reason }),
      version: sources.version,
      pid: sources.pid,
      uptimeMs: sources.now() - sources.startedAt,
      queue: counted?.queue ?? null,
      storage: opened === undefined ? { state } : withoutDiagnostics(opened),
      notices,
    };
    return {
      health,
      spool,
      diagnostics: [...(notReady === null ? [] : [notReadyDiagnostic(notReady)]), ...diagnostics],
    };
  };
  return {
    brief: async () => (await look()).health,
    async detail() {
      const { health, spool, diagnostics } = await look();
      const memory = sources.memory();
      const tcp = sources.tcp();
      const { problem, ...address } = tcp;
      return {
        ...health,
        problems: toProblems(diagnostics),
        dataDir: sources.dataDir,
        logFile: sources.logFile(),
        socket: sources.socket() ?? '',
        tcp: problem === null ? address : { ...address, problem },
        spool,
        observer: observerDetail(memory),
        search: await unlessUnreadable(memory?.searching.state()),
        capture: { ...sources.counters },
        isErased: await unlessUnreadable(memory?.store.isErased()),
        memoryBytes: sources.residentBytes(),
      };
    },
  };
}

function observerDetail(memory: OpenMemory | null): HealthDetail['observer'] {
  if (memory === null) return { provider: '', model: null, running: 0, providers: [] };
  const { problem, providers, ...state } = memory.observer.state();
  return { ...state, providers: [...providers], ...(problem === null ? {} : { problem }) };
}

/** An unreadable database is reported with its queue count. */
async function unlessUnreadable<Value>(asked: Promise<Value> | undefined): Promise<Value | null> {
  try {
    return (await asked) ?? null;
  } catch (error) {
    if (!ClaudeMemError.isInstance(error)) throw error;
    return null;
  }
}

async function countQueue({
  messages,
}: OpenMemory): Promise<{ queue: QueueCounts | null; problem: string | null }> {
  try {
    return { queue: await messages.counts(), problem: null };
  } catch (error) {
    return { queue: null, problem: messageOf(error) };
  }
}

const withoutDiagnostics = ({ diagnostics: _, ...storage }: StorageHealth) => storage;
