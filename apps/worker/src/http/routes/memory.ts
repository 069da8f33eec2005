import { withoutUndefined, type Clock, type Remembered, type ProjectFinder } from '@claude-mem/core';
import { typeEmojis } from '@claude-mem/settings';
import type { DataPaths } from '@claude-mem/settings';
import type { FastifyInstance } from 'fastify';
import { createForgetting } from '../../manual-memory/create-forgetting.js';
import { findNamedProject } from '../../manual-memory/find-named-project.js';
import { readChange, readDraft } from '../../manual-memory/read-draft.js';
import { requireAgentMaySave } from '../../manual-memory/require-agent-may.js';
import type { Spool } from '@claude-mem/capture';
import type { LiveSettings } from '../../lifecycle/create-live-settings.js';
import type { NeedMemory } from '../../open-memory.js';
import { found } from '../answers.js';
import { bindRoute } from '../bind-route.js';

/** Routes for manual changes: save, edit and delete records. */
export async function memoryRoutes(
  app: FastifyInstance,
  {
    memory,
    findProject,
    live,
    spool,
    paths,
    clock,
  }: {
    memory: NeedMemory;
    findProject: ProjectFinder;
    live: LiveSettings;
    spool: Spool;
    paths: DataPaths;
    clock: Clock;
  },
): Promise<void> {
  const forgetting = createForgetting({ memory, live, spool, backupsDir: paths.backupsDir, clock });
  const types = () => Object.keys(typeEmojis(live.current().mode));

  bindRoute(app, 'remember', async ({ body }) => {
    const { store, feed, searching, relocation } = memory();
    const project = await findNamedProject(body, { store, findProject, relocation });
    const { draft, notes } = readDraft(body, { types: types() });
    if (body.savedBy === 'agent') await requireAgentMaySave(body, store);
    const remembered = await store.remember({
      draft,
      project,
      session: body.session ? { contentSessionId: null, ...body.session } : null,
      source: body.savedBy === 'agent' ? 'agent' : 'manual',
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
    const { store, feed, searching, observer, eraser } = memory();
    const { pinned, supersededBy, ifUpdatedAtEpoch } = body;
    const { draft, notes } = readChange(body, { types: types() });
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
      observer.forget([observation.sessionId]);
      eraser.soon();
    }
    return { ...observation, notes };
  });

  bindRoute(app, 'deleteObservation', ({ params }) => forgetting.forgetOne(params.id));
  bindRoute(app, 'forget', ({ body }) => forgetting.forget(body));
  bindRoute(app, 'undoForget', ({ params }) => forgetting.undo(params.id));
  bindRoute(app, 'listForgotten', async () => {
    const items = await memory().store.listForgotten(clock.now());
    return { items: items.map((one) => ({ ...one, titles: [...one.titles] })), nextCursor: null };
  });
}

/** What happened to a record that was there already. */
function notesOn({ observation, tookBackFrom, isNewlyPinned }: Remembered): string[] {
  const { id, supersededBy } = observation;
  return [
    ...(supersededBy === null
      ? []
      : [
          `#${id} is superseded by #${supersededBy}, and an agent cannot change that. The person can: claude-mem supersede ${id} --undo`,
        ]),
    ...(tookBackFrom === null
      ? []
      : [`#${tookBackFrom} had superseded #${id}: it counts again, and supersedes #${tookBackFrom}.`]),
    ...(isNewlyPinned ? [`#${id} is pinned now.`] : []),
  ];
}
