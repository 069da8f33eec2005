import type { HookEnv } from '@claude-mem/host-adapters';
import type { Capture } from '../events/create-capture.js';
import type { CaptureCounters } from '../events/create-capture-counters.js';
import type { SessionContext } from '../context/create-session-context.js';
import type { SpoolResult } from './create-spool.js';
import type { ReadHook } from '../events/create-hook-reader.js';

/** Captures an event from the spool. Nobody reads a response, so no text is created. */
export async function captureSpooled(
  {
    readHook,
    capture,
    contextDelivery,
    counters,
    canStore,
    onCaptured,
  }: {
    readHook: ReadHook;
    capture: Capture;
    contextDelivery: { context: Pick<SessionContext, 'missed' | 'unanswered'> };
    counters: CaptureCounters;
    /** Resolves to false when nothing from the folder may be stored, not even a rejected file. */
    canStore(from: { projectDir: string | null }): boolean;
    onCaptured(env: HookEnv): void;
  },
  hook: { host: string; event: string; body: Uint8Array; occurredAtEpoch: number },
): Promise<SpoolResult> {
  const input = readHook(hook);
  if (input.kind === 'invalid') {
    counters.failed += 1;
    if (hook.body.length === 0) counters.blank += 1;
    const { projectDir = null } = input.env;
    if (input.isEmpty || !canStore({ projectDir })) return { kind: 'done' };
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
  onCaptured(input.env);
  return { kind: 'done' };
}
