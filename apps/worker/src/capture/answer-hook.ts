import { randomUUID } from 'node:crypto';
import type { Clock, HostEvent, InjectionKind } from '@claude-mem/core';
import type { HookAnswer, HookEnv, HostAdapter } from '@claude-mem/host-adapters';
import type { WorkerLog } from '../log/create-log.js';
import { WorkerError } from '../worker-error.js';
import type { Capture, CaptureOutcome } from './create-capture.js';
import type { ReadHook } from './read-hook.js';
import type { CaptureCounters } from './counters.js';
import type { FailureRecall } from './create-failure-recall.js';
import type { FileHistory } from './create-file-history.js';
import type { Holdout } from './create-holdout.js';
import type { InjectedText, InjectionLog } from './create-injection-log.js';
import type { PromptRecall } from './create-prompt-recall.js';
import type { ProjectContext, SessionContext } from './create-session-context.js';
import type { SessionNotice } from './create-session-notice.js';
import { inTime } from './in-time.js';

/** What a host's agent can be given, and when. */
export interface ContextDelivery {
  context: SessionContext;
  recall: PromptRecall;
  history: FileHistory;
  failures: FailureRecall;
  injections: InjectionLog;
  holdout: Holdout;
}

export interface AnswerHookOptions {
  readHook: ReadHook;
  capture: Capture;
  contextDelivery: ContextDelivery;
  notice: SessionNotice;
  /** Whether the person is told how much context a session was given. */
  tellsOfContext(): boolean;
  counters: CaptureCounters;
  clock: Clock;
  log: WorkerLog;
  /** Stores the events that came earlier. False when nothing can be stored at the moment. */
  storeEarlier(): Promise<boolean>;
  /** Called once the event is committed or known not to be kept. */
  onDelivered(env: HookEnv): void;
  /** Called when the event is answered now and stored later, from the spool. */
  onLeftInSpool(env: HookEnv): void;
  /** Whether the hook ended without waiting for the answer. */
  hasGone(): boolean;
  /** Calls back if the hook ends without having read the answer. */
  onUnread(callback: () => void): void;
  /** Calls back when the answer has been sent. */
  onSent(callback: () => void): void;
}

/** How long an event waits for the events before it. After 0.8 s the hook leaves the event in the spool. */
const CATCH_UP_MS = 600;
/** The host waits for the injected text. Text that is found later is not injected. */
const RECALL_TIMEOUT_MS = 250;
const TOOL_RESULT_TIMEOUT_MS = 220;

type Committed = Extract<CaptureOutcome, { kind: 'committed' }>;

/**
 * Takes one hook and returns the exact stdout for its host, only once the event is committed. The result of a tool is answered at
 * once, because the agent uses many tools and waits each time; its event stays in the spool if it is there. What cannot be understood
 * is logged and answered as if nothing had happened: a host is never made to fail.
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
      : await inTime(textForResult, {
          ...options,
          ms: TOOL_RESULT_TIMEOUT_MS,
          what: 'The text for the result of a tool',
        });
    if (injected !== null && input.readFile !== null)
      recordInjection(input.event, 'file', { injected, ...options });
    return input.adapter.writeAnswer(event, { context: injected?.text ?? '' });
  }
  if (!(await inOrder(options)))
    throw new WorkerError(
      'worker/busy',
      'Earlier events cannot be stored yet; this event waits in the spool.',
    );
  const outcome = await capture.take(input.event, { env: input.env });
  count(counters, outcome);
  onDelivered(input.env);
  if (log.isDebug)
    log.debug({ host, event, eventId: input.env.eventId ?? randomUUID(), ...brief(outcome) }, 'Hook taken');
  const { event: taken, adapter } = input;
  const answer = outcome.kind === 'committed' ? await answerTo(taken, outcome, { adapter, ...options }) : {};
  return adapter.writeAnswer(event, answer);
}

/** False when earlier events are not stored in time: then this event must wait too. */
async function inOrder({ storeEarlier, clock }: AnswerHookOptions): Promise<boolean> {
  const stop = new AbortController();
  const late = clock.sleep(CATCH_UP_MS, { signal: stop.signal }).then(
    () => false,
    () => false,
  );
  return Promise.race([storeEarlier(), late]).finally(() => stop.abort());
}

async function answerTo(
  event: HostEvent,
  outcome: Committed,
  options: AnswerHookOptions & { adapter: HostAdapter },
): Promise<HookAnswer> {
  const { project, root } = outcome.found;
  const { kind, sessionId, promptNumber } = outcome.result;
  if (event.kind === 'session-start') {
    const isLater = options.adapter.takesContextWithPrompt === true || options.hasGone();
    const isHeldOut = await options.contextDelivery.holdout.isHeldOut(event);
    if (isLater && !isHeldOut) await options.contextDelivery.context.missed(event, outcome);
    const startedAt = options.clock.now();
    const [context, trouble] = await Promise.all([
      isLater || isHeldOut ? null : options.contextDelivery.context.contextFor(event, outcome),
      options.notice.textFor(sessionId, project),
    ]);
    if (context !== null) {
      options.onUnread(() => options.contextDelivery.context.unanswered(event, { at: startedAt }));
      recordInjection(event, 'start', { injected: context, ...options });
    }
    const given = context !== null && options.tellsOfContext() ? lineOf(context) : null;
    const notice = [given, trouble].filter((text) => text !== null).join(' ');
    return { ...(context && { context: context.text }), ...(notice !== '' && { notice }) };
  }
  if (event.kind !== 'prompt' || project === null || kind === 'duplicate' || options.hasGone()) return {};
  if (await options.contextDelivery.holdout.isHeldOut(event)) return {};
  const askedAt = options.clock.now();
  const pending = await options.contextDelivery.context.contextFor(event, outcome);
  if (pending !== null) {
    options.onUnread(() => options.contextDelivery.context.unanswered(event, { at: askedAt }));
    recordInjection(event, 'start', { injected: pending, ...options });
    return { context: pending.text };
  }
  const injected = await inTime(
    (signal) =>
      options.contextDelivery.recall.injectionFor(event, { project, root, sessionId, promptNumber, signal }),
    { ...options, ms: RECALL_TIMEOUT_MS, what: 'Recall' },
  );
  if (injected !== null) recordInjection(event, 'prompt', { injected, ...options });
  return { context: injected?.text ?? '' };
}

/** Null when the host takes no text with this event. */
function findTextForResult(
  { event, readFile, takesFix }: Extract<ReturnType<ReadHook>, { kind: 'event' }>,
  { contextDelivery: { history, failures } }: AnswerHookOptions,
): ((signal: AbortSignal) => Promise<InjectedText | null>) | null {
  if (readFile !== null) return (signal) => history.injectionFor({ ...event, path: readFile }, signal);
  if (!takesFix || event.kind !== 'tool-use') return null;
  return (signal) => failures.injectionFor(event, signal);
}

/** Stores the injection after the answer was sent, because the host waits for the answer. */
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

const lineOf = ({ shown, total, tokens }: ProjectContext): string =>
  `claude-mem: ${shown.length} of ${total} records injected (about ${tokens} tokens).`;

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
