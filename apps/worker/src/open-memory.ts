import type { ContextFiles } from '@claude-mem/context-files';
import type { PendingMessages, Session, Store } from '@claude-mem/core';
import type { Storage } from '@claude-mem/storage';
import type { ReplayedPrompt } from '@claude-mem/worker-protocol';
import type { Eraser } from './manual-memory/create-eraser.js';
import type { ForgetBin } from './manual-memory/create-forget-bin.js';
import type { Undoing } from './manual-memory/create-undoing.js';
import type { ContextDelivery, Capture, GroupCommit, ProjectRelocation } from '@claude-mem/capture';
import type { Freshness } from '@claude-mem/freshness';
import type { Observer } from '@claude-mem/observer';
import type { Searching } from './search/create-searching.js';
import type { ChangeFeed } from './stream/create-change-feed.js';

/** The parts that exist only when the database is open. */
export interface OpenMemory {
  storage: Storage;
  store: Store;
  messages: PendingMessages;
  capture: Capture;
  contextDelivery: ContextDelivery;
  commit: GroupCommit;
  observer: Observer;
  feed: ChangeFeed;
  searching: Searching;
  contextFiles: ContextFiles;
  relocation: ProjectRelocation;
  freshness: Freshness;
  undoing: Undoing;
  forgetBin: ForgetBin;
  eraser: Eraser;
  /** Repeats the recall of the first `limit` prompts of a session. */
  replay(session: Session, options: { limit: number }): Promise<readonly ReplayedPrompt[]>;
}

/** @throws WorkerError `worker/not-ready` or `worker/stopping` when there is none */
export type NeedMemory = () => OpenMemory;
