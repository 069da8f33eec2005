import {
  NEUTRAL_PROJECT,
  shellWord,
  type CaptureResult,
  type Clock,
  type HostName,
  type Observation,
  type PromptSubmitted,
  type SessionStarted,
  type Store,
  type Summary,
  type FoundProject,
} from '@claude-mem/core';
import {
  CONTEXT_MATERIAL,
  renderSessionContext,
  type SessionContext as RenderedContext,
  type AlreadyProvided,
} from '@claude-mem/context-render';
import { MORE_OVER_MCP } from '@claude-mem/context-render/mcp';
import type { Settings } from '@claude-mem/settings';
import type { Freshness } from '@claude-mem/freshness';
import type { BranchRecords } from './create-branch-records.js';
import type { FilesAtHand } from './create-files-at-hand.js';
import type { SessionLedger } from './create-session-ledger.js';
import { textOptions } from './text-options.js';

/** The text, and out of how many records it was chosen. */
export type ProjectContext = RenderedContext & { total: number };

export interface SessionContext {
  /** What a starting session is given, or one whose start was missed with its next prompt; null for nothing. */
  contextFor(event: SessionStarted | PromptSubmitted, outcome: CapturedStart): Promise<ProjectContext | null>;
  /** Nobody was there when the session started, or its host takes context with the first prompt. */
  missed(event: SessionStarted, outcome: CapturedStart): Promise<void>;
  /** The host stopped waiting before the worker answered the event. */
  unanswered(event: SessionStarted | PromptSubmitted, sent: { at: number }): void;
  /**
   * The context of a project with all skipped records, or null for an unknown project. Without a host, no file that a host reads
   * counts as provided. A client with the MCP tools gets hints for these tools.
   */
  preview(found: FoundProject, options: PreviewOptions): Promise<ProjectContext | null>;
}

interface CapturedStart {
  result: Pick<CaptureResult, 'kind' | 'projectId' | 'sessionId'>;
  found: FoundProject;
}

interface PreviewOptions {
  host?: HostName | undefined;
  hasTools: boolean;
  /** @default those that are set */
  settings?: Settings | undefined;
  /** Of the reader. @default that of the worker */
  timeZone?: string | undefined;
}

/** So many of the newest are looked at for what was superseded. */
const LISTED = 500;

/**
 * Renders the context of a new session in a project: once per conversation history, and once more after the history was compacted or
 * cleared. Sub-agents get no context.
 */
export function createSessionContext({
  store,
  settings,
  ledger,
  filesAtHand,
  branchRecords,
  freshness,
  providedTo,
  observed,
  launcher,
  clock,
}: {
  store: Pick<Store, 'getProject' | 'findProject' | 'contextMaterial' | 'listObservations' | 'listSessions'>;
  settings: () => Settings;
  ledger: SessionLedger;
  filesAtHand: FilesAtHand;
  branchRecords: BranchRecords;
  freshness: Pick<Freshness, 'label'>;
  /** What a file of the project tells a host that reads it by itself; null for nothing. */
  providedTo(host: HostName, root: string): AlreadyProvided | null;
  /** What waits of a session is observed now; resolves when it was, or after a moment. */
  observed(sessionId: number): Promise<void>;
  launcher: string;
  clock: Clock;
}): SessionContext {
  const command = shellWord(launcher);
  const byCommand = `Whole record: \`${command} show ID\`. Search: \`${command} search WORDS\`.`;
  const render = async (
    projectId: number,
    {
      root,
      key,
      host,
      sessionId,
      more,
      wanted = settings(),
      timeZone,
    }: {
      root: string | null;
      key: string;
      host: HostName | undefined;
      sessionId?: number;
      more: string;
      wanted?: Settings | undefined;
      timeZone?: string | undefined;
    },
  ) => {
    // a file that is written from now on was perhaps not there when the host read it
    const provided = root === null || host === undefined ? null : providedTo(host, root);
    const [project, material, files, onBranch] = await Promise.all([
      store.getProject(projectId),
      store.contextMaterial({ projectId, ...CONTEXT_MATERIAL, now: clock.now() }),
      root === null ? [] : filesAtHand(root),
      root === null ? [] : branchRecords(root, key),
    ]);
    const label = (records: readonly Observation[]) => freshness.label(records, { root });
    const observations = await label(material.observations);
    const rendered = renderSessionContext({
      project: project?.name ?? NEUTRAL_PROJECT.name,
      material: {
        ...material,
        summaries: withoutOpenBranches(material.summaries, observations),
        pinned: await label(material.pinned),
        observations,
      },
      ...textOptions(wanted, clock, timeZone),
      parts: wanted.contextParts,
      maxTokens: wanted.contextTokens,
      files,
      onBranch: await label(onBranch),
      provided,
      ...(sessionId === undefined ? {} : { sessionId }),
      howToReadMore: more,
    });
    return { ...rendered, total: material.totalObservations };
  };

  /**
   * Whether the conversation began while its events were stored. A resumed session is known then. A fork does not name its parent, which is
   * a session of the same project.
   */
  const hasHistory = async (
    { source, host }: SessionStarted,
    { kind, projectId, sessionId }: CapturedStart['result'],
  ) => {
    if (source !== 'fork') return source === 'resume' && kind === 'duplicate';
    const { items } = await store.listSessions({ projectIds: [projectId], hosts: [host], limit: 2 });
    return items.some(({ id }) => id !== sessionId);
  };

  return {
    async contextFor(event, { result, found }) {
      if (!settings().contextEnabled || event.agentId !== null || found.project === null) return null;
      const source = event.kind === 'prompt' ? null : event.source;
      const now = clock.now();
      const mayGive =
        event.kind === 'prompt'
          ? ledger.claimPendingContext(event, { now })
          : ledger.claimContext(event, {
              source: event.source,
              hasHistory: await hasHistory(event, result),
              now,
            });
      if (!mayGive) return null;
      const { projectId, sessionId } = result;
      // of what was not observed, the summary that the host made is all that is left
      if (source === 'compact') await observed(sessionId);
      const context = await render(projectId, {
        root: found.root,
        key: found.project.key,
        host: event.host,
        more: byCommand,
        ...(source === 'compact' ? { sessionId } : {}),
      });
      ledger.markProvided(event, { ids: context.shown });
      return context.text === '' ? null : context;
    },
    async missed(event, { result }) {
      if (!(await hasHistory(event, result))) ledger.markContextPending(event);
    },
    unanswered(event, sent) {
      if (event.kind === 'prompt') ledger.markUnanswered(event, sent);
      else ledger.markContextPending(event);
    },
    async preview({ project, root }, { host, hasTools, settings: wanted, timeZone }) {
      const known = project === null ? null : await store.findProject(project.key);
      if (known === null) return null;
      const [context, { items }] = await Promise.all([
        render(known.id, {
          root,
          key: known.key,
          host,
          more: hasTools ? MORE_OVER_MCP : byCommand,
          wanted,
          timeZone,
        }),
        store.listObservations({ projectId: known.id, limit: LISTED }),
      ]);
      const superseded = items.flatMap(({ id, supersededBy }) =>
        supersededBy === null ? [] : [{ id, reason: `superseded by #${supersededBy}` }],
      );
      return { ...context, leftOut: [...context.leftOut, ...superseded] };
    },
  };
}

/** Leaves out the summaries of turns whose records are of another open branch. */
function withoutOpenBranches(
  summaries: readonly Summary[],
  observations: readonly Observation[],
): readonly Summary[] {
  const turnOf = ({ sessionId, promptNumber }: Summary | Observation) => `${sessionId} ${promptNumber}`;
  const open = new Set(
    observations.filter((one) => one.freshness?.branch?.state === 'open').map((one) => turnOf(one)),
  );
  return summaries.filter((summary) => !open.has(turnOf(summary)));
}
