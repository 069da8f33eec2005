import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, Logger } from '@claude-mem/core';
import type { Settings } from '@claude-mem/settings';
import type { Access } from '../access/create-access.js';
import type { SocketChoice } from '../lifecycle/choose-socket.js';
import { isLoopbackName } from './address.js';
import { createRefusalLog } from './create-refusal-log.js';
import { createGate } from './gate.js';
import { listenOnSocket, type Listener } from './listen.js';
import { serveTcp, type TcpServer, type TcpState } from './serve-tcp.js';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** The unix socket for hooks, and the TCP port for the viewer and tools. */
export interface Listeners {
  /** Opens both. A problem of one does not affect the other. */
  open(choice: SocketChoice, handler: RequestHandler): Promise<void>;
  /** Path of the open unix socket. */
  socket(): string | null;
  tcp(): TcpState;
  /** True when another process listens on the socket. */
  isSocketTaken(): boolean;
  /** One sentence for each problem. */
  problems(): string[];
  close(options: { graceMs: number }): Promise<void>;
}

const CLOSED: TcpState = { host: '', port: 0, isListening: false, problem: null };

export function createListeners({
  settings,
  access,
  onTcpChanged,
  clock,
  log,
  signal,
}: {
  settings: Pick<Settings, 'workerHost' | 'workerPort'>;
  access: Access;
  onTcpChanged: () => void;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
}): Listeners {
  const onRefused = createRefusalLog({ log, clock });
  let socket: { path: string; listener: Listener } | null = null;
  let tcp: TcpServer | null = null;
  let socketProblem: string | null = null;
  let isSocketTaken = false;

  const openSocket = async (choice: SocketChoice, handler: RequestHandler) => {
    if (choice.kind === 'none') return void (socketProblem = choice.reason);
    const gate = createGate({ access, port: () => null, isWide: false, onRefused }, handler);
    const result = await listenOnSocket(choice.path, gate);
    if (result.kind === 'listening') return void (socket = { path: choice.path, listener: result.listener });
    isSocketTaken = result.cause.code === 'EADDRINUSE';
    socketProblem = `${choice.path} cannot be listened on (${result.cause.code ?? result.cause.message})`;
  };

  return {
    async open(choice, handler) {
      await openSocket(choice, handler);
      if (socketProblem !== null) log.error({ reason: socketProblem }, 'There is no unix socket');
      const isWide = !isLoopbackName(settings.workerHost);
      tcp = await serveTcp({
        host: settings.workerHost,
        port: settings.workerPort,
        handlerFor: (port) => createGate({ access, port, isWide, onRefused }, handler),
        onListening: onTcpChanged,
        clock,
        log,
        signal,
      });
    },
    isSocketTaken: () => isSocketTaken,
    socket: () => socket?.path ?? null,
    tcp: () => tcp?.state() ?? CLOSED,
    problems: () => {
      const hooks = socketProblem === null ? null : `Hooks cannot reach the worker: ${socketProblem}.`;
      return [hooks, tcp?.state().problem ?? null].filter((problem) => problem !== null);
    },
    async close(options) {
      await Promise.all([socket?.listener.close(options), tcp?.close(options)]);
    },
  };
}
