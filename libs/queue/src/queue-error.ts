import { ClaudeMemError } from '@claude-mem/core';

export type QueueErrorCode = 'queue/already-running' | 'queue/invalid-option';

export class QueueError extends ClaudeMemError<QueueErrorCode> {}
