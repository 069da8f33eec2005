import { ClaudeMemError } from '@claude-mem/core';

export type HostAdaptersErrorCode =
  | 'host-adapters/broken-config'
  | 'host-adapters/unreadable-config'
  | 'host-adapters/unwritable-config'
  | 'host-adapters/changed-config'
  | 'host-adapters/invalid-option';

/** Errors when a host's configuration is changed. Reading events never throws. */
export class HostAdaptersError extends ClaudeMemError<HostAdaptersErrorCode> {}
