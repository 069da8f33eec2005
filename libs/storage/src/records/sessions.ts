import {
  HOST_NAMES,
  SESSION_STATUSES,
  toStorableText,
  type HostName,
  type Logger,
  type Page,
  type Session,
  type SessionFilter,
} from '@claude-mem/core';
import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import type { TypedDatabase } from '../database/typed-database.js';
import { sdkSessions } from '../schema.js';
import { byIds, idsIn } from './by-ids.js';
import { decodeRow, decodeRows, readOneOf, type RowDecoder } from './decode-row.js';
import { newestFirst, olderThan, toPage, toPageRequest } from './page.js';

type SessionRow = typeof sdkSessions.$inferSelect;

const session: RowDecoder<SessionRow, Session> = {
  table: 'sdk_sessions',
  decode: (row) => ({
    ...row,
    host: readOneOf(row.host, HOST_NAMES, 'host'),
    status: readOneOf(row.status, SESSION_STATUSES, 'status'),
  }),
};

export interface SessionRecords {
  get(id: number): Session | null;
  find(key: { host: string; contentSessionId: string }): Session | null;
  list(options?: SessionFilter): Page<Session>;
  /** Of sessions with a larger id, in order of id; one of an unknown host is left out. */
  hosts(afterId: number): readonly { id: number; host: HostName }[];
  /** In the order of the ids; unknown ones are left out. */
  byIds(ids: readonly number[]): readonly Session[];
}

export function createSessionRecords(typed: TypedDatabase, logger: Logger): SessionRecords {
  const orNull = (row: SessionRow | undefined) => (row ? decodeRow(session, row) : null);
  const byId = typed
    .select()
    .from(sdkSessions)
    .where(eq(sdkSessions.id, sql.placeholder('id')))
    .prepare();
  const findByIds = typed.select().from(sdkSessions).where(idsIn(sdkSessions.id)).prepare();
  const hosts = typed
    .select({ id: sdkSessions.id, host: sdkSessions.host })
    .from(sdkSessions)
    .where(gt(sdkSessions.id, sql.placeholder('afterId')))
    .orderBy(sdkSessions.id)
    .prepare();
  const known: ReadonlySet<string> = new Set(HOST_NAMES);
  return {
    hosts: (afterId) =>
      hosts.all({ afterId }).filter((row): row is { id: number; host: HostName } => known.has(row.host)),
    byIds: (ids) => byIds(ids, (list) => decodeRows(session, findByIds.all({ ids: list }), logger)),
    get: (id) => orNull(byId.get({ id })),
    find: ({ host, contentSessionId }) =>
      orNull(
        typed
          .select()
          .from(sdkSessions)
          .where(
            and(
              eq(sdkSessions.host, host),
              eq(sdkSessions.contentSessionId, toStorableText(contentSessionId)),
            ),
          )
          .get(),
      ),
    list(options = {}) {
      const page = toPageRequest(options);
      const rows = typed
        .select()
        .from(sdkSessions)
        .where(
          and(
            options.projectId === undefined ? undefined : eq(sdkSessions.projectId, options.projectId),
            options.sessionId === undefined ? undefined : eq(sdkSessions.id, options.sessionId),
            options.projectIds === undefined
              ? undefined
              : inArray(sdkSessions.projectId, [...options.projectIds]),
            options.hosts === undefined ? undefined : inArray(sdkSessions.host, [...options.hosts]),
            olderThan(sdkSessions, page.after),
          ),
        )
        .orderBy(...newestFirst(sdkSessions))
        .limit(page.limit + 1)
        .all();
      return toPage(rows, page, (kept) => decodeRows(session, kept, logger));
    },
  };
}
