/**
 * Two values are not hosts: `import` for imported sessions, and `manual` for records that the user saved outside of a
 * session.
 */
export const HOST_NAMES = [
  'claude-code',
  'cursor',
  'codex',
  'gemini-cli',
  'opencode',
  'import',
  'manual',
] as const;
export type HostName = (typeof HOST_NAMES)[number];

export const SESSION_STATUSES = ['active', 'completed', 'interrupted', 'failed'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** A project. `key` is its identity (canonical path of the main repository); `name` is for display. */
export interface ProjectRef {
  key: string;
  name: string;
}

/** The project of sessions in the home folder, a temporary folder, or no known folder. */
export const NEUTRAL_PROJECT: Readonly<ProjectRef> = { key: 'neutral', name: 'no project' };

export interface Project extends ProjectRef {
  id: number;
  createdAtEpoch: number;
}

/** One conversation in a host. */
export interface Session {
  id: number;
  uid: string;
  host: HostName;
  /** The host's id of the conversation. */
  contentSessionId: string;
  /** The provider's id of the observer's conversation, for a resume. */
  memorySessionId: string | null;
  projectId: number;
  cwd: string | null;
  /** The first prompt. */
  userPrompt: string | null;
  title: string | null;
  status: SessionStatus;
  /** Number of the latest prompt. 0 before the first. */
  promptCounter: number;
  cumulativeInputTokens: number;
  cumulativeOutputTokens: number;
  createdAtEpoch: number;
  lastActivityEpoch: number;
  completedAtEpoch: number | null;
}

export interface UserPrompt {
  id: number;
  uid: string;
  sessionId: number;
  promptNumber: number;
  promptText: string;
  createdAtEpoch: number;
}

/** The prompt of a turn, including text that the user sent while it ran, and the closing message. */
export interface ConversationTurn {
  promptNumber: number;
  prompt: string;
  /** Null when it is unknown. */
  reply: string | null;
}
