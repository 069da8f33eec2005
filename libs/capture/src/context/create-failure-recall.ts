import {
  estimateTokens,
  type Observation,
  type Store,
  type ToolUsed,
  type ProjectFinder,
} from '@claude-mem/core';
import { renderKnownFix } from '@claude-mem/context-render';
import { errorOfCommand, findKnownFix } from '@claude-mem/evidence';
import { boundJson, scrubEvent } from '@claude-mem/privacy';
import type { Memory } from '@claude-mem/search';
import type { Settings } from '@claude-mem/settings';
import type { Freshness } from '@claude-mem/freshness';
import type { InjectedText } from './create-injection-log.js';
import type { SessionLedger } from './create-session-ledger.js';
import { limitEvent } from '../events/limit-event.js';

/** Finds the earlier fix of an error. */
export interface FailureRecall {
  /** Returns the earlier fix of the error with which a command failed; null when there is none. */
  injectionFor(use: ToolUsed, signal: AbortSignal): Promise<InjectedText | null>;
}

/** Maximum number of records that are inspected. They contain words of the error. */
const MAX_INSPECTED = 40;

/**
 * Finds the earlier fix of the same error after a command has failed. A fix is injected once per session and never
 * into a sub-agent. Records count only if their facts prove the fix, their files exist, and the conversation history
 * does not contain them.
 */
export function createFailureRecall({
  memory,
  store,
  freshness,
  findProject,
  settings,
  ledger,
}: {
  memory(): Promise<Pick<Memory, 'search'>>;
  store: Pick<Store, 'findSession'>;
  freshness: Pick<Freshness, 'label'>;
  findProject: ProjectFinder;
  settings: () => Settings;
  ledger: SessionLedger;
}): FailureRecall {
  return {
    async injectionFor(use, signal) {
      const { enabled, recallOnFailure, skipTools } = settings();
      if (!enabled || !recallOnFailure || use.agentId !== null || skipTools.includes(use.toolName))
        return null;
      const { project, root, isExcluded } = findProject(use);
      if (isExcluded || project === null) return null;
      const limited = limitEvent(use);
      if (errorOfCommand(limited, root) === null) return null;
      // The error is scrubbed and limited like a stored record, so that its error line is identical.
      const { event } = scrubEvent(limited);
      const error = errorOfCommand({ ...event, response: boundJson(event.response) }, root);
      if (error === null) return null;
      const searched = await memory();
      const { items } = await searched.search({
        query: error,
        project: project.key,
        limit: MAX_INSPECTED,
        meaning: false,
        signal,
      });
      const session = await store.findSession(use);
      const since = ledger.historySince(use);
      const earlier = items
        .map(({ item }) => item)
        .filter(({ sessionId, createdAtEpoch }) => sessionId !== session?.id || createdAtEpoch < since);
      const labelled = await freshness.label(earlier, { root });
      const known = findKnownFix(labelled.filter(hasAllFiles), error);
      if (known === null) return null;
      // No path of a file contains a null character, so this name cannot match a file.
      const name = `\0${known.error}`;
      const text = renderKnownFix(known);
      if (text === '' || signal.aborted || !ledger.mayProvide(use, name)) return null;
      ledger.markProvided(use, { file: name });
      return { text, tokens: estimateTokens(text), shown: [known.record.id] };
    },
  };
}

/** Returns true unless a file of the record is known to be deleted. */
const hasAllFiles = ({ freshness }: Observation): boolean =>
  freshness?.files.every(({ verdict }) => verdict !== 'gone') ?? true;
