import type { FileState } from './file-state.js';
import type { ObservationDraft, ObservationSource } from './observation.js';
import type { RepositoryIdentity } from './repository-identity.js';
import type { HostName, ProjectRef, SessionStatus } from './session.js';
import type { SummaryDraft } from './summary.js';

/** Identity of a record. A record with a known uid is not stored again. */
interface TransferPlace {
  uid: string;
  /** A project, or the key (an absolute path) or name of one. Null: the project of its session, or none. */
  project: ProjectRef | string | null;
  /** The host of the session. Without a host, the session may have any host; a new session gets the host `import`. */
  host?: HostName | null;
  /** The host's id of a session. Null: one session for all records of the project without a session. */
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
  /**
   * Uids of the observations that this one replaces. Both records of a link contain it, so that their order does not
   * matter.
   */
  supersedes?: readonly string[];
  /** @default import */
  source?: ObservationSource;
  provider?: string | null;
  model?: string | null;
  discoveryTokens?: number;
  agentId?: string | null;
  agentType?: string | null;
  /** @default null */
  fileStates?: readonly FileState[];
  /**
   * The content hash that the observer wrote last, for the conversation record of its session. @default not a
   * conversation record
   */
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
  /** The closing message of the turn. @default null: it is unknown */
  agentReply?: string | null;
  /** The branch and commit that were checked out when the prompt was sent. @default null */
  branch?: string | null;
  headCommit?: string | null;
}

export interface ImportedSummary extends SummaryDraft, TransferPlace {
  kind: 'summary';
}

/** A project and its git repository, which identifies the project in another folder. */
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
  /** Number of records with a known uid, or with the content of an existing record of the same session. */
  known: number;
  /** Number of records that were deleted here and are therefore skipped. */
  forgotten: number;
  /** Records that cannot be stored, by their index in the request. */
  failed: readonly { index: number; reason: string }[];
  /** Number of stored records that are pinned or that the user saved. */
  pinned: number;
  manual: number;
  /** Number of stored records with facts of the user. */
  userFacts: number;
  /** Number of existing records that a stored record superseded. */
  superseded: number;
  /**
   * Number of existing records that stay current because only the user may supersede them, although the import
   * contains a replacement.
   */
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
