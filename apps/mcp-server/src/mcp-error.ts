import { ClaudeMemError } from '@claude-mem/core';

export type McpErrorCode =
  /** Nothing is stored yet. */
  | 'mcp/no-memory'
  /** A write was asked for and there is no worker to do it. */
  | 'mcp/needs-worker'
  /** What was asked for is not there. */
  | 'mcp/not-found';

/** What a tool cannot do; the message is what the agent reads. */
export class McpError extends ClaudeMemError<McpErrorCode> {}
