import type { PendingMessages, ProjectRef } from '@claude-mem/core';

/** Reports problems of the memory to the user when a session starts. */
export interface SessionNotice {
  /** Returns one sentence, or null. Each state is reported once per session, also when the session is resumed or compacted. */
  textFor(sessionId: number, project?: ProjectRef | null): Promise<string | null>;
}

/** Maximum number of remembered sessions. A notice can be repeated in an older session that is resumed. */
const MAX_SESSIONS = 500;

const PARKED =
  'Some events could not be observed and were parked. To see the reasons: "claude-mem queue list --status parked". To retry: "claude-mem queue retry --parked".';

/**
 * Creates the notices of sessions. A paused observer has priority over parked events.
 * @param options.recovery message about the repair of a damaged database. @default none
 * @param options.relocation message about the origin of the records of a project. @default none
 * @param options.observer reason why the observer is paused
 */
export function createSessionNotice({
  recovery = () => null,
  relocation = async () => null,
  observer,
  messages,
}: {
  recovery?(): string | null;
  relocation?(project: ProjectRef): Promise<string | null>;
  observer(): string | null;
  messages: Pick<PendingMessages, 'list'>;
}): SessionNotice {
  const reported = new Map<number, Set<string>>();
  return {
    async textFor(sessionId, project = null) {
      const known = reported.get(sessionId) ?? new Set();
      // Texts that differ only in times and numbers count as the same state.
      const stateOf = (text: string) => text.replace(/\d+/g, '');
      const isNew = (text: string | null): text is string => text !== null && !known.has(stateOf(text));
      const recovered = recovery();
      // Relocation returns its message only once, so this check must come before the others.
      const others = async () => [
        project === null ? null : await relocation(project),
        observer() ?? (await findParkedNotice(messages)),
      ];
      const text = isNew(recovered) ? recovered : (await others()).find(isNew);
      if (text === undefined) return null;
      const state = stateOf(text);
      reported.delete(sessionId);
      reported.set(sessionId, known.add(state));
      const [oldest] = reported.keys();
      if (reported.size > MAX_SESSIONS && oldest !== undefined) reported.delete(oldest);
      return `claude-mem: ${text}`;
    },
  };
}

async function findParkedNotice(messages: Pick<PendingMessages, 'list'>): Promise<string | null> {
  const [parked] = await messages.list({ status: 'parked', limit: 1 });
  return parked === undefined ? null : PARKED;
}
