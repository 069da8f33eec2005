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
import { cutToReadable } from './cut-to-readable.js';
import type { GroupCommit } from './create-group-commit.js';
import type { ProjectRelocation } from '../projects/create-project-relocation.js';

export type CaptureOutcome =
  | { kind: 'committed'; result: CaptureResult; found: FoundProject }
  /** Capture is off, the project is excluded, or it is our own observer: nothing was kept. */
  | { kind: 'left-out'; reason: string; found: FoundProject };

export interface Capture {
  /** Resolves once the event is committed, or known to be left out. */
  take(event: HostEvent, origin: { env: HookEnv; occurredAtEpoch?: number }): Promise<CaptureOutcome>;
}

/** What is checked out says nothing about a prompt that waited longer before it is stored. */
const LONGEST_WAIT_MS = 10_000;

/** The way of every event, whatever brought it: left out by rule, placed in a project, scrubbed, bounded, committed. */
export function createCapture({
  commit,
  findProject,
  relocation,
  settings,
  clock,
  observerDir,
}: {
  commit: GroupCommit;
  findProject: ProjectFinder;
  relocation: Pick<ProjectRelocation, 'follow' | 'record'>;
  settings: () => Settings;
  clock: Clock;
  observerDir: string;
}): Capture {
  const sessionSecrets = createSessionSecrets();
  return {
    async take(event, { env, occurredAtEpoch = clock.now() }) {
      const found = findProject(event);
      const reason = reasonToLeaveOut(event, found, settings(), observerDir);
      if (reason !== null) return { kind: 'left-out', reason, found };
      const following = relocation.follow(found);
      if (following !== null) await following;
      const isCurrent = event.kind === 'prompt' && clock.now() - occurredAtEpoch < LONGEST_WAIT_MS;
      const head = isCurrent && found.root !== null ? readHead(found.root) : null;
      const { skipTools, holdout } = settings();
      const captured = toCaptured(event, {
        env,
        occurredAtEpoch,
        found,
        head,
        skipTools,
        holdout,
        sessionSecrets,
      });
      const result = await commit.submit(captured);
      // these events are few, and a repository can get its first commit or its remote between them
      if (event.kind !== 'tool-use' && event.kind !== 'prompt') relocation.record(found);
      return { kind: 'committed', result, found };
    },
  };
}

function reasonToLeaveOut(
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

function toCaptured(
  raw: HostEvent,
  {
    env,
    occurredAtEpoch,
    found,
    head,
    skipTools,
    holdout,
    sessionSecrets,
  }: {
    env: HookEnv;
    occurredAtEpoch: number;
    found: FoundProject;
    head: CheckoutHead | null;
    skipTools: readonly string[];
    holdout: number;
    sessionSecrets: SessionSecrets;
  },
): CapturedEvent {
  const fields = {
    dedupeKey: dedupeKeyOf(raw, env),
    occurredAtEpoch,
    project: found.project,
    filterReason: null,
    // the injections in the history of a forked or resumed session are unknown
    holdoutShare: isContinued(raw) ? 0 : holdout,
  };
  if (raw.kind === 'tool-use' && skipTools.includes(raw.toolName))
    return { ...fields, ...emptied(raw), filterReason: `tool ${raw.toolName} is skipped by setting` };
  const event = sessionSecrets.scrub(cutToReadable(raw));
  if (event.kind !== 'tool-use') return { ...event, ...fields, ...(head && { head: scrubHead(head) }) };
  // not the event first: V8 gives every object that begins with another's fields and adds to them a class of its own
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

/** What is only counted is not even scrubbed: none of its content goes on. */
function emptied(event: ToolUsed): ToolUsed {
  return { ...event, input: null, response: null, error: null };
}
