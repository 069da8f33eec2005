import type { Health, HealthDetail } from '@claude-mem/worker-protocol';
import { ClaudeMemError, messageOf, type QueueCounts } from '@claude-mem/core';
import type { OpenMemory } from '../open-memory.js';
import type { CaptureCounters } from '../capture/counters.js';

/** What the parts of the worker know about themselves. */
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
  /** Sentences about what needs attention, from wherever. */
  notices(): readonly string[];
  residentBytes(): number;
}

export interface HealthReport {
  brief(): Promise<Health>;
  detail(): Promise<HealthDetail>;
}

/** Puts together what `/health` says. Never waits for the database longer than one count. */
export function createHealth(sources: HealthSources): HealthReport {
  const brief = async (): Promise<Health> => {
    const { state, reason } = sources.readiness();
    const memory = sources.memory();
    const counted = memory === null ? null : await countQueue(memory);
    const spool = await sources.spool();
    const storage = memory?.storage.health();
    const notices = [
      ...(storage?.notices ?? []),
      ...(counted?.problem ? [counted.problem] : []),
      ...sources.notices(),
      ...(await memoryNotices(memory)),
      ...(counted?.queue ? queueNotices(counted.queue) : []),
      ...(spool.rejected > 0
        ? [`${spool.rejected} spooled events could not be used; they are in spool/rejected.`]
        : []),
    ];
    const isReady = state === 'ready' && storage?.status !== 'failed';
    const status =
      state === 'failed' || storage?.status === 'failed'
        ? 'failed'
        : !isReady
          ? 'starting'
          : notices.length > 0
            ? 'degraded'
            : 'ok';
    return {
      status,
      live: true,
      ready: isReady,
      ...(reason === null ? {} : { reason }),
      version: sources.version,
      pid: sources.pid,
      uptimeMs: sources.now() - sources.startedAt,
      queue: counted?.queue ?? null,
      storage: storage === undefined ? { state } : { ...storage },
      notices,
    };
  };
  return {
    brief,
    async detail() {
      const tcp = sources.tcp();
      const { problem, ...address } = tcp;
      return {
        ...(await brief()),
        dataDir: sources.dataDir,
        logFile: sources.logFile(),
        socket: sources.socket() ?? '',
        tcp: problem === null ? address : { ...address, problem },
        spool: await sources.spool(),
        observer: observerDetail(sources.memory()),
        search: await searchDetail(sources.memory()),
        capture: { ...sources.counters },
        memoryBytes: sources.residentBytes(),
      };
    },
  };
}

function observerDetail(memory: OpenMemory | null): HealthDetail['observer'] {
  if (memory === null) return { provider: '', model: null, running: 0, providers: [] };
  const { problem, providers, ...state } = memory.observing.state();
  return { ...state, providers: [...providers], ...(problem === null ? {} : { problem }) };
}

async function searchDetail(memory: OpenMemory | null): Promise<HealthDetail['search']> {
  try {
    return (await memory?.searching.state()) ?? null;
  } catch (error) {
    // a database that cannot be read is said where it is counted
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
    return { queue: null, problem: `The queue cannot be read: ${messageOf(error)}.` };
  }
}

async function memoryNotices(memory: OpenMemory | null): Promise<readonly string[]> {
  if (memory === null) return [];
  const problem = memory.captureProblem();
  return [
    ...(problem === null ? [] : [problem]),
    ...memory.observing.notices(),
    ...memory.contextFiles.problems(),
    ...(await memory.searching.notices().catch(() => [])),
  ];
}

function queueNotices({ parked, orphans }: QueueCounts): string[] {
  const notices: string[] = [];
  if (parked > 0)
    notices.push(
      `${parked} events are parked after failed attempts: look at them with "claude-mem queue", then retry or drop them.`,
    );
  if (orphans > 0) notices.push(`${orphans} queued events belong to no session.`);
  return notices;
}
