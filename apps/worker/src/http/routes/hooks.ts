import type { FastifyInstance } from 'fastify';
import { answerHook } from '../../capture/answer-hook.js';
import type { ReadHook } from '../../capture/read-hook.js';
import type { CaptureCounters } from '../../capture/counters.js';
import type { WorkerLog } from '../../log/create-log.js';
import type { NeedMemory } from '../../open-memory.js';
import { bindRoute } from '../bind-route.js';

const EMPTY = new Uint8Array();

export async function hookRoutes(
  app: FastifyInstance,
  options: { memory: NeedMemory; readHook: ReadHook; counters: CaptureCounters; log: WorkerLog },
): Promise<void> {
  bindRoute(app, 'hook', async ({ params }, { request, reply }) => {
    const { capture, context } = options.memory();
    const body = request.body instanceof Uint8Array ? request.body : EMPTY;
    const stdout = await answerHook({ ...options, capture, context }, { ...params, body });
    reply.type('text/plain; charset=utf-8');
    return stdout;
  });
}
