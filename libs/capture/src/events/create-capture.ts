import {
  isEvidenceOnly,
  type CapturedEvent,
  type CaptureResult,
  type CheckoutHead,
  type Clock,
  type HostEvent,
  type ToolUsed,
  type FoundProject,
  type ProjectFinder,
} from '@claude-mem/core';
import { dedupeKeyOf, type HookEnv } from '@claude-mem/host-adapters';
import { boundJson, createSessionSecrets, scrubText, type SessionSecrets } from '@claude-mem/privacy';
import type { Settings } from '@claude-mem/settings';
import { readHead } from '@claude-mem/freshness';
import { limitEvent } from './limit-event.js';
import type { GroupCommit } from './create-group-commit.js';
import type { ProjectRelocation } from '../projects/create-project-relocation.js';

/** An event that was stored now or earlier. */
export interface CommittedEvent {
  kind: 'committed';
  result: CaptureResult;
  found: FoundProject;
}

export type CaptureOutcome =
  | CommittedEvent
  /** Nothing was stored, because capture is off, the project is excluded, or the event comes from the observer. */
  | { kind: 'skipped'; reason: string; found: FoundProject };

/** Captures the events of hosts. */
export interface Capture {
  /**
   * Resolves when the event is committed or skipped.
   * @param origin.occurredAtEpoch epoch milliseconds. @default now
   * @throws StorageError when the event cannot be stored
   */
  take(event: HostEvent, origin: { env: HookEnv; occurredAtEpoch?: number }): Promise<CaptureOutcome>;
}

/**
 * Maximum delay in milliseconds. After a longer delay, another commit may be checked out than at the time of the
 * prompt.
 */
const MAX_WAIT_MS = 10_000;

/**
 * Creates the capture of events. Each event is checked against the settings, assigned to a project, limited in size, scrubbed and
 * committed.
 * @param options.observerDir working folder of the observer, whose events are skipped
 * @param options.onCommitted called for each committed event
 */
export function createCapture({
  commit,
  findProject,
  relocation,
  settings,
  clock,
  observerDir,
  onCommitted,
}: {
  commit: Pick<GroupCommit, 'submit'>;
  findProject: ProjectFinder;
  relocation: Pick<ProjectRelocation, 'follow' | 'record'>;
  settings: () => Settings;
  clock: Clock;
  observerDir: string;
  onCommitted?(event: HostEvent, outcome: CommittedEvent): void;
}): Capture {
  const sessionSecrets = createSessionSecrets();
  return {
    async take(event, { env, occurredAtEpoch = clock.now() }) {
      const found = findProject(event);
      const reason = findSkipReason(event, found, settings(), observerDir);
      if (reason !== null) return { kind: 'skipped', reason, found };
      const following = relocation.follow(found);
      if (following !== null) await following;
      const isCurrent = event.kind === 'prompt' && clock.now() - occurredAtEpoch < MAX_WAIT_MS;
      const head = isCurrent && found.root !== null ? readHead(found.root) : null;
      const captured = toCaptured(event, { env, occurredAtEpoch, found, head }, settings(), sessionSecrets);
      const result = await commit.submit(captured);
      // These kinds of events are rare. A repository can get its first commit or its remote between them.
      if (event.kind !== 'tool-use' && event.kind !== 'prompt') relocation.record(found);
      const outcome = { kind: 'committed', result, found } as const;
      onCommitted?.(event, outcome);
      return outcome;
    },
  };
}

function findSkipReason(
  event: HostEvent,
  found: FoundProject,
  settings: Settings,
  observerDir: string,
): string | null {
  if (!settings.enabled) return 'capture is switched off';
  if (found.isExcluded) return 'project is excluded';
  const isOwn = (folder: string | null) => folder === observerDir || folder?.startsWith(`${observerDir}/`);
  return isOwn(event.cwd) || isOwn(event.projectDir) ? 'own observer' : null;
}

/** Data about an event that its payload does not contain. */
interface EventDetails {
  env: HookEnv;
  occurredAtEpoch: number;
  found: FoundProject;
  head: CheckoutHead | null;
}

function toCaptured(
  raw: HostEvent,
  { env, occurredAtEpoch, found, head }: EventDetails,
  { skipTools, holdout }: Settings,
  sessionSecrets: SessionSecrets,
): CapturedEvent {
  const fields = {
    dedupeKey: dedupeKeyOf(raw, env),
    occurredAtEpoch,
    project: found.project,
    filterReason: null,
    // A forked or resumed session has a history with unknown injections.
    holdoutShare: isContinued(raw) ? 0 : holdout,
  };
  if (raw.kind === 'tool-use' && skipTools.includes(raw.toolName))
    return { ...fields, ...withoutContent(raw), filterReason: `tool ${raw.toolName} is skipped by setting` };
  const event = sessionSecrets.scrub(limitEvent(raw));
  if (event.kind !== 'tool-use') return { ...event, ...fields, ...(head && { head: scrubHead(head) }) };
  // `event` is not spread first: V8 would create a separate class for each such object.
  return {
    isEvidence: isEvidenceOnly(event),
    ...fields,
    ...event,
    input: boundJson(event.input),
    response: boundJson(event.response),
  };
}

const isContinued = (event: HostEvent): boolean =>
  event.kind === 'session-start' && (event.source === 'fork' || event.source === 'resume');

const scrubHead = ({ branch, commit }: CheckoutHead): CheckoutHead => ({
  branch: branch === null ? null : scrubText(branch).text,
  commit,
});

/** Removes the content of a skipped tool use. It is only counted, so it needs no scrubbing. */
function withoutContent(event: ToolUsed): ToolUsed {
  return { ...event, input: null, response: null, error: null };
}
