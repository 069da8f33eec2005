import type { RecordPosition, Store, TimelineRecord } from '@claude-mem/core';
import type { Database } from '../database/driver.js';
import type { ObservationRecords } from './observations.js';
import type { PromptRecords } from './prompts.js';
import type { SummaryRecords } from './summaries.js';

/** The order of kinds for records with the same time. */
const KINDS = ['prompt', 'observation', 'summary'] as const;
type Kind = (typeof KINDS)[number];
const TABLES: Record<Kind, string> = {
  prompt: 'user_prompts',
  observation: 'observations',
  summary: 'session_summaries',
};
const MAX_SIDE = 1_000;

interface Place {
  epoch: number;
  /** Index in KINDS. */
  kind: number;
  id: number;
}

/** Finds the records around a position in order of time, across projects and kinds. */
export function createTimeline(
  database: Database,
  records: { prompts: PromptRecords; observations: ObservationRecords; summaries: SummaryRecords },
) {
  const search = KINDS.map((kind, number) => createSideSearch(database, TABLES[kind], number));
  const load: Record<Kind, (ids: readonly number[]) => readonly TimelineRecord[]> = {
    prompt: (ids) =>
      records.prompts.byIds(ids).map(({ projectId: _, ...item }) => ({ kind: 'prompt', item })),
    observation: (ids) => records.observations.byIds(ids).map((item) => ({ kind: 'observation', item })),
    summary: (ids) => records.summaries.byIds(ids).map((item) => ({ kind: 'summary', item })),
  };

  return ({
    at,
    before,
    after,
    projectIds,
  }: Parameters<Store['recordsAround']>[0]): readonly TimelineRecord[] => {
    const place = placeOf(at);
    const isRecord = at.kind !== undefined && at.id !== undefined;
    const side = (direction: Direction, count: number) => {
      const limit = Math.min(Math.max(Math.trunc(count) || 0, 0), MAX_SIDE);
      const found = search.flatMap((find) => find({ place, direction, limit, projectIds }));
      const inOrder = found.sort(direction === 'after' ? compare : (a, b) => compare(b, a)).slice(0, limit);
      return direction === 'after' ? inOrder : inOrder.reverse();
    };
    const places = [...side('before', before), ...(isRecord ? [place] : []), ...side('after', after)];
    const loaded = new Map<string, TimelineRecord>();
    KINDS.forEach((kind, number) => {
      const ids = places.filter((one) => one.kind === number).map(({ id }) => id);
      for (const record of load[kind](ids)) loaded.set(`${kind} ${record.item.id}`, record);
    });
    return places.flatMap(({ kind, id }) => loaded.get(`${KINDS[kind]} ${id}`) ?? []);
  };
}

type Direction = 'before' | 'after';

/** A time is the position before all records with that time. */
function placeOf({ epoch, kind, id }: RecordPosition): Place {
  return kind === undefined || id === undefined
    ? { epoch, kind: -1, id: 0 }
    : { epoch, kind: KINDS.indexOf(kind), id };
}

const compare = (a: Place, b: Place) => a.epoch - b.epoch || a.kind - b.kind || a.id - b.id;

/** The nearest records of one kind on one side, by the indexes over time. */
function createSideSearch(database: Database, table: string, kind: number) {
  const statement = (direction: Direction, isInProject: boolean) => {
    const [sign, order] = direction === 'before' ? ['<', 'DESC'] : ['>', 'ASC'];
    return database.prepare(`SELECT created_at_epoch AS epoch, ${kind} AS kind, id FROM ${table}
      WHERE ${isInProject ? 'project_id = :projectId AND' : ''} (created_at_epoch, id) ${sign} (:epoch, :id)
      ORDER BY created_at_epoch ${order}, id ${order} LIMIT :limit`);
  };
  const everywhere = { before: statement('before', false), after: statement('after', false) };
  const inProject = { before: statement('before', true), after: statement('after', true) };

  return (request: {
    place: Place;
    direction: Direction;
    limit: number;
    projectIds: readonly number[] | undefined;
  }): readonly Place[] => {
    const { place, direction, limit, projectIds } = request;
    // Ids begin at 1, so 0 is the position before all records with the same time.
    const isBehind = kind > place.kind;
    const id = kind === place.kind ? place.id : isBehind ? 0 : Number.MAX_SAFE_INTEGER;
    const values = { epoch: place.epoch, id, limit };
    if (limit === 0) return [];
    if (projectIds === undefined) return everywhere[direction].all(values) as Place[];
    return [...new Set(projectIds)].flatMap(
      (projectId) => inProject[direction].all({ ...values, projectId }) as Place[],
    );
  };
}
