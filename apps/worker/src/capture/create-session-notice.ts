import type { PendingMessages, ProjectRef } from '@claude-mem/core';

/** What the person in front of a starting session should know about the memory itself. */
export interface SessionNotice {
  /** One sentence, or null. Each state is said once in a session, also when that session is resumed or compacted. */
  textFor(sessionId: number, project?: ProjectRef | null): Promise<string | null>;
}

/** Sessions whose notices are remembered; an older one that is resumed may be told again. */
const REMEMBERED_SESSIONS = 500;

const PARKED =
  'Some events could not be observed and were parked. To see the reasons: "claude-mem queue list --status parked". To retry: "claude-mem queue retry --parked".';

/** Reports that the observer is paused, or otherwise that events are parked. */
export function createSessionNotice({
  recovery = () => null,
  relocation = async () => null,
  observer,
  messages,
}: {
  /** What was done about a damaged database, for those who may miss something. @default nothing */
  recovery?(): string | null;
  /** Where the records of a project came from, or where they may be. @default nothing */
  relocation?(project: ProjectRef): Promise<string | null>;
  /** What holds the observer back for longer, in one sentence. */
  observer(): string | null;
  messages: Pick<PendingMessages, 'list'>;
}): SessionNotice {
  const said = new Map<number, Set<string>>();
  return {
    async textFor(sessionId, project = null) {
      const known = said.get(sessionId) ?? new Set();
      // times and counts in the sentence do not make it another state
      const stateOf = (text: string) => text.replace(/\d+/g, '');
      const isNews = (text: string | null): text is string => text !== null && !known.has(stateOf(text));
      const saved = recovery();
      // a message about the project is only given once, so that it must not be lost behind another
      const others = async () => [
        project === null ? null : await relocation(project),
        observer() ?? (await parkedText(messages)),
      ];
      const text = isNews(saved) ? saved : (await others()).find(isNews);
      if (text === undefined) return null;
      const state = stateOf(text);
      said.delete(sessionId);
      said.set(sessionId, known.add(state));
      const [oldest] = said.keys();
      if (said.size > REMEMBERED_SESSIONS && oldest !== undefined) said.delete(oldest);
      return `claude-mem: ${text}`;
    },
  };
}

async function parkedText(messages: Pick<PendingMessages, 'list'>): Promise<string | null> {
  const [parked] = await messages.list({ status: 'parked', limit: 1 });
  return parked === undefined ? null : PARKED;
}
