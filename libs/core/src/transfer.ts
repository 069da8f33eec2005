import type { FileState } from './file-state.js';
import type { ObservationDraft, ObservationSource } from './observation.js';
import type { RepositoryIdentity } from './ports/store.js';
import type { HostName, ProjectRef, SessionStatus } from './session.js';
import type { SummaryDraft } from './summary.js';

/** Identity of a record. A record with a known uid is not stored again. */
interface TransferPlace {
  uid: string;
  /** A project, or the key (an absolute path) or name of one; null: that of its session, or none. */
  project: ProjectRef | string | null;
  /** The host of the session. Without a host, the session of any host with that id is taken, or one of the host `import`. */
  host?: HostName | null;
  /** The host's id of a session; null: one for all records of the project without a session. */
  session: string | null;
  promptNumber: number;
  createdAtEpoch: number;
}

/** An exported observation. Only a full export has the optional fields. */
export interface ImportedObservation extends ObservationDraft, TransferPlace {
  kind?: 'observation';
  /** @default createdAtEpoch */
  updatedAtEpoch?: number;
  /** @default false */
  pinned?: boolean;
  /** Uid of the observation that replaces this one. */
  supersededBy?: string | null;
  /** Uids of the observations that this one replaces. Each link is written on both ends, so that the order does not matter. */
  supersedes?: readonly string[];
  /** @default import */
  source?: ObservationSource;
  provider?: string | null;
  model?: string | null;
  discoveryTokens?: number;
  agentId?: string | null;
  agentType?: string | null;
  /** @default not known */
  fileStates?: readonly FileState[];
  /** For the conversation record of its session: the content hash that the observer wrote last. @default no conversation record */
  conversationHash?: string | null;
}

/** A session without its records. `promptNumber` is the number of its latest prompt. */
export interface ImportedSession extends TransferPlace {
  kind: 'session';
  cwd: string | null;
  title: string | null;
  userPrompt: string | null;
  status: SessionStatus;
  lastActivityEpoch: number;
  completedAtEpoch: number | null;
  /** Null when the tool uses of the session were not counted from its start. */
  toolUses: readonly { tool: string; count: number; failed: number }[] | null;
}

export interface ImportedPrompt extends TransferPlace {
  kind: 'prompt';
  promptId: string | null;
  promptText: string;
  /** The last message of the agent for this prompt. @default null: it is unknown */
  agentReply?: string | null;
  /** What was checked out when the prompt was sent. @default not known */
  branch?: string | null;
  headCommit?: string | null;
}

export interface ImportedSummary extends SummaryDraft, TransferPlace {
  kind: 'summary';
}

/** A project and its git repository, by which the project is found again in another folder. */
export interface ImportedProject extends Pick<TransferPlace, 'project' | 'createdAtEpoch'> {
  kind: 'project';
  name: string | null;
  repository: RepositoryIdentity | null;
}

/** An exported record. */
export type ImportedRecord =
  ImportedObservation | ImportedSession | ImportedPrompt | ImportedSummary | ImportedProject;

export interface ImportResult {
  inserted: number;
  /** Records with a known uid, or with the content of an existing record of the same session. */
  known: number;
  /** Records that were deleted here, and are therefore skipped. */
  forgotten: number;
  /** Records that cannot be stored, by their index in the request. */
  failed: readonly { index: number; reason: string }[];
  /** Stored records that are pinned, and stored records that a person saved. */
  pinned: number;
  manual: number;
  /** Stored records with facts that are attributed to the user. */
  userFacts: number;
  /** Records from before the import that a stored record superseded. */
  superseded: number;
  /** Records from before the import that stay, because only a person supersedes them, and the imported successor. */
  notSuperseded: readonly { id: number; by: number }[];
  /** Highest id of an observation before the import. The next part of the same import passes it on. */
  existingUpTo: number;
}

export interface ImportOptions {
  now: number;
  /** Also imports records that were deleted here. @default false */
  takeForgotten?: boolean;
  /** From the result of the first part of the same import. @default this is the first part */
  existingUpTo?: number;
}
