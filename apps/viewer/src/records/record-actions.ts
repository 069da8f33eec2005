import { messageOf, type Observation, type Project, type Session } from '@claude-mem/core';
import type { ForgetRequest, RouteReply, WorkerClient } from '@claude-mem/worker-protocol';
import type { QueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import { queryClient } from '../api/query-client.js';
import { worker } from '../api/worker.js';
import { notices } from '../ui/notices.js';
import { SecondsLeft } from '../ui/SecondsLeft.js';
import { withChanged, withoutForgotten, type ForgottenRecords } from './cached-records.js';

/** Undo time in seconds. */
export const UNDO_SECONDS = 30;

/** A dialog that an action opens. */
type RecordDialog =
  | { kind: 'edit'; observation: Observation }
  | { kind: 'supersede'; observation: Observation }
  | { kind: 'forget-session'; session: Session };

type Forgotten = NonNullable<RouteReply<'forget'>['undo']>;

/** Actions on records, available on all pages. They update all cached responses and never reject. */
export interface RecordActions {
  /** Updates the page immediately, and reverts the update when the worker rejects the request. */
  setPinned(observation: Observation, isPinned: boolean): Promise<void>;
  edit(observation: Observation): void;
  /** Opens a dialog that selects the superseding observation. */
  supersede(observation: Observation): void;
  /**
   * Forgets the observations without confirmation and shows a notice with an undo button. Returns whether they were
   * forgotten.
   */
  forget(observations: readonly Observation[]): Promise<boolean>;
  /** Asks for confirmation first, because prompts and summaries are deleted too. */
  askToForgetSession(session: Session): void;
  forgetSession(session: Session): Promise<boolean>;
  forgetProject(project: Pick<Project, 'key' | 'name'>): Promise<boolean>;
  undo(forgetId: number): Promise<boolean>;
  /** Undoes the latest deletion while its notice is shown. */
  undoLatest(): Promise<boolean>;
  /** Removes the notices of deletions that were undone elsewhere. */
  checkUndoable(): Promise<void>;
  /** Updates the observation in all cached responses. */
  applyChange(observation: Observation): void;
  /** Removes forgotten records from all cached responses. */
  removeForgotten(forgotten: ForgottenRecords): void;
  /** Returns the open dialog, or null. */
  dialog(): RecordDialog | null;
  closeDialog(): void;
  onDialog(watcher: () => void): () => void;
}

type Notices = Pick<typeof notices, 'add' | 'close'>;

export function createRecordActions({
  worker,
  cache,
  notices,
}: {
  worker: Pick<WorkerClient, 'editObservation' | 'forget' | 'undoForget' | 'listForgotten'>;
  cache: QueryClient;
  notices: Notices;
}): RecordActions {
  let dialog: RecordDialog | null = null;
  const watchers = new Set<() => void>();
  const undoable = new Map<number, string>();
  const show = (next: RecordDialog | null) => {
    dialog = next;
    for (const watcher of watchers) watcher();
  };
  const updateResponses = (change: (data: unknown) => unknown) => {
    for (const query of cache.getQueryCache().getAll()) {
      const { data, dataUpdatedAt } = query.state;
      const changed = data === undefined ? data : change(data);
      if (changed !== data) cache.setQueryData(query.queryKey, changed, { updatedAt: dataUpdatedAt });
    }
  };
  const change = (changed: Parameters<typeof withChanged>[1]) =>
    updateResponses((data) => withChanged(data, changed));
  const removeForgotten = (forgotten: ForgottenRecords) =>
    updateResponses((data) => withoutForgotten(data, forgotten));
  const refused = (title: string, error: unknown) => {
    notices.add({ title, description: messageOf(error), priority: 'high', timeout: 12_000 });
  };
  const end = (forgetId: number) => {
    const noticeId = undoable.get(forgetId);
    undoable.delete(forgetId);
    if (noticeId !== undefined) notices.close(noticeId);
  };

  const offerUndo = ({ forgetId, finalAtEpoch }: Forgotten, title: string) => {
    const noticeId = notices.add({
      title,
      description: createElement(SecondsLeft, { untilEpoch: finalAtEpoch, onEnd: () => end(forgetId) }),
      timeout: 0,
      onClose: () => undoable.delete(forgetId),
      actionProps: { children: 'Undo', onClick: () => void undo(forgetId) },
    });
    undoable.set(forgetId, noticeId);
  };

  const forget = async (body: ForgetRequest, { what, ...forgotten }: ForgottenRecords & { what: string }) => {
    try {
      const { undo, notes } = await worker.forget({ body: { ...body, undoSeconds: UNDO_SECONDS } });
      removeForgotten(forgotten);
      void cache.invalidateQueries({ refetchType: 'none' });
      if (undo) offerUndo(undo, `Forgot ${what}`);
      else
        notices.add({
          title: `Forgot ${what}`,
          ...(notes[0] === undefined ? {} : { description: notes[0] }),
        });
      return true;
    } catch (error) {
      refused(`${capitalised(what)} could not be forgotten`, error);
      return false;
    }
  };

  const undo = async (forgetId: number) => {
    end(forgetId);
    try {
      const { notes } = await worker.undoForget({ params: { id: forgetId } });
      await cache.invalidateQueries();
      notices.add({ title: 'Restored', ...(notes[0] === undefined ? {} : { description: notes[0] }) });
      return true;
    } catch (error) {
      refused('Restore failed', error);
      return false;
    }
  };

  return {
    async setPinned({ id, uid, pinned }, isPinned) {
      change({ uid, pinned: isPinned });
      try {
        const { notes: _, ...observation } = await worker.editObservation({
          params: { id },
          body: { pinned: isPinned },
        });
        change(observation);
      } catch (error) {
        change({ uid, pinned });
        refused(isPinned ? `#${id} could not be pinned` : `#${id} could not be unpinned`, error);
      }
    },
    edit: (observation) => show({ kind: 'edit', observation }),
    supersede: (observation) => show({ kind: 'supersede', observation }),
    forget(observations) {
      const [first] = observations;
      if (first === undefined) return Promise.resolve(false);
      const what = observations.length === 1 ? `#${first.id}` : `${observations.length} observations`;
      const ids = observations.map(({ id }) => id);
      return forget({ ids }, { what, observationIds: ids, sessionIds: [] });
    },
    askToForgetSession: (session) => show({ kind: 'forget-session', session }),
    forgetProject: ({ key, name }) =>
      forget(
        { project: key, confirm: true },
        { what: `the project ${name}`, observationIds: [], sessionIds: [] },
      ),
    forgetSession: ({ id }) =>
      forget(
        { session: String(id), confirm: true },
        { what: 'the session', observationIds: [], sessionIds: [id] },
      ),
    undo,
    undoLatest() {
      const latest = [...undoable.keys()].at(-1);
      return latest === undefined ? Promise.resolve(false) : undo(latest);
    },
    async checkUndoable() {
      const before = [...undoable.keys()];
      if (before.length === 0) return;
      // the notices stay while the worker is not reachable
      const left = await worker.listForgotten().catch(() => null);
      if (left === null) return;
      for (const forgetId of before) if (!left.items.some((one) => one.forgetId === forgetId)) end(forgetId);
    },
    applyChange: change,
    removeForgotten,
    dialog: () => dialog,
    closeDialog: () => show(null),
    onDialog(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The actions of this page. */
export const recordActions = createRecordActions({ worker, cache: queryClient, notices });
