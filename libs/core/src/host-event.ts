import type { HostName } from './session.js';

/** JSON as it came from a host: any shape. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

interface HostEventBase {
  host: HostName;
  contentSessionId: string;
  /** Folder the host was in at that moment; follows the model's `cd`. */
  cwd: string | null;
  /** The host's own idea of the project folder; wins over `cwd`. */
  projectDir: string | null;
  /** The host's id of the prompt this belongs to, where it has one. */
  promptId: string | null;
  /** Set when a sub-agent did it. */
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

/** One tool call with input and response. */
export interface ToolUse {
  toolName: string;
  /** The host's id of the call; null in old hosts. */
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

/** The host is about to put a summary in the place of the conversation so far. */
interface CompactionBegun extends HostEventBase {
  kind: 'compaction';
}

/** What happened in a host, in our words. Text in it is as the host sent it: not yet scrubbed. */
export type HostEvent =
  SessionStarted | PromptSubmitted | ToolUsed | TurnEnded | SessionEnded | CompactionBegun;

/** Ends an output of a tool whose rest was removed before it was stored, because a tag in it was not closed. */
export const CUT_OUTPUT_NOTE = '[rest removed: a tag was not closed]';
