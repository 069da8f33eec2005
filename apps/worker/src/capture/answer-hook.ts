import { randomUUID } from 'node:crypto';
import type { HookEnv } from '@claude-mem/host-adapters';
import type { WorkerLog } from '../log/create-log.js';
import type { Capture, CaptureOutcome } from './create-capture.js';
import type { ReadHook } from './read-hook.js';
import type { CaptureCounters } from './counters.js';
import type { SessionContext } from './create-session-context.js';
import type { SessionNotice } from './create-session-notice.js';

export interface AnswerHookOptions {
  readHook: ReadHook;
  capture: Capture;
  context: SessionContext;
  notice: SessionNotice;
  counters: CaptureCounters;
  log: WorkerLog;
  /** Called once the event is committed or known not to be kept. */
  onDelivered(env: HookEnv): void;
}

/**
 * Takes one hook and returns the exact stdout for its host, only once the event is committed. What cannot be understood
 * is logged and answered as if nothing had happened: a host is never made to fail.
 */
export async function answerHook(
  { readHook, capture, context, notice, counters, log, onDelivered }: AnswerHookOptions,
  { host, event, body }: { host: string; event: string; body: Uint8Array },
): Promise<string> {
  const input = readHook({ host, event, body });
  if (input.kind !== 'event') onDelivered(input.env);
  if (input.kind === 'invalid') {
    counters.failed += 1;
    if (body.length === 0) counters.blank += 1;
    log.warn({ host, event, bytes: body.length, reason: input.message }, 'Hook not understood');
    return input.adapter?.writeAnswer(event, {}) ?? '';
  }
  if (input.kind === 'ignored') {
    counters.ignored += 1;
    log.debug({ host, event, reason: input.reason }, 'Hook ignored');
    return input.adapter.writeAnswer(event, {});
  }
  if (input.kind === 'question') return input.adapter.writeAnswer(event, {});
  const outcome = await capture.take(input.event, { env: input.env });
  count(counters, outcome);
  onDelivered(input.env);
  if (log.isDebug)
    log.debug({ host, event, eventId: input.env.eventId ?? randomUUID(), ...brief(outcome) }, 'Hook taken');
  if (input.event.kind !== 'session-start' || outcome.kind === 'left-out')
    return input.adapter.writeAnswer(event, {});
  const [text, word] = await Promise.all([
    context.textFor({ source: input.event.source, outcome }),
    notice.textFor(outcome.result.sessionId),
  ]);
  const answer = { ...(text === '' ? {} : { context: text }), ...(word === null ? {} : { notice: word }) };
  return input.adapter.writeAnswer(event, answer);
}

function count(counters: CaptureCounters, outcome: CaptureOutcome): void {
  if (outcome.kind === 'left-out') counters.ignored += 1;
  else counters.events += 1;
}

function brief(outcome: CaptureOutcome) {
  return outcome.kind === 'left-out'
    ? { outcome: 'left-out', reason: outcome.reason }
    : {
        outcome: outcome.result.kind,
        session: outcome.result.sessionId,
        prompt: outcome.result.promptNumber,
      };
}
