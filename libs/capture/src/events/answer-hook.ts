import { pause, type Clock, type HostEvent, type InjectionKind, type Logger } from '@claude-mem/core';
import type { HookAnswer, HookEnv, HostAdapter } from '@claude-mem/host-adapters';
import { CaptureError } from '../capture-error.js';
import type { Capture, CaptureOutcome, CommittedEvent } from './create-capture.js';
import type { ReadHook } from './create-hook-reader.js';
import type { CaptureCounters } from './create-capture-counters.js';
import type { ContextDelivery } from '../context/create-context-delivery.js';
import type { InjectedText } from '../context/create-injection-log.js';
import type { ProjectContext } from '../context/create-session-context.js';
import type { SessionNotice } from '../context/create-session-notice.js';
import { withTimeout } from '../context/with-timeout.js';

/** The parts that answer a hook, and callbacks about its connection. */
export interface AnswerHookOptions {
  readHook: ReadHook;
  capture: Capture;
  contextDelivery: ContextDelivery;
  notice: SessionNotice;
  /** Returns true if a notice shows the user how much context was injected. */
  isContextNoticeOn(): boolean;
  counters: CaptureCounters;
  clock: Clock;
  log: Logger;
  /** Stores all earlier events. Resolves to false when no event can be stored now. */
  storeEarlier(): Promise<boolean>;
  /** Called when the event is committed or is discarded. */
  onDelivered(env: HookEnv): void;
  /** Called when the response is sent although the event is not stored yet. The event stays in the spool. */
  onLeftInSpool(env: HookEnv): void;
  /** Returns true if the hook ended without waiting for the response. */
  hasDisconnected(): boolean;
  /** Calls back when the hook ends before it has read the response. */
  onUnread(callback: () => void): void;
  /** Calls back when the response has been sent. */
  onSent(callback: () => void): void;
}

/** Maximum time in milliseconds that an event waits for earlier events. The hook gives up after 800 ms. */
const CATCH_UP_MS = 600;
/** Time limits in milliseconds. The host waits for the text, so later results are not injected. */
const RECALL_TIMEOUT_MS = 250;
const TOOL_RESULT_TIMEOUT_MS = 220;

/**
 * Captures the event of a hook and returns the stdout for its host after the commit. Tool results are answered before
 * the commit, because the agent waits after each tool; their events stay in the spool. Invalid events are logged and
 * get an empty response, so that the host does not fail.
 * @throws CaptureError `capture/busy` when earlier events cannot be stored yet
 * @throws StorageError when the event cannot be stored
 */
export async function answerHook(
  options: AnswerHookOptions,
  { host, event, body }: { host: string; event: string; body: Uint8Array },
): Promise<string> {
  const { readHook, capture, counters, log, onDelivered, onLeftInSpool } = options;
  const input = readHook({ host, event, body });
  if (input.kind !== 'event') onDelivered(input.env);
  if (input.kind === 'invalid') {
    counters.failed += 1;
    if (body.length === 0) counters.blank += 1;
    log.warn({ host, event, bytes: body.length, reason: input.message }, 'The event of the hook is invalid');
    return input.adapter?.writeAnswer(event, {}) ?? '';
  }
  if (input.kind === 'ignored') {
    counters.ignored += 1;
    log.debug({ host, event, reason: input.reason }, 'Hook ignored');
    return input.adapter.writeAnswer(event, {});
  }
  const textForResult = input.env.eventId === undefined ? null : findTextForResult(input, options);
  if (textForResult !== null) {
    onLeftInSpool(input.env);
    const injected = (await options.contextDelivery.holdout.isHeldOut(input.event))
      ? null
      : await withTimeout(textForResult, {
          ...options,
          ms: TOOL_RESULT_TIMEOUT_MS,
          name: 'The text for the result of a tool',
        });
    if (injected !== null && input.readFile !== null)
      recordInjection(input.event, 'file', { injected, ...options });
    return input.adapter.writeAnswer(event, { context: injected?.text ?? '' });
  }
  if (!(await areEarlierStored(options)))
    throw new CaptureError(
      'capture/busy',
      'Earlier events cannot be stored yet; this event waits in the spool.',
    );
  const outcome = await capture.take(input.event, { env: input.env });
  count(counters, outcome);
  onDelivered(input.env);
  log.debug({ host, event, eventId: input.env.eventId, ...describe(outcome) }, 'Hook taken');
  const { event: taken, adapter } = input;
  const answer = outcome.kind === 'committed' ? await answerTo(taken, outcome, { adapter, ...options }) : {};
  return adapter.writeAnswer(event, answer);
}

/** Resolves to false when earlier events are not stored within the time limit. This event must then wait too. */
async function areEarlierStored({ storeEarlier, clock }: AnswerHookOptions): Promise<boolean> {
  const stop = new AbortController();
  const timeout = pause(clock, CATCH_UP_MS, stop.signal).then(() => false);
  return Promise.race([storeEarlier(), timeout]).finally(() => stop.abort());
}

async function answerTo(
  event: HostEvent,
  outcome: CommittedEvent,
  options: AnswerHookOptions & { adapter: HostAdapter },
): Promise<HookAnswer> {
  const { project, root } = outcome.found;
  const { kind, sessionId, promptNumber } = outcome.result;
  if (event.kind === 'session-start') {
    const isLater = options.adapter.takesContextWithPrompt === true || options.hasDisconnected();
    const isHeldOut = await options.contextDelivery.holdout.isHeldOut(event);
    if (isLater && !isHeldOut) await options.contextDelivery.context.missed(event, outcome);
    const startedAt = options.clock.now();
    const [context, problem] = await Promise.all([
      isLater || isHeldOut ? null : options.contextDelivery.context.contextFor(event, outcome),
      options.notice.textFor(sessionId, project),
    ]);
    if (context !== null) {
      options.onUnread(() => options.contextDelivery.context.unanswered(event, { at: startedAt }));
      recordInjection(event, 'start', { injected: context, ...options });
    }
    const injected = context !== null && options.isContextNoticeOn() ? formatInjected(context) : null;
    const notice = [injected, problem].filter((text) => text !== null).join(' ');
    return { ...(context && { context: context.text }), ...(notice !== '' && { notice }) };
  }
  if (event.kind !== 'prompt' || project === null || kind === 'duplicate' || options.hasDisconnected())
    return {};
  if (await options.contextDelivery.holdout.isHeldOut(event)) return {};
  const startedAt = options.clock.now();
  const pending = await options.contextDelivery.context.contextFor(event, outcome);
  if (pending !== null) {
    options.onUnread(() => options.contextDelivery.context.unanswered(event, { at: startedAt }));
    recordInjection(event, 'start', { injected: pending, ...options });
    return { context: pending.text };
  }
  const injected = await withTimeout(
    (signal) =>
      options.contextDelivery.recall.injectionFor(event, { project, root, sessionId, promptNumber, signal }),
    { ...options, ms: RECALL_TIMEOUT_MS, name: 'Recall' },
  );
  if (injected !== null) recordInjection(event, 'prompt', { injected, ...options });
  return { context: injected?.text ?? '' };
}

/** Returns null when the host accepts no text with this event. */
function findTextForResult(
  { event, readFile, takesFix }: Extract<ReturnType<ReadHook>, { kind: 'event' }>,
  { contextDelivery: { history, failures } }: AnswerHookOptions,
): ((signal: AbortSignal) => Promise<InjectedText | null>) | null {
  if (readFile !== null) return (signal) => history.injectionFor({ ...event, path: readFile }, signal);
  if (!takesFix || event.kind !== 'tool-use') return null;
  return (signal) => failures.injectionFor(event, signal);
}

/** Stores the injection after the response was sent, because the host waits for the response. */
function recordInjection(
  event: HostEvent,
  kind: InjectionKind,
  {
    injected,
    contextDelivery,
    onSent,
  }: Pick<AnswerHookOptions, 'contextDelivery' | 'onSent'> & { injected: InjectedText },
): void {
  onSent(() => contextDelivery.injections.add(event, kind, injected));
}

const formatInjected = ({ shown, total, tokens }: ProjectContext): string =>
  `claude-mem: ${shown.length} of ${total} records injected (about ${tokens} tokens).`;

function count(counters: CaptureCounters, outcome: CaptureOutcome): void {
  if (outcome.kind === 'skipped') counters.ignored += 1;
  else counters.events += 1;
}

function describe(outcome: CaptureOutcome) {
  return outcome.kind === 'skipped'
    ? { outcome: 'skipped', reason: outcome.reason }
    : {
        outcome: outcome.result.kind,
        session: outcome.result.sessionId,
        prompt: outcome.result.promptNumber,
      };
}
