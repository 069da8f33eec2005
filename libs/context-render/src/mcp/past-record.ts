import type { Observation, Session, Summary, UserPrompt } from '@claude-mem/core';

/** A session with its summary. */
export type PastSession = Session & { summary: Summary | null };

/** A stored record in a response of a tool. `project` is the name of its project. */
export type PastRecord = { project: string } & (
  | { kind: 'observation'; item: Observation }
  | { kind: 'session'; item: PastSession }
  | { kind: 'summary'; item: Summary }
  | { kind: 'prompt'; item: UserPrompt }
);
