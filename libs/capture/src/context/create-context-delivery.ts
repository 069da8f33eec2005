import type { Clock, Logger, ProjectFinder, Store } from '@claude-mem/core';
import type { Freshness, RunGit } from '@claude-mem/freshness';
import type { Memory } from '@claude-mem/search';
import type { Settings } from '@claude-mem/settings';
import { createBranchFiles } from './create-branch-files.js';
import { createBranchRecords } from './create-branch-records.js';
import { createFailureRecall, type FailureRecall } from './create-failure-recall.js';
import { createFileHistory, type FileHistory } from './create-file-history.js';
import { createHoldout, type Holdout } from './create-holdout.js';
import { createInjectionLog, type InjectionLog } from './create-injection-log.js';
import { createPromptRecall, type PromptRecall } from './create-prompt-recall.js';
import {
  createSessionContext,
  type SessionContext,
  type SessionContextOptions,
} from './create-session-context.js';
import { createSessionLedger } from './create-session-ledger.js';

/** The texts that are injected into sessions, and which records were injected. */
export interface ContextDelivery {
  /** Text for the start of a session. */
  context: SessionContext;
  /** Text for a prompt. */
  recall: PromptRecall;
  /** Text for a file read. */
  history: FileHistory;
  /** Text for a failed command. */
  failures: FailureRecall;
  injections: InjectionLog;
  holdout: Holdout;
}

/**
 * Creates the parts that write the texts for agents. They share a ledger, so that no record is injected twice into
 * the same conversation history.
 * @param options.memory opens the search; called when a text first needs it
 * @param options.isMemoryOpen false until the search is open; a session start does not wait for it
 * @param options.launcher path of the `claude-mem` program, which the texts mention
 */
export function createContextDelivery({
  git,
  isMemoryOpen,
  providedTo,
  observePending,
  log,
  ...options
}: {
  store: Store;
  memory(this: void): Promise<Memory>;
  isMemoryOpen(this: void): boolean;
  freshness: Pick<Freshness, 'label'>;
  findProject: ProjectFinder;
  git: RunGit;
  settings: () => Settings;
  launcher: string;
  clock: Clock;
  log: Logger;
} & Pick<SessionContextOptions, 'providedTo' | 'observePending'>): ContextDelivery {
  const { store, settings, clock, memory } = options;
  const shared = { ...options, ledger: createSessionLedger() };
  return {
    context: createSessionContext({
      ...shared,
      branchFiles: createBranchFiles({ git, clock, log }),
      branchRecords: createBranchRecords({ memory, isMemoryOpen, store, clock, log }),
      providedTo,
      observePending,
    }),
    recall: createPromptRecall(shared),
    history: createFileHistory(shared),
    failures: createFailureRecall(shared),
    injections: createInjectionLog({ store, clock, log }),
    holdout: createHoldout({ store, settings }),
  };
}
