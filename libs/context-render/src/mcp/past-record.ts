import type { Observation, Session, Summary, UserPrompt } from '@claude-mem/core';

/** A session with what is told of it. */
export type PastSession = Session & { summary: Summary | null };

/** Anything stored that a tool may answer with; `project` is the name of its project. */
export type PastRecord = { project: string } & (
  | { kind: 'observation'; item: Observation }
  | { kind: 'session'; item: PastSession }
  | { kind: 'summary'; item: Summary }
  | { kind: 'prompt'; item: UserPrompt }
);
