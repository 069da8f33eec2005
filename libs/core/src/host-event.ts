import type { HostName } from './session.js';

/** JSON from a host, with any structure. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

interface HostEventBase {
  host: HostName;
  contentSessionId: string;
  /** The current folder of the host, which follows `cd` commands of the agent. */
  cwd: string | null;
  /** The project folder that the host reports. It has priority over `cwd`. */
  projectDir: string | null;
  /** The host's id of the prompt, if the host has such ids. */
  promptId: string | null;
  /** Set for events of a sub-agent. */
  agentId: string | null;
  agentType: string | null;
}

export interface SessionStarted extends HostEventBase {
  kind: 'session-start';
  source: 'startup' | 'resume' | 'clear' | 'compact' | 'fork' | 'other';
}

export interface PromptSubmitted extends HostEventBase {
  kind: 'prompt';
  text: string;
}

/** One tool call with its input and response. */
export interface ToolUse {
  toolName: string;
  /** The host's id of the call. Null for old hosts. */
  toolUseId: string | null;
  input: JsonValue;
  response: JsonValue;
  outcome: 'succeeded' | 'failed';
  /** The host's message for a failed call. */
  error: string | null;
  isInterrupt: boolean;
  durationMs: number | null;
}

export interface ToolUsed extends HostEventBase, ToolUse {
  kind: 'tool-use';
}

export interface TurnEnded extends HostEventBase {
  kind: 'turn-end';
  lastAssistantMessage: string | null;
  transcriptPath: string | null;
}

export interface SessionEnded extends HostEventBase {
  kind: 'session-end';
  reason: string;
}

/** The host is about to replace the conversation history with a summary. */
interface CompactionBegun extends HostEventBase {
  kind: 'compaction';
}

/** An event of a host in host-neutral form. Its texts are not scrubbed yet. */
export type HostEvent =
  SessionStarted | PromptSubmitted | ToolUsed | TurnEnded | SessionEnded | CompactionBegun;

/**
 * The end of a tool output from which the rest was removed before it was stored, because a tag in it was not closed.
 */
export const CUT_OUTPUT_NOTE = '[rest removed: a tag was not closed]';
