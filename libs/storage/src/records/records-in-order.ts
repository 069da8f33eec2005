import type { RecordPlace, RecordRange } from '@claude-mem/core';
import type { Database } from '../database/driver.js';

/** The order of kinds for records with the same time. */
const KINDS = ['prompt', 'observation', 'summary'] as const;
type Kind = (typeof KINDS)[number];
const TABLES: Record<Kind, string> = {
  prompt: 'user_prompts',
  observation: 'observations',
  summary: 'session_summaries',
};
const MAX_LIMIT = 1_000;

type Scope = Partial<Record<'projectId' | 'sessionId', number>>;

/** Lists the positions of records in order of time: reads the next ones of each kind by its index, and merges them. */
export function createRecordsInOrder(database: Database): (range: RecordRange) => readonly RecordPlace[] {
  const statements = new Map<string, ReturnType<Database['prepare']>>();
  const statement = (kind: Kind, order: RecordRange['order'], scope: Scope) => {
    const columns = { projectId: 'project_id', sessionId: 'session_id' } as const;
    const names = Object.keys(scope) as (keyof Scope)[];
    const key = [kind, order, ...names].join(' ');
    const known = statements.get(key);
    if (known) return known;
    const [sign, direction] = order === 'newest' ? ['<', 'DESC'] : ['>', 'ASC'];
    const scoped = names.map((name) => `${columns[name]} = :${name} AND `).join('');
    const prepared = database.prepare(`SELECT created_at_epoch AS epoch, id FROM ${TABLES[kind]}
      WHERE ${scoped}(created_at_epoch, id) ${sign} (:epoch, :id) AND created_at_epoch BETWEEN :from AND :to
      ORDER BY created_at_epoch ${direction}, id ${direction} LIMIT :limit`);
    statements.set(key, prepared);
    return prepared;
  };

  return (range) => {
    const { kinds = KINDS, order, after, fromEpoch = -MAX_VALUE, toEpoch = MAX_VALUE } = range;
    const limit = Math.min(Math.max(Math.trunc(range.limit) || 0, 0), MAX_LIMIT);
    const isNewest = order === 'newest';
    const start = after ?? {
      epoch: isNewest ? MAX_VALUE : -MAX_VALUE,
      kind: isNewest ? 'summary' : 'prompt',
      id: 0,
    };
    const found = [...new Set(kinds)].flatMap((kind) => {
      const rank = KINDS.indexOf(kind) - KINDS.indexOf(start.kind);
      // At the start time, includes all records of later kinds and none of earlier kinds.
      const isBehind = isNewest ? rank < 0 : rank > 0;
      const id = rank === 0 ? start.id : isBehind === isNewest ? MAX_VALUE : 0;
      const values = { epoch: start.epoch, id, from: fromEpoch, to: toEpoch, limit };
      return scopesOf(range).flatMap((scope) =>
        (statement(kind, order, scope).all({ ...values, ...scope }) as Omit<RecordPlace, 'kind'>[]).map(
          (row): RecordPlace => ({ ...row, kind }),
        ),
      );
    });
    return found.sort(isNewest ? (a, b) => compare(b, a) : compare).slice(0, limit);
  };
}

const MAX_VALUE = Number.MAX_SAFE_INTEGER;

/** One scan per kind, so that each uses an index in its order. */
function scopesOf({ projectIds, sessionIds }: RecordRange): readonly Scope[] {
  const sessions: readonly Scope[] = sessionIds
    ? [...new Set(sessionIds)].map((sessionId) => ({ sessionId }))
    : [{}];
  if (!projectIds) return sessions;
  return [...new Set(projectIds)].flatMap((projectId) => sessions.map((scope) => ({ ...scope, projectId })));
}

function compare(a: RecordPlace, b: RecordPlace): number {
  return a.epoch - b.epoch || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || a.id - b.id;
}
