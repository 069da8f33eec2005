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
import type { BranchFiles } from './create-branch-files.js';
import type { SessionLedger } from './create-session-ledger.js';
import { renderOptions } from './render-options.js';

/** A text, and the number of records from which it was selected. */
export type ProjectContext = RenderedContext & { total: number };

/** Renders the context for the start of a session. */
export interface SessionContext {
  /**
   * Returns the context for a session start, or for the first prompt if the session started without context. Returns
   * null when there is none.
   */
  contextFor(event: SessionStarted | PromptSubmitted, outcome: CapturedStart): Promise<ProjectContext | null>;
  /** Call it when a session started without its context. The next prompt then gets the context. */
  missed(event: SessionStarted, outcome: CapturedStart): Promise<void>;
  /** Call it when the host did not read the response to an event. */
  unanswered(event: SessionStarted | PromptSubmitted, sent: { at: number }): void;
  /**
   * Returns the context of a project with all skipped records, or null for an unknown project. Without a host,
   * records in context files are not excluded. A client with the MCP tools gets hints for these tools.
   */
  preview(found: FoundProject, options: PreviewOptions): Promise<ProjectContext | null>;
}

/** The committed event of a session start or prompt. */
export interface CapturedStart {
  result: Pick<CaptureResult, 'kind' | 'projectId' | 'sessionId'>;
  found: FoundProject;
}

export interface PreviewOptions {
  host?: HostName | undefined;
  hasTools: boolean;
  /** @default the current settings */
  settings?: Settings | undefined;
  /** Time zone of the reader. @default the time zone of the process */
  timeZone?: string | undefined;
}

/** Maximum number of recent records that are searched for superseded ones. */
const MAX_LISTED = 500;

export interface SessionContextOptions {
  store: Pick<Store, 'getProject' | 'findProject' | 'contextMaterial' | 'listObservations' | 'listSessions'>;
  settings: () => Settings;
  ledger: SessionLedger;
  branchFiles: BranchFiles;
  branchRecords: BranchRecords;
  freshness: Pick<Freshness, 'label'>;
  /** Returns what a host reads from its own files of the project; null when it reads nothing. */
  providedTo(host: HostName, root: string): AlreadyProvided | null;
  /**
   * Processes the pending events of a session with the observer. Resolves when they are processed, or after a
   * timeout.
   */
  observePending(sessionId: number): Promise<void>;
  launcher: string;
  clock: Clock;
}

/**
 * Renders the context of a new session in a project. A conversation history gets context once, and again after it was
 * compacted or cleared. Sub-agents get none.
 */
export function createSessionContext({
  store,
  settings,
  ledger,
  branchFiles,
  branchRecords,
  freshness,
  providedTo,
  observePending,
  launcher,
  clock,
}: SessionContextOptions): SessionContext {
  const command = shellWord(launcher);
  const byCommand = `Complete record: \`${command} show ID\`. Search: \`${command} search WORDS\`.`;
  const render = async (
    projectId: number,
    {
      root,
      key,
      host,
      sessionId,
      more,
      requested = settings(),
      timeZone,
    }: {
      root: string | null;
      key: string;
      host: HostName | undefined;
      sessionId?: number;
      more: string;
      requested?: Settings | undefined;
      timeZone?: string | undefined;
    },
  ) => {
    // This call must come first. The host may not have read a context file that the worker changes later.
    const provided = root === null || host === undefined ? null : providedTo(host, root);
    const [project, material, files, onBranch] = await Promise.all([
      store.getProject(projectId),
      store.contextMaterial({ projectId, ...CONTEXT_MATERIAL, now: clock.now() }),
      root === null ? [] : branchFiles(root),
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
      ...renderOptions(requested, clock, timeZone),
      parts: requested.contextParts,
      maxTokens: requested.contextTokens,
      files,
      onBranch: await label(onBranch),
      provided,
      ...(sessionId === undefined ? {} : { sessionId }),
      howToReadMore: more,
    });
    return { ...rendered, total: material.totalObservations };
  };

  /**
   * Returns true if earlier events of the conversation were stored. A resumed session is already known. A fork does
   * not name its parent, so any other session of the project counts.
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
      const isClaimed =
        event.kind === 'prompt'
          ? ledger.claimPendingContext(event, { now })
          : ledger.claimContext(event, {
              source: event.source,
              hasHistory: await hasHistory(event, result),
              now,
            });
      if (!isClaimed) return null;
      const { projectId, sessionId } = result;
      // The compacted history lacks the details of events that the observer has not processed yet.
      if (source === 'compact') await observePending(sessionId);
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
    async preview({ project, root }, { host, hasTools, settings: requested, timeZone }) {
      const known = project === null ? null : await store.findProject(project.key);
      if (known === null) return null;
      const [context, { items }] = await Promise.all([
        render(known.id, {
          root,
          key: known.key,
          host,
          more: hasTools ? MORE_OVER_MCP : byCommand,
          requested,
          timeZone,
        }),
        store.listObservations({ projectId: known.id, limit: MAX_LISTED }),
      ]);
      const superseded = items.flatMap(({ id, supersededBy }) =>
        supersededBy === null ? [] : [{ id, reason: `superseded by #${supersededBy}` }],
      );
      return { ...context, skipped: [...context.skipped, ...superseded] };
    },
  };
}

/** Excludes the summaries of turns whose records belong to another branch that is not merged. */
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
