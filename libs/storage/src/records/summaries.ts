import {
  uuidV7,
  type ListOptions,
  type Logger,
  type Page,
  type Summary,
  type SummaryDraft,
} from '@claude-mem/core';
import { and, eq, lte, sql } from 'drizzle-orm';
import type { TypedDatabase } from '../database/typed-database.js';
import { TEXT_LIMITS } from '../limits.js';
import { sessionSummaries } from '../schema.js';
import { byIds, idsIn } from './by-ids.js';
import { decodeRow, decodeRows, readTextList, type RowDecoder } from './decode-row.js';
import { newestFirst, olderThan, toPage, toPageRequest } from './page.js';
import { placeholdersFor } from './placeholders-for.js';
import { storableList, storableOrNull } from './storable.js';

type SummaryRow = typeof sessionSummaries.$inferSelect;

const summary: RowDecoder<SummaryRow, Summary> = {
  table: 'session_summaries',
  decode: (row) => ({
    ...row,
    filesRead: readTextList(row.filesRead, 'files_read'),
    filesEdited: readTextList(row.filesEdited, 'files_edited'),
  }),
};

const WRITTEN = [
  'uid',
  'sessionId',
  'projectId',
  'promptNumber',
  'request',
  'investigated',
  'learned',
  'completed',
  'nextSteps',
  'notes',
  'filesRead',
  'filesEdited',
  'createdAtEpoch',
] as const satisfies readonly (keyof SummaryRow)[];
type Written = Pick<SummaryRow, (typeof WRITTEN)[number]>;

interface SummaryPlace {
  sessionId: number;
  projectId: number;
  promptNumber: number;
  now: number;
  /** @default a new one */
  uid?: string;
}

export interface SummaryRecords {
  list(options?: ListOptions): Page<Summary>;
  newest(projectId: number, range: { limit: number; latest: number }): readonly Summary[];
  /** In the order of the ids. Unknown ids are skipped. */
  byIds(ids: readonly number[]): readonly Summary[];
  /** The newest summary of each session with one. */
  latest(sessionIds: readonly number[]): readonly Summary[];
  /** Returns null when the turn has a summary with the same content. The caller holds the transaction. */
  insert(draft: SummaryDraft, place: SummaryPlace): Summary | null;
}

export function createSummaryRecords(typed: TypedDatabase, logger: Logger): SummaryRecords {
  const findByIds = typed.select().from(sessionSummaries).where(idsIn(sessionSummaries.id)).prepare();
  const findLatest = typed
    .select()
    .from(sessionSummaries)
    .where(
      sql`${sessionSummaries.id} IN (
        SELECT (SELECT id FROM session_summaries WHERE session_id = wanted.value ORDER BY created_at_epoch DESC, id DESC LIMIT 1)
        FROM json_each(${sql.placeholder('ids')}) wanted)`,
    )
    .prepare();
  const inTurn = typed
    .select()
    .from(sessionSummaries)
    .where(
      and(
        eq(sessionSummaries.sessionId, sql.placeholder('sessionId')),
        eq(sessionSummaries.promptNumber, sql.placeholder('promptNumber')),
      ),
    )
    .prepare();
  const insert = typed.insert(sessionSummaries).values(placeholdersFor(WRITTEN)).returning().prepare();
  return {
    list(options = {}) {
      const page = toPageRequest(options);
      const { projectId, sessionId } = sessionSummaries;
      const rows = typed
        .select()
        .from(sessionSummaries)
        .where(
          and(
            options.projectId === undefined ? undefined : eq(projectId, options.projectId),
            options.sessionId === undefined ? undefined : eq(sessionId, options.sessionId),
            olderThan(sessionSummaries, page.after),
          ),
        )
        .orderBy(...newestFirst(sessionSummaries))
        .limit(page.limit + 1)
        .all();
      return toPage(rows, page, (kept) => decodeRows(summary, kept, logger));
    },
    newest(projectId, { limit, latest }) {
      const rows = typed
        .select()
        .from(sessionSummaries)
        .where(and(eq(sessionSummaries.projectId, projectId), lte(sessionSummaries.createdAtEpoch, latest)))
        .orderBy(...newestFirst(sessionSummaries))
        .limit(limit)
        .all();
      return decodeRows(summary, rows, logger);
    },
    byIds: (ids) => byIds(ids, (list) => decodeRows(summary, findByIds.all({ ids: list }), logger)),
    latest: (sessionIds) => decodeRows(summary, findLatest.all({ ids: JSON.stringify(sessionIds) }), logger),
    insert(draft, place) {
      const content = summaryToRow(draft);
      const { sessionId, projectId, promptNumber, now } = place;
      if (inTurn.all({ sessionId, promptNumber }).some((row) => hasContent(row, content))) return null;
      const written: Written = {
        ...content,
        uid: place.uid ?? uuidV7(now),
        sessionId,
        projectId,
        promptNumber,
        createdAtEpoch: now,
      };
      const row = insert.get(written);
      return decodeRow(summary, row);
    },
  };
}

type SummaryContent = ReturnType<typeof summaryToRow>;

function summaryToRow(draft: SummaryDraft) {
  const field = (text: string | null) => storableOrNull(text, TEXT_LIMITS.summaryField);
  return {
    request: field(draft.request),
    investigated: field(draft.investigated),
    learned: field(draft.learned),
    completed: field(draft.completed),
    nextSteps: field(draft.nextSteps),
    notes: field(draft.notes),
    filesRead: JSON.stringify(storableList(draft.filesRead, 'file', 'files')),
    filesEdited: JSON.stringify(storableList(draft.filesEdited, 'file', 'files')),
  };
}

function hasContent(row: SummaryRow, content: SummaryContent): boolean {
  return (Object.keys(content) as (keyof SummaryContent)[]).every((key) => row[key] === content[key]);
}
