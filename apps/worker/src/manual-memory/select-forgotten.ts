import {
  HOST_NAMES,
  noSuchProject,
  projectNamed,
  type ForgetRequest as Selection,
  type Store,
} from '@claude-mem/core';
import type { Memory } from '@claude-mem/search';
import type { ForgetRequest } from '@claude-mem/worker-protocol';
import { toFilter } from '../http/to-filter.js';
import { WorkerError } from '../worker-error.js';

const PAGE = 200;

/**
 * Selects the records of a request: the given ids, all of a project or session, or the observations that match its
 * filters. Nothing when it concerns only the backups.
 */
export async function selectForgotten(
  { ids, within, dryRun, confirm, backups = false, ...filters }: Omit<ForgetRequest, 'forgottenBy'>,
  { store, search }: { store: Store; search: () => Promise<Memory> },
): Promise<Pick<Selection, 'ids' | 'sessionIds' | 'projectIds'>> {
  const given = Object.keys(filters);
  const isOnlyBackups = backups && ids === undefined && given.length === 0;
  if (!isOnlyBackups && (ids === undefined) === (given.length === 0))
    throw new WorkerError('worker/bad-request', 'Use either ids, or a project, a session or other filters.');
  const empty = given.find((name) => isEmpty(filters[name as keyof typeof filters]));
  if (empty !== undefined)
    throw new WorkerError(
      'worker/bad-request',
      `${empty} is empty, which would filter nothing: give it a value, or leave it out.`,
    );
  if (ids !== undefined) return { ids: within === undefined ? ids : await idsWithin(within, ids, store) };
  if (within !== undefined) throw new WorkerError('worker/bad-request', 'within needs ids.');
  if (!dryRun && !confirm)
    throw new WorkerError(
      'worker/bad-request',
      'This may be much: look with dryRun first, then send confirm: true.',
    );
  if (isOnlyBackups) return {};
  if (given.length > 1 || Array.isArray(filters.project))
    return { ids: await idsOf(filters, await search()) };
  if (filters.project !== undefined) return { projectIds: [await projectOf(String(filters.project), store)] };
  if (filters.session !== undefined) return { sessionIds: [await sessionOf(filters.session, store)] };
  return { ids: await idsOf(filters, await search()) };
}

async function idsWithin(key: string, ids: readonly number[], store: Store): Promise<readonly number[]> {
  const project = (await store.listProjects()).find((one) => one.key === key);
  const observations = project === undefined ? [] : await store.observationsByIds(ids);
  return observations.filter(({ projectId }) => projectId === project?.id).map(({ id }) => id);
}

/** Empty filters. */
function isEmpty(value: string | number | readonly string[] | undefined): boolean {
  return [value ?? ''].flat().every((text) => /^[\s,]*$/.test(String(text)));
}

async function idsOf(
  filters: Omit<ForgetRequest, 'ids' | 'forgottenBy'>,
  search: Memory,
): Promise<readonly number[]> {
  const ids: number[] = [];
  for (;;) {
    const found = await search.search({ ...toFilter(filters), limit: PAGE, offset: ids.length });
    if (found.degraded.length > 0)
      throw new WorkerError(
        'worker/busy',
        'The index is being built, so not all would be found; try again later.',
      );
    ids.push(...found.items.map(({ item }) => item.id));
    if (!found.hasMore) return ids;
  }
}

async function projectOf(wanted: string, { listProjects }: Store): Promise<number> {
  const projects = await listProjects();
  const found = projectNamed(projects, wanted);
  if (found) return found.id;
  throw new WorkerError('worker/not-found', noSuchProject(wanted, projects));
}

/** Tries an id of a host first, because it may be a number too. */
async function sessionOf(wanted: string, store: Store): Promise<number> {
  const found = await Promise.all(
    HOST_NAMES.map((host) => store.findSession({ host, contentSessionId: wanted })),
  );
  const session = found.find((one) => one !== null);
  if (session) return session.id;
  const id = /^#?(\d{1,15})$/.exec(wanted.trim())?.[1];
  const own = id === undefined ? null : await store.getSession(Number(id));
  if (own) return own.id;
  throw new WorkerError('worker/not-found', `There is no session "${wanted}".`);
}
