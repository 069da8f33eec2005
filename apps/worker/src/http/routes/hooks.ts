import type { Clock, Logger } from '@claude-mem/core';
import { ROUTES } from '@claude-mem/worker-protocol';
import type { HookEnv } from '@claude-mem/host-adapters';
import type { DataPaths } from '@claude-mem/settings';
import type { FastifyInstance } from 'fastify';
import {
  answerHook,
  createSessionNotice,
  type ReadHook,
  publishSpooled,
  removeSpooled,
  answerFailure,
  type Spool,
  type CaptureCounters,
} from '@claude-mem/capture';
import type { LiveSettings } from '../../lifecycle/create-live-settings.js';
import type { NeedMemory } from '../../open-memory.js';

const EMPTY = new Uint8Array();

export async function hookRoutes(
  app: FastifyInstance,
  options: {
    memory: NeedMemory;
    /** Why events cannot be stored until the user acts. Null when they can be stored. */
    failure: () => string | null;
    readHook: ReadHook;
    counters: CaptureCounters;
    log: Logger;
    version: string;
    paths: DataPaths;
    spool: Spool;
    live: LiveSettings;
    clock: Clock;
    /** Ends this worker when the hook belongs to a newer version. */
    yieldToNewer: (env: HookEnv) => void;
  },
): Promise<void> {
  const { log, version } = options;
  const { spoolDir } = options.paths;
  const notice = createSessionNotice({
    recovery: () => options.memory().storage.health().recoveryNotice,
    relocation: (project) => options.memory().relocation.messageFor(project),
    observer: () => options.memory().observer.notice(),
    messages: { list: (selection) => options.memory().messages.list(selection) },
  });
  const isContextNoticeOn = () => options.live.current().contextNotice;
  const storeEarlier = () =>
    options.spool.drain().catch((error: unknown) => {
      log.warn({ error }, 'The spool cannot be read');
      return true;
    });
  // Without bindRoute, for thousands of requests per second. Every text is a valid host and event name.
  app.post<{ Params: { host: string; event: string } }>(ROUTES.hook.path, async (request, reply) => {
    const body = request.body instanceof Uint8Array ? request.body : EMPTY;
    const { host, event } = request.params;
    const reason = options.failure();
    const failureAnswer =
      reason === null
        ? null
        : answerFailure({ readHook: options.readHook, spoolDir, reason }, { host, event, body });
    if (failureAnswer !== null) return reply.type('text/plain; charset=utf-8').send(failureAnswer);
    const { capture, contextDelivery } = options.memory();
    const onDelivered = (env: HookEnv) => {
      if (env.eventId !== undefined) removeSpooled({ spoolDir, log }, { host, event, eventId: env.eventId });
      // Runs after the response was sent.
      if (env.version !== version) reply.raw.once('finish', () => options.yieldToNewer(env));
    };
    const onLeftInSpool = (env: HookEnv) => {
      if (env.eventId !== undefined) publishSpooled({ spoolDir, log }, { host, event, eventId: env.eventId });
    };
    const hasDisconnected = () => reply.raw.destroyed;
    const onUnread = (callback: () => void) => {
      const { socket } = request.raw;
      if (socket.destroyed) callback();
      // The system reports an error when the other side closes a socket with unread data.
      else socket.once('close', (hadError) => (hadError || !reply.raw.writableFinished) && callback());
    };
    const onSent = (callback: () => void) => void reply.raw.once('finish', callback);
    const stdout = await answerHook(
      // The options are last, because V8 creates a new hidden class for every object that copies another object's
      // fields before it adds its own.
      {
        capture,
        contextDelivery,
        notice,
        isContextNoticeOn,
        storeEarlier,
        onDelivered,
        onLeftInSpool,
        hasDisconnected,
        onUnread,
        onSent,
        ...options,
      },
      { host, event, body },
    );
    reply.type('text/plain; charset=utf-8');
    return stdout;
  });
}
