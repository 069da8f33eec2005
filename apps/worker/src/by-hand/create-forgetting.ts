import type { Clock, ForgetRequest as Selection, ForgetResult } from '@claude-mem/core';
import type { ForgetReply, ForgetRequest, UndoForgetReply } from '@claude-mem/worker-protocol';
import type { Spool } from '../capture/create-spool.js';
import type { LiveSettings } from '../lifecycle/create-live-settings.js';
import type { NeedMemory } from '../open-memory.js';
import { WorkerError } from '../worker-error.js';
import type { Eraser } from './create-eraser.js';
import { backupsBefore, replaceBackups } from './forget-backups.js';
import { selectForgotten } from './select-forgotten.js';

/** Forgetting as a person asks for it, and undoing it. */
export interface Forgetting {
  forget(request: ForgetRequest): Promise<ForgetReply>;
  /** One observation, final at once. Resolves to how many were forgotten. */
  forgetOne(id: number): Promise<number>;
  /** @throws WorkerError when it is final, or was undone before */
  undo(id: number): Promise<UndoForgetReply>;
}

const SHOWN_TITLES = 20;

export function createForgetting({
  memory,
  eraser,
  live,
  spool,
  backupsDir,
  clock,
}: {
  memory: NeedMemory;
  eraser: Pick<Eraser, 'now'>;
  live: LiveSettings;
  spool: Pick<Spool, 'drain'>;
  backupsDir: string;
  clock: Clock;
}): Forgetting {
  const forgetSelected = async (selection: Selection) => {
    const { store, feed, searching, observing, forgetBin } = memory();
    const result = await store.forget(selection);
    if (result.observations + result.sessions === 0) return { result, isErased: true };
    feed.forgotten(result);
    observing.forget(result.observedSessionIds);
    searching.wake();
    if (result.forgetId === null) return { result, isErased: await eraser.now() };
    forgetBin.wake();
    return { result, isErased: false };
  };

  const titlesOf = async ({ observationIds }: ForgetResult): Promise<ForgetReply['titles']> => {
    const newest = [...observationIds].sort((one, other) => other - one).slice(0, SHOWN_TITLES);
    const observations = await memory().store.observationsByIds(newest);
    return observations.map(({ id, title }) => ({ id, title }));
  };

  const whereItStays = ({ areReplaced, isForBackups }: { areReplaced: boolean; isForBackups: boolean }) => {
    const { keptAside } = memory().storage.health();
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
        ...keptAside.map((file) => `A damaged database that was set aside may still hold it: ${file}.`),
      ],
    };
  };

  return {
    async forget(asked) {
      const { undoSeconds = 0, ...body } = asked;
      const { store, searching, storage } = memory();
      const isForBackups = body.backups === true && !body.dryRun;
      if (body.backups && undoSeconds > 0)
        throw new WorkerError(
          'worker/bad-request',
          'What is taken out of the backups cannot be undone: give either backups or undoSeconds.',
        );
      const selection = await selectForgotten(body, { store, search: searching.memory });
      // What lies in the spool of a session would otherwise come in behind it.
      if (selection.ids === undefined) await spool.drain();
      const now = clock.now();
      const finalAtEpoch = now + undoSeconds * 1_000;
      const request = { ...selection, now, ...(undoSeconds > 0 && { undoUntil: finalAtEpoch }) };
      const planned = await store.forget({ ...request, dryRun: true });
      const titles = await titlesOf(planned);
      const missing = missingOf(body.ids, planned);
      const done = body.dryRun ? { result: planned, isErased: false } : await forgetSelected(request);
      const { forgetId, observations, summaries, prompts, sessions } = done.result;
      // A backup of a file that still holds something, also from an earlier time, would hold it too.
      const isErased = done.isErased && (!isForBackups || (await eraser.now()));
      const areReplaced = isForBackups && isErased;
      const undoable = areReplaced ? await store.listForgotten(now) : [];
      if (areReplaced) await replaceBackups(backupsDir, storage);
      const { backups, notes } = whereItStays({ areReplaced, isForBackups });
      if (undoable.length > 0)
        notes.push('The new backup holds what can still be undone: once that is final, do it again.');
      if (forgetId !== null) notes.push('It is overwritten in the file once it cannot be undone any more.');
      else if (!isErased && !body.dryRun) notes.push('What is left of it in the file is overwritten later.');
      const undo = forgetId === null ? null : { forgetId, finalAtEpoch };
      const counts = { observations, summaries, prompts, sessions };
      return { ...counts, titles, ...(missing.length > 0 && { missing }), isErased, backups, undo, notes };
    },

    async forgetOne(id) {
      const { result } = await forgetSelected({ ids: [id], now: clock.now() });
      return result.observations;
    },

    async undo(id) {
      const { store, feed, searching, observing } = memory();
      const undone = await store.undoForget(id, clock.now());
      if (undone === null)
        throw new WorkerError(
          'worker/not-found',
          'This cannot be undone: it is final, or it was undone before.',
        );
      feed.restored(undone);
      searching.wake();
      if (undone.messages > 0) observing.notify({ isTurnOver: true });
      const { observations, summaries, prompts, sessions, messages, leftOut } = undone;
      const notes =
        leftOut > 0
          ? [
              `${leftOut === 1 ? 'One record' : `${leftOut} records`} of it somebody saved again meanwhile: that stays as it is.`,
            ]
          : [];
      return { restored: { observations, summaries, prompts, sessions, messages }, notes };
    },
  };
}

function missingOf(ids: readonly number[] = [], { observationIds }: ForgetResult): number[] {
  const there = new Set(observationIds);
  return [...new Set(ids)].filter((id) => !there.has(id));
}
