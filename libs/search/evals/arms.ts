import type { EvalQuery, EvalSet, EvalTask } from './eval-set.js';
import type { Memory, SearchRequest } from '../src/memory.js';

/** One way to answer the queries of a set. */
export interface Arm {
  /** Ids of what was found, best first: uids, or the host's ids of sessions. */
  rank(query: EvalQuery, unit: EvalTask['unit']): Promise<readonly string[]>;
}

export const ARM_NAMES = [
  'plain',
  'lexical',
  'semantic',
  'fused',
  'without-files',
  'noise-index',
  'noise-embedder',
  'noise-words',
  'noise-files',
] as const;
export type ArmName = (typeof ARM_NAMES)[number];

/** How far down a ranking is looked; what is below counts as not found. */
const DEPTH = 100;

/** Asks a memory, with the request changed where the arm is noise. */
export function createMemoryArm(
  memory: Memory,
  changed: (query: EvalQuery) => Partial<SearchRequest> = () => ({}),
): Arm {
  return {
    async rank(query, unit) {
      const request: SearchRequest = {
        query: query.text,
        project: query.project,
        limit: DEPTH,
        ...(query.contextFiles ? { contextFiles: query.contextFiles } : {}),
        ...(query.dateTo === undefined ? {} : { dateTo: query.dateTo }),
        ...changed(query),
      };
      const ids =
        unit === 'session'
          ? (await memory.searchSessions(request)).items.map(({ item }) => item.contentSessionId)
          : (await memory.search(request)).items.map(({ item }) => item.uid);
      return ids.filter((id) => id !== query.except);
    },
  };
}

/** For every query of a set another one of the same task, always the same. */
export function othersOf({ tasks }: EvalSet): ReadonlyMap<EvalQuery, EvalQuery> {
  const others = new Map<EvalQuery, EvalQuery>();
  for (const { queries } of tasks) {
    for (const [index, query] of queries.entries()) {
      const other = queries[(index + Math.ceil(queries.length / 2)) % queries.length];
      if (other) others.set(query, other);
    }
  }
  return others;
}
