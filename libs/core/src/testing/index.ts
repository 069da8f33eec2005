export { bundleProgram } from './bundle-program.js';
export { bySize, isFullRun } from './full-run.js';
export { createFixedClock, type FixedClock } from './fixed-clock.js';
export { processorTime } from './processor-time.js';
export { LINEAR_GROWTH, processorTimeGrowth } from './processor-time-growth.js';
export { randomFrom } from './random-from.js';
export { createMemoryPendingMessages } from './pending-messages/create-memory-pending-messages.js';
export { describePendingMessages } from './pending-messages/describe-pending-messages.js';
export { seedThroughStore } from './pending-messages/seed-through-store.js';
export type {
  OpenedPendingMessages,
  PendingSeed,
  SeededEvent,
} from './pending-messages/opened-pending-messages.js';
export { createObserverBatch, type ObserverBatchFields } from './observer-batch.js';
export { inLockedFolder } from './in-locked-folder.js';
