import type { OpenMemory } from '../open-memory.js';
import { WorkerError } from '../worker-error.js';

export interface Readiness {
  /** `failed`: running, but the user has to act; see the reason. */
  state(): { state: 'starting' | 'failed' | 'ready' | 'stopping'; reason: string | null };
  /** The reason in the state `failed`, or null. */
  failure(): string | null;
  /** The open database, even while the spool is being processed. */
  memory(): OpenMemory | null;
  /** The same, or an error. @throws WorkerError `worker/not-ready` */
  opened(): OpenMemory;
  /** The open database after the spool was processed. @throws WorkerError `worker/not-ready` or `worker/stopping` */
  need(): OpenMemory;
  starting(reason: string): void;
  failed(reason: string): void;
  open(memory: OpenMemory): void;
  ready(): void;
  stopping(): void;
}

/** Tracks whether the worker is ready. It is alive as long as it responds. */
export function createReadiness(): Readiness {
  let current: ReturnType<Readiness['state']> = { state: 'starting', reason: 'The worker is starting.' };
  let memory: OpenMemory | null = null;
  const set = (state: typeof current.state, reason: string | null) => {
    if (current.state !== 'stopping') current = { state, reason };
  };
  return {
    state: () => current,
    failure: () => (current.state === 'failed' ? current.reason : null),
    memory: () => memory,
    need() {
      if (memory !== null && current.state === 'ready') return memory;
      const code = current.state === 'stopping' ? 'worker/stopping' : 'worker/not-ready';
      throw new WorkerError(code, current.reason ?? 'The worker is not ready.');
    },
    starting: (reason) => set('starting', reason),
    failed: (reason) => set('failed', reason),
    open: (opened) => void (memory = opened),
    opened() {
      if (memory === null) throw new WorkerError('worker/not-ready', current.reason ?? 'Not open yet.');
      return memory;
    },
    ready: () => set('ready', null),
    stopping: () => set('stopping', 'The worker is ending.'),
  };
}
