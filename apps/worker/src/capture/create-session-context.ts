import {
  NEUTRAL_PROJECT,
  type Clock,
  type PromptSubmitted,
  type SessionStarted,
  type Store,
} from '@claude-mem/core';
import { renderSessionContext, type SessionContext as RenderedContext } from '@claude-mem/context-render';
import type { Settings } from '@claude-mem/settings';
import type { FilesAtHand } from './create-files-at-hand.js';
import type { FoundProject } from './create-project-finder.js';
import type { SessionLedger } from './create-session-ledger.js';
import { shellWord, textOptions } from './text-options.js';

/** The text, and out of how many records it was chosen. */
export type ProjectContext = RenderedContext & { total: number };

export interface SessionContext {
  /** What a starting session is given, or one whose start was missed with its next prompt; null for nothing. */
  contextFor(
    event: SessionStarted | PromptSubmitted,
    outcome: { result: { projectId: number; sessionId: number }; found: FoundProject },
  ): Promise<ProjectContext | null>;
  /** Nobody was there when the session started. */
  missed(event: SessionStarted): void;
  /** The same for a project, with what was left out; null when nothing is known of it. */
  preview(found: FoundProject): Promise<ProjectContext | null>;
}

/** How much the text is chosen from; it shows far less. */
const OBSERVATIONS = 200;
const SUMMARIES = 10;

/**
 * Renders what a new session in a project should know: once, and once more after it was compacted or cleared. A resumed session still
 * has its context, and a sub-agent has that of its task.
 */
export function createSessionContext({
  store,
  settings,
  ledger,
  filesAtHand,
  launcher,
  clock,
}: {
  store: Pick<Store, 'getProject' | 'findProject' | 'contextMaterial'>;
  settings: () => Settings;
  ledger: SessionLedger;
  filesAtHand: FilesAtHand;
  launcher: string;
  clock: Clock;
}): SessionContext {
  const command = shellWord(launcher);
  const render = async (
    projectId: number,
    { root, sessionId }: { root: string | null; sessionId?: number },
  ) => {
    const [project, material, files] = await Promise.all([
      store.getProject(projectId),
      store.contextMaterial({ projectId, observations: OBSERVATIONS, summaries: SUMMARIES }),
      root === null ? [] : filesAtHand(root),
    ]);
    const rendered = renderSessionContext({
      project: project?.name ?? NEUTRAL_PROJECT.name,
      material,
      ...textOptions(settings(), clock),
      maxTokens: settings().contextTokens,
      files,
      ...(sessionId === undefined ? {} : { sessionId }),
      howToReadMore: `Whole record: \`${command} show ID\`. Search: \`${command} search WORDS\`.`,
    });
    return { ...rendered, total: material.totalObservations };
  };

  return {
    async contextFor(event, { result, found }) {
      if (!settings().contextEnabled || event.agentId !== null || found.project === null) return null;
      const source = event.kind === 'prompt' ? null : event.source;
      const now = clock.now();
      const mayGive =
        source === null ? ledger.claimOwed(event, { now }) : ledger.claimContext(event, { source, now });
      if (!mayGive) return null;
      const { projectId, sessionId } = result;
      const context = await render(projectId, {
        root: found.root,
        ...(source === 'compact' ? { sessionId } : {}),
      });
      ledger.told(event, { ids: context.shown });
      return context.text === '' ? null : context;
    },
    missed(event) {
      if (event.source !== 'resume') ledger.oweContext(event);
    },
    async preview({ project, root }) {
      const known = project === null ? null : await store.findProject(project.key);
      return known === null ? null : render(known.id, { root });
    },
  };
}
