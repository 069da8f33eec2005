import type { Clock, ForgetResult, Store } from '@claude-mem/core';
import type { DeleteReply, ForgetReply, ForgetRequest, UndoForgetReply } from '@claude-mem/worker-protocol';
import type { Spool } from '@claude-mem/capture';
import type { LiveSettings } from '../lifecycle/create-live-settings.js';
import type { NeedMemory } from '../open-memory.js';
import { WorkerError } from '../worker-error.js';
import { backupsBefore, replaceBackups } from './forget-backups.js';
import { forgetInParts } from './forget-in-parts.js';
import { requireAgentMayDelete } from './require-agent-may.js';
import { selectForgotten } from './select-forgotten.js';

/** Deletes records on request of the user, and restores them. */
export interface Forgetting {
  forget(request: ForgetRequest): Promise<ForgetReply>;
  /** Deletes one observation permanently. Resolves when it is deleted, before its data is overwritten. */
  forgetOne(id: number): Promise<DeleteReply>;
  /** @throws WorkerError when it is final or was undone before */
  undo(id: number): Promise<UndoForgetReply>;
}

const SHOWN_TITLES = 20;
const COUNTED = ['observations', 'summaries', 'prompts', 'sessions'] as const;

interface Forgotten {
  gone: Pick<ForgetReply, (typeof COUNTED)[number]>;
  undo: ForgetReply['undo'];
}

export function createForgetting({
  memory,
  live,
  spool,
  backupsDir,
  clock,
}: {
  memory: NeedMemory;
  live: LiveSettings;
  spool: Pick<Spool, 'drain' | 'deleteRejected'>;
  backupsDir: string;
  clock: Clock;
}): Forgetting {
  const forgetPlanned = async (
    planned: Pick<ForgetResult, 'observationIds' | 'sessionIds'>,
    { undoSeconds }: { undoSeconds: number },
  ): Promise<Forgotten> => {
    const { store, feed, searching, observer: observing, forgetBin } = memory();
    const gone = { observations: 0, summaries: 0, prompts: 0, sessions: 0 };
    const ids = { observationIds: [] as number[], sessionIds: [] as number[] };
    let undo: Forgotten['undo'] = null;
    try {
      for await (const part of forgetInParts(planned, { store, undoSeconds, clock })) {
        const { forgetId, finalAtEpoch } = part;
        observing.forget(part.observedSessionIds);
        ids.observationIds.push(...part.observationIds);
        ids.sessionIds.push(...part.sessionIds);
        for (const kind of COUNTED) gone[kind] += part[kind];
        if (forgetId !== null) undo = { forgetId, finalAtEpoch };
      }
    } finally {
      if (gone.observations + gone.sessions > 0) {
        feed.forgotten(ids);
        searching.wake();
        if (undo !== null) forgetBin.wake();
      }
    }
    return { gone, undo };
  };

  const forgetSelected = async (
    { forgottenBy, ...body }: Omit<ForgetRequest, 'undoSeconds'>,
    { undoSeconds }: { undoSeconds: number },
  ) => {
    const { store, searching } = memory();
    const selection = await selectForgotten(body, { store, search: searching.memory });
    // Events of the session in the spool would otherwise be stored afterwards.
    if (selection.ids === undefined) await spool.drain();
    const planned = await store.forget({ ...selection, dryRun: true, now: clock.now() });
    if (forgottenBy === 'agent') await requireAgentMayDelete(planned.observationIds, store);
    const titles = await newestTitles(planned.observationIds, store);
    // Their project is unknown, so all of them are deleted.
    const isAllOfSome = selection.sessionIds !== undefined || selection.projectIds !== undefined;
    const rejected = isAllOfSome && !body.dryRun ? await spool.deleteRejected() : 0;
    const forgotten = body.dryRun
      ? { gone: planned, undo: null }
      : await forgetPlanned(planned, { undoSeconds });
    return { planned, titles, rejected, ...forgotten };
  };

  const whereItStays = ({ areReplaced, isForBackups }: { areReplaced: boolean; isForBackups: boolean }) => {
    const { quarantined } = memory().storage.health();
    const kept = areReplaced
      ? { count: 0, untilEpoch: null }
      : backupsBefore(backupsDir, { keep: live.current().backupKeep });
    const advice = isForBackups
      ? 'they were left as they are, because it is not overwritten in the database yet; in some minutes, claude-mem forget --backups'
      : 'claude-mem forget --backups';
    return {
      backups: kept.count,
      notes: [
        ...(kept.untilEpoch === null
          ? []
          : [
              `Backups may still hold it (${kept.count}), the last until about ${new Date(kept.untilEpoch).toISOString().slice(0, 10)}; ${advice} takes it out of them.`,
            ]),
        ...quarantined.map((file) => `A quarantined damaged database may still contain it: ${file}.`),
      ],
    };
  };

  return {
    async forget(asked) {
      const { undoSeconds = 0, ...body } = asked;
      const { store, storage, eraser, undoing } = memory();
      const isForBackups = body.backups === true && !body.dryRun;
      if (body.backups && undoSeconds > 0)
        throw new WorkerError(
          'worker/bad-request',
          'What is taken out of the backups cannot be undone: give either backups or undoSeconds.',
        );
      const { planned, titles, gone, undo, rejected } = await undoing.alone(() =>
        forgetSelected(body, { undoSeconds }),
      );
      const missing = missingOf(body.ids, planned);
      const { observations, summaries, prompts, sessions } = gone;
      const isNothing = observations + sessions === 0;
      // A backup of a file that still contains deleted data would contain it too.
      const erase = isNothing && !isForBackups ? store.isErased : eraser.now;
      const isErased = !body.dryRun && undo === null && (await erase());
      const areReplaced = isForBackups && isErased;
      const undoable = areReplaced ? await store.listForgotten(clock.now()) : [];
      if (areReplaced) await replaceBackups(backupsDir, storage);
      const { backups, notes } = whereItStays({ areReplaced, isForBackups });
      if (rejected > 0)
        notes.unshift(`Rejected spool files deleted: ${rejected}. They can belong to any project.`);
      if (undoable.length > 0)
        notes.push('The new backup holds what can still be undone: once that is final, do it again.');
      if (undo !== null) notes.push('It is overwritten in the file once it cannot be undone any more.');
      else if (isNothing && !body.dryRun && !body.backups) notes.unshift('There was nothing left to forget.');
      else if (!isErased && !body.dryRun) notes.push('What is left of it in the file is overwritten later.');
      const counts = { observations, summaries, prompts, sessions };
      return { ...counts, titles, ...(missing.length > 0 && { missing }), isErased, backups, undo, notes };
    },

    async forgetOne(id) {
      const { store, eraser, undoing } = memory();
      const { gone } = await undoing.alone(() =>
        forgetPlanned({ observationIds: [id], sessionIds: [] }, { undoSeconds: 0 }),
      );
      if (gone.observations > 0) eraser.soon();
      return { changed: gone.observations, isErased: await store.isErased() };
    },

    async undo(id) {
      const { undoing, forgetBin } = memory();
      const undone = await undoing.undo(id).catch((error: unknown) => {
        forgetBin.wake();
        throw error;
      });
      if (undone === null)
        throw new WorkerError(
          'worker/not-found',
          `Deletion ${id} cannot be undone: the number is unknown, the undo period has ended, or it was undone before.`,
        );
      const { observations, summaries, prompts, sessions, messages, skipped } = undone;
      const notes =
        skipped > 0
          ? [
              `${skipped === 1 ? 'One record' : `${skipped} records`} of it somebody saved again meanwhile: that stays as it is.`,
            ]
          : [];
      return { restored: { observations, summaries, prompts, sessions, messages }, notes };
    },
  };
}

async function newestTitles(ids: readonly number[], store: Store): Promise<ForgetReply['titles']> {
  const newest = [...ids].sort((one, other) => other - one).slice(0, SHOWN_TITLES);
  const observations = await store.observationsByIds(newest);
  return observations.map(({ id, title }) => ({ id, title }));
}

function missingOf(ids: readonly number[] = [], { observationIds }: ForgetResult): number[] {
  const there = new Set(observationIds);
  return [...new Set(ids)].filter((id) => !there.has(id));
}
