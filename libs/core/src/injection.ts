import type { HostName } from './session.js';

/** `start`: at the start of a session; `prompt`: with a prompt; `file`: after a file read. */
export const INJECTION_KINDS = ['start', 'prompt', 'file'] as const;
export type InjectionKind = (typeof INJECTION_KINDS)[number];

/** One text that was injected into a session. The text itself is not stored. */
export interface Injection {
  id: number;
  kind: InjectionKind;
  /** The turn in which it was injected; 0 before the first prompt. */
  promptNumber: number;
  tokens: number;
  /** The observations in the text. They may have been forgotten since. */
  observationIds: readonly number[];
  /** Number of earlier conversations without an observation whose statements the text contains. */
  conversations: number;
  createdAtEpoch: number;
}

export type RecordedInjection = Omit<Injection, 'id' | 'promptNumber' | 'createdAtEpoch'> & {
  session: { host: HostName; contentSessionId: string };
  now: number;
};
