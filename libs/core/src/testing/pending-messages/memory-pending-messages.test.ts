import { createMemoryPendingMessages } from './create-memory-pending-messages.js';
import { describePendingMessages } from './describe-pending-messages.js';

describePendingMessages('memory', { open: createMemoryPendingMessages });
