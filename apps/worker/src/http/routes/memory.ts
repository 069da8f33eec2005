import { withoutUndefined, type Clock, type ForgetResult, type Remembered } from '@claude-mem/core';
import type { ForgetReply } from '@claude-mem/worker-protocol';
import type { FastifyInstance } from 'fastify';
import { createEraser } from '../../by-hand/create-eraser.js';
import { backupsBefore, replaceBackups } from '../../by-hand/forget-backups.js';
import { findNamedProject } from '../../by-hand/find-named-project.js';
import { readChange, readDraft } from '../../by-hand/read-draft.js';
import { selectForgotten } from '../../by-hand/select-forgotten.js';
import type { Spool } from '../../capture/create-spool.js';
import type { ProjectFinder } from '../../capture/create-project-finder.js';
import type { LiveSettings } from '../../lifecycle/create-live-settings.js';
import type { WorkerLog } from '../../log/create-log.js';
import type { NeedMemory } from '../../open-memory.js';
import { found } from '../answers.js';
import { bindRoute } from '../bind-route.js';

const SHOWN_TITLES = 20;

/** Memory by hand: saving, changing, forgetting. */
export async function memoryRoutes(
  app: FastifyInstance,
  {
    memory,
    findProject,
    live,
    spool,
    backupsDir,
    clock,
    log,
  }: {
    memory: NeedMemory;
    findProject: ProjectFinder;
    live: LiveSettings;
    spool: Spool;
    backupsDir: string;
    clock: Clock;
    log: WorkerLog;
  },
): Promise<void> {
  const eraser = createEraser({ store: () => memory().store, clock, log });

  bindRoute(app, 'remember', async ({ body }) => {
    const { store, feed, searching } = memory();
    const project = await findNamedProject(body, { store, findProject });
    const { draft, notes } = readDraft(body);
    const remembered = await store.remember({
      draft,
      project,
      session: body.session ? { contentSessionId: null, ...body.session } : null,
      pinned: body.pinned ?? false,
      supersedes: body.supersedes ?? [],
      now: clock.now(),
    });
    const { observation, isNew, tookBackFrom, isNewlyPinned } = remembered;
    if (isNew) feed.saved(observation);
    else if (isNewlyPinned || tookBackFrom !== null) feed.edited(observation);
    const superseded = new Set([
      ...(body.supersedes ?? []),
      ...(tookBackFrom === null ? [] : [tookBackFrom]),
    ]);
    for (const other of await store.observationsByIds([...superseded])) feed.edited(other);
    searching.wake();
    return { observation, isNew, notes: [...notes, ...notesOn(remembered)] };
  });

  bindRoute(app, 'editObservation', async ({ params, body }) => {
    const { store, feed, searching, observing } = memory();
    const { pinned, supersededBy, ifUpdatedAtEpoch } = body;
    const { draft, notes } = readChange(body);
    const change = { ...draft, ...withoutUndefined({ pinned, supersededBy }) };
    const edited = await store.editObservation(
      params.id,
      change,
      clock.now(),
      withoutUndefined({ ifUpdatedAtEpoch }),
    );
    const observation = found(edited, `observation ${params.id}`);
    feed.edited(observation);
    searching.wake();
    if (Object.keys(draft).length > 0) {
      observing.forget([observation.sessionId]);
      eraser.soon();
    }
    return { ...observation, notes };
  });

  const forget = async (selection: Parameters<ReturnType<NeedMemory>['store']['forget']>[0]) => {
    const { store, feed, searching, observing } = memory();
    const result = await store.forget(selection);
    if (result.observations + result.sessions === 0) return { result, isErased: true };
    feed.forgotten(result);
    observing.forget(result.observedSessionIds);
    searching.wake();
    return { result, isErased: await eraser.now() };
  };

  bindRoute(app, 'deleteObservation', async ({ params }) => {
    const { result } = await forget({ ids: [params.id], now: clock.now() });
    return { changed: result.observations };
  });

  bindRoute(app, 'forget', async ({ body }) => {
    const { store, searching, storage } = memory();
    const selection = await selectForgotten(body, { store, search: searching.memory });
    // What lies in the spool of a session would otherwise come in behind it.
    if (selection.ids === undefined) await spool.drain();
    const request = { ...selection, now: clock.now() };
    const planned = await store.forget({ ...request, dryRun: true });
    const titles = await titlesOf(planned);
    const done = body.dryRun ? { result: planned, isErased: false } : await forget(request);
    const { result } = done;
    const isForBackups = body.backups === true && !body.dryRun;
    // A backup of a file that still holds something, also from an earlier time, would hold it too.
    const isErased = done.isErased && (!isForBackups || (await eraser.now()));
    const areReplaced = isForBackups && isErased;
    if (areReplaced) await replaceBackups(backupsDir, storage);
    const { observations, summaries, prompts, sessions } = result;
    const { backups, notes } = whereItStays({ areReplaced, isForBackups });
    if (!isErased && !body.dryRun) notes.push('What is left of it in the file is overwritten later.');
    return { observations, summaries, prompts, sessions, titles, isErased, backups, undo: null, notes };
  });

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
}

/** What happened to a record that was there already. */
function notesOn({ observation, tookBackFrom, isNewlyPinned }: Remembered): string[] {
  const { id } = observation;
  return [
    ...(tookBackFrom === null
      ? []
      : [`#${tookBackFrom} had superseded #${id}: it counts again, and supersedes #${tookBackFrom}.`]),
    ...(isNewlyPinned ? [`#${id} is pinned now.`] : []),
  ];
}
