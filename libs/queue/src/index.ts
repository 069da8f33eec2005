export { createQueue } from './create-queue.js';
export type { HandleBatch, HeldBatch, Queue, QueueActivity, QueueFailure } from './queue.js';
export { QueueError, type QueueErrorCode } from './queue-error.js';
export type { QueueOptions } from './queue-options.js';
