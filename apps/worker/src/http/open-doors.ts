import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, Logger } from '@claude-mem/core';
import type { Settings } from '@claude-mem/settings';
import type { Access } from '../access/create-access.js';
import type { SocketChoice } from '../lifecycle/choose-socket.js';
import { isLoopbackName } from './address.js';
import { createRefusalLog } from './create-refusal-log.js';
import { createGate } from './gate.js';
import { listenOnSocket, type Listener } from './open-listeners.js';
import { serveTcp, type TcpState } from './serve-tcp.js';

export interface Doors {
  /** Path of the unix socket that is listened on. */
  socket(): string | null;
  tcp(): TcpState;
  /** True when another process answers on the socket. */
  isSocketTaken: boolean;
  /** What is wrong with one of them, in a sentence each. */
  problems(): string[];
  close(options: { graceMs: number }): Promise<void>;
}

/** Opens the unix socket for hooks and TCP for the viewer and tools, each behind its gate. Neither stops the other. */
export async function openDoors({
  choice,
  settings,
  access,
  handler,
  onTcpChanged,
  clock,
  log,
  signal,
}: {
  choice: SocketChoice;
  settings: Pick<Settings, 'workerHost' | 'workerPort'>;
  access: Access;
  handler: (request: IncomingMessage, response: ServerResponse) => void;
  onTcpChanged: () => void;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
}): Promise<Doors> {
  const onRefused = createRefusalLog({ log, clock });
  let socketListener: Listener | null = null;
  let socketProblem = choice.kind === 'none' ? choice.reason : null;
  let isSocketTaken = false;
  if (choice.kind === 'path') {
    const gate = createGate({ access, port: () => null, isWide: false, onRefused }, handler);
    const result = await listenOnSocket(choice.path, gate);
    if (result.kind === 'listening') socketListener = result.listener;
    else {
      isSocketTaken = result.cause.code === 'EADDRINUSE';
      socketProblem = `${choice.path} cannot be listened on (${result.cause.code ?? result.cause.message})`;
    }
  }
  if (socketProblem !== null) log.error({ reason: socketProblem }, 'There is no unix socket');
  const isWide = !isLoopbackName(settings.workerHost);
  const tcp = await serveTcp({
    host: settings.workerHost,
    port: settings.workerPort,
    handlerFor: (port) => createGate({ access, port, isWide, onRefused }, handler),
    onListening: onTcpChanged,
    clock,
    log,
    signal,
  });
  return {
    isSocketTaken,
    socket: () => (choice.kind === 'path' && socketListener !== null ? choice.path : null),
    tcp: tcp.state,
    problems: () => {
      const hooks = socketProblem === null ? null : `Hooks cannot reach the worker: ${socketProblem}.`;
      return [hooks, tcp.state().problem].filter((problem) => problem !== null);
    },
    async close(options) {
      await Promise.all([socketListener?.close(options), tcp.close(options)]);
    },
  };
}
