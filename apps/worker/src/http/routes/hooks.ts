import type { Clock } from '@claude-mem/core';
import { ROUTES } from '@claude-mem/worker-protocol';
import type { HookEnv } from '@claude-mem/host-adapters';
import type { FastifyInstance } from 'fastify';
import { answerHook } from '../../capture/answer-hook.js';
import { createSessionNotice } from '../../capture/create-session-notice.js';
import type { ReadHook } from '../../capture/read-hook.js';
import { removeSpooled } from '../../capture/remove-spooled.js';
import { tellFailure } from '../../capture/tell-failure.js';
import type { Spool } from '../../capture/create-spool.js';
import type { CaptureCounters } from '../../capture/counters.js';
import type { LiveSettings } from '../../lifecycle/create-live-settings.js';
import { isNewerVersion } from '../../lifecycle/is-newer-version.js';
import type { WorkerLog } from '../../log/create-log.js';
import type { NeedMemory } from '../../open-memory.js';

const EMPTY = new Uint8Array();

export async function hookRoutes(
  app: FastifyInstance,
  options: {
    memory: NeedMemory;
    /** Why a person has to do something before anything can be stored; null when nobody has to. */
    failure: () => string | null;
    readHook: ReadHook;
    counters: CaptureCounters;
    log: WorkerLog;
    version: string;
    spoolDir: string;
    spool: Spool;
    live: LiveSettings;
    clock: Clock;
    stop: () => void;
  },
): Promise<void> {
  const { log, version, spoolDir, stop } = options;
  const notice = createSessionNotice({
    recovery: () => options.memory().storage.health().recoveryNotice,
    observer: () => options.memory().observing.notice(),
    messages: { list: (selection) => options.memory().messages.list(selection) },
  });
  const tellsOfContext = () => options.live.current().contextNotice;
  // not through bindRoute: thousands a second, and any text will do as host and event
  app.post<{ Params: { host: string; event: string } }>(ROUTES.hook.path, async (request, reply) => {
    const body = request.body instanceof Uint8Array ? request.body : EMPTY;
    const { host, event } = request.params;
    const reason = options.failure();
    const told = reason === null ? null : tellFailure({ ...options, reason }, { host, event, body });
    if (told !== null) return reply.type('text/plain; charset=utf-8').send(told);
    const { capture, giving } = options.memory();
    await options.spool.caughtUp();
    const onDelivered = ({ eventId, version: hookVersion }: HookEnv) => {
      if (eventId !== undefined) removeSpooled({ spoolDir, log }, { host, event, eventId });
      if (!isNewerVersion(hookVersion, version)) return;
      log.info({ version, hookVersion }, 'A newer version is installed; this worker makes way for its own');
      // after the answer is out; the next event starts the worker that belongs to the newer hook
      reply.raw.once('finish', stop);
    };
    const hasGone = async () => {
      // a hook that left while something kept this process from looking is only seen now
      await new Promise((resolve) => setImmediate(resolve));
      return reply.raw.destroyed;
    };
    const stdout = await answerHook(
      // the options last: V8 gives every object that begins with another's fields and adds to them a class of its own
      { capture, giving, notice, tellsOfContext, onDelivered, hasGone, ...options },
      { host, event, body },
    );
    reply.type('text/plain; charset=utf-8');
    return stdout;
  });
}
