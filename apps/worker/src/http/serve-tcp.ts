import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, Logger } from '@claude-mem/core';
import { listenOnTcp, type Listener } from './listen.js';

export interface TcpState {
  host: string;
  port: number;
  isListening: boolean;
  problem: string | null;
}

export interface TcpServer extends Listener {
  state(): TcpState;
}

const RETRY_MS = 30_000;

/**
 * Listens on TCP. Retries every 30 seconds when the port is taken. Resolves after the first attempt, because hooks do not need TCP.
 */
export async function serveTcp({
  host,
  port,
  handlerFor,
  onListening,
  clock,
  log,
  signal,
}: {
  host: string;
  port: number;
  /** The gate needs the port, which the system chooses for port 0. */
  handlerFor(port: () => number): (request: IncomingMessage, response: ServerResponse) => void;
  onListening(port: number): void;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
}): Promise<TcpServer> {
  const state: TcpState = { host, port, isListening: false, problem: null };
  let listener: Listener | null = null;
  const attempt = async (): Promise<boolean> => {
    const result = await listenOnTcp(
      { host, port },
      handlerFor(() => state.port),
    );
    if (result.kind === 'failed') {
      const problem = problemOf(result.cause, host, port);
      if (state.problem !== problem) log.warn({ code: result.cause.code, host, port }, problem);
      state.problem = problem;
      return false;
    }
    listener = result.listener;
    Object.assign(state, { port: result.port ?? port, isListening: true, problem: null });
    onListening(state.port);
    return true;
  };
  const retry = async () => {
    while (!signal.aborted) {
      await clock.sleep(RETRY_MS, { signal });
      if (await attempt()) return;
    }
  };
  if (!(await attempt()))
    void retry().catch((error: unknown) => {
      if (!signal.aborted) log.error({ error }, 'Listening on TCP was given up');
    });
  return { state: () => ({ ...state }), close: async (options) => listener?.close(options) };
}

function problemOf(cause: NodeJS.ErrnoException, host: string, port: number): string {
  if (cause.code === 'EADDRINUSE')
    return `Port ${port} is in use by another program, for example another claude-mem worker: the viewer and tools cannot connect there. Hooks work. Free the port or set CLAUDE_MEM_WORKER_PORT.`;
  return `Cannot listen on ${host} port ${port} (${cause.code ?? cause.message}): set CLAUDE_MEM_WORKER_HOST and CLAUDE_MEM_WORKER_PORT. Hooks work.`;
}
