import type { HookEnv } from '@claude-mem/host-adapters';
import type { Capture } from './create-capture.js';
import type { CaptureCounters } from './counters.js';
import type { SessionContext } from './create-session-context.js';
import type { SpoolTake } from './create-spool.js';
import type { ReadHook } from './read-hook.js';

/** A spooled hook goes the way of a live one; only that nobody waits for an answer. */
export async function takeSpooled(
  {
    readHook,
    capture,
    contextDelivery,
    counters,
    mayKeep,
    onTaken,
  }: {
    readHook: ReadHook;
    capture: Capture;
    contextDelivery: { context: Pick<SessionContext, 'missed' | 'unanswered'> };
    counters: CaptureCounters;
    /** False where nothing from there may lie anywhere. */
    mayKeep(from: { projectDir: string | null }): boolean;
    onTaken(env: HookEnv): void;
  },
  hook: { host: string; event: string; body: Uint8Array; occurredAtEpoch: number },
): Promise<SpoolTake> {
  const input = readHook(hook);
  if (input.kind === 'invalid') {
    counters.failed += 1;
    if (hook.body.length === 0) counters.blank += 1;
    const { projectDir = null } = input.env;
    if (input.isEmpty || !mayKeep({ projectDir })) return { kind: 'done' };
    return { kind: 'unusable', reason: input.message };
  }
  if (input.kind === 'ignored') {
    counters.ignored += 1;
    return { kind: 'done' };
  }
  const { event } = input;
  if (event.kind === 'prompt') contextDelivery.context.unanswered(event, { at: hook.occurredAtEpoch });
  const outcome = await capture.take(event, { env: input.env, occurredAtEpoch: hook.occurredAtEpoch });
  if (event.kind === 'session-start' && outcome.kind === 'committed')
    await contextDelivery.context.missed(event, outcome);
  counters[outcome.kind === 'committed' ? 'events' : 'ignored'] += 1;
  onTaken(input.env);
  return { kind: 'done' };
}
