import type { EvalQuery, EvalSet, EvalTask } from './eval-set.js';
import type { Memory, SearchRequest } from '../src/memory.js';

/** A way to answer the queries of a set, such as lexical search only. */
export interface Arm {
  /** Returns the ids of the results, best first: uids of records, or session ids of the host. */
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

/** Maximum length of a ranking. Lower results count as not found. */
const DEPTH = 100;

/**
 * Creates an arm that searches a memory.
 * @param changed returns the fields of the request to replace
 */
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

/** Pairs each query with another query of the same task. The pairs are the same in each run. */
export function pairQueries({ tasks }: EvalSet): ReadonlyMap<EvalQuery, EvalQuery> {
  const others = new Map<EvalQuery, EvalQuery>();
  for (const { queries } of tasks) {
    for (const [index, query] of queries.entries()) {
      const other = queries[(index + Math.ceil(queries.length / 2)) % queries.length];
      if (other) others.set(query, other);
    }
  }
  return others;
}
