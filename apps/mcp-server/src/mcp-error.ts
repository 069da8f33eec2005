import { ClaudeMemError } from '@claude-mem/core';

export type McpErrorCode =
  /** The database does not exist yet. */
  | 'mcp/no-memory'
  /** A write failed because no worker runs. */
  | 'mcp/needs-worker'
  /** The requested record, session or project does not exist. */
  | 'mcp/not-found';

/** A failed tool call. The agent reads the message. */
export class McpError extends ClaudeMemError<McpErrorCode> {}
