import { ClaudeMemError } from '@claude-mem/core';

/** `capture/busy`: earlier events cannot be stored yet, so this event must wait in the spool. */
export type CaptureErrorCode = 'capture/busy';

/** Error of this package. */
export class CaptureError extends ClaudeMemError<CaptureErrorCode> {}
