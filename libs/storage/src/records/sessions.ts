import {
  HOST_NAMES,
  SESSION_STATUSES,
  toStorableText,
  type Logger,
  type Page,
  type Session,
  type SessionFilter,
} from '@claude-mem/core';
import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import type { TypedDatabase } from '../database/typed-database.js';
import { sdkSessions } from '../schema.js';
import { byIds, idsIn } from './by-ids.js';
import { decodeRow, decodeRows, readOneOf, type RowDecoder } from './decode-row.js';
import { newestFirst, olderThan, toPage, toPageRequest } from './page.js';

const {
  conversationRecordId: _id,
  conversationRecordHash: _hash,
  holdoutShare: _share,
  ...COLUMNS
} = getTableColumns(sdkSessions);
type SessionRow = Pick<typeof sdkSessions.$inferSelect, keyof typeof COLUMNS>;

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
  /** In the order of the ids. Unknown ids are skipped. */
  byIds(ids: readonly number[]): readonly Session[];
}

export function createSessionRecords(typed: TypedDatabase, logger: Logger): SessionRecords {
  const orNull = (row: SessionRow | undefined) => (row ? decodeRow(session, row) : null);
  const byId = typed
    .select(COLUMNS)
    .from(sdkSessions)
    .where(eq(sdkSessions.id, sql.placeholder('id')))
    .prepare();
  const findByIds = typed.select(COLUMNS).from(sdkSessions).where(idsIn(sdkSessions.id)).prepare();
  return {
    byIds: (ids) => byIds(ids, (list) => decodeRows(session, findByIds.all({ ids: list }), logger)),
    get: (id) => orNull(byId.get({ id })),
    find: ({ host, contentSessionId }) =>
      orNull(
        typed
          .select(COLUMNS)
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
        .select(COLUMNS)
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
