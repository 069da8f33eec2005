import {
  NEUTRAL_PROJECT,
  type FinishedForgetting,
  type UndoableForget,
  type UndoneForget,
} from '@claude-mem/core';
import type { Ledger } from '../capture/ledger.js';
import type { Database } from '../database/driver.js';
import { markErasable } from './erase-forgotten.js';
import type { ForgottenRecords } from './forgotten.js';
import { createBinnedLinks } from './binned-links.js';
import { createBinnedSessions } from './binned-sessions.js';
import type { ObservationRecords } from './observations.js';
import { columnsOf } from '../recovery/columns-of.js';

/** Rows that are deleted and restored with their session. */
const SESSION_TABLES = ['session_summaries', 'user_prompts', 'pending_messages'] as const;
type BinnedTable = 'observations' | (typeof SESSION_TABLES)[number];

/** The records of one deletion. */
interface Forgetting {
  observationIds: readonly number[];
  sessionIds: readonly number[];
}

/** Keeps deleted records until they are final. The caller holds the transaction. */
export interface ForgetBin {
  /**
   * Moves the records to the bin. Must be called before their rows and hashes are changed. Adds them to the existing
   * deletion `addTo` unless it is final. Returns the id for an undo.
   */
  take(records: Forgetting, place: { now: number; finalAt: number; addTo?: number | undefined }): number;
  /** Updates the links of records in the bin for a deletion without undo. */
  noteRemoval(records: Pick<Forgetting, 'observationIds'>): void;
  /**
   * Restores some of the records. After the first call, the deletion stays in the bin until all records are restored.
   * Returns null when there is nothing to restore.
   */
  undo(id: number, now: number): UndoneForget | null;
  /** Returns the deletions whose undo has started. */
  undoing(): readonly number[];
  /** Lists the deletions that can be undone, without those whose undo has started. */
  list(now: number): readonly UndoableForget[];
  /** Removes some of the rows that are final at `now`. Call it again immediately for the remaining ones. */
  finish(now: number): FinishedForgetting;
}

export interface ForgetBinParts {
  database: Database;
  ledger: Ledger;
  observations: Pick<ObservationRecords, 'remove' | 'byIds'>;
  forgotten: ForgottenRecords;
  /** Indexes waiting records, at most `limit`. */
  takePending(limit: number): unknown;
}

/** Maximum number of records to restore in one transaction. */
const RESTORED_PER_STEP = 500;
/** Final time of a deletion whose undo has started. */
const NEVER_FINAL = Number.MAX_SAFE_INTEGER;
const SHOWN_TITLES = 20;
const REMOVED_PER_STEP = 2_000;
const NO_BIN = 0;
/** Kinds of records as the search index counts them. */
const INDEXED = { observations: 0, session_summaries: 1, user_prompts: 2 } as const;

export function createForgetBin({
  database,
  ledger,
  observations,
  forgotten,
  takePending,
}: ForgetBinParts): ForgetBin {
  const inList = 'IN (SELECT value FROM json_each(?))';
  const open = database.prepare('INSERT INTO forget_bin (forgotten_at_epoch, final_at_epoch) VALUES (?, ?)');
  const postpone = database.prepare(
    `UPDATE forget_bin SET final_at_epoch = :finalAt
    WHERE id = :addTo AND final_at_epoch > :now AND final_at_epoch < ${NEVER_FINAL}`,
  );
  const keep = database.prepare(`UPDATE forget_bin SET final_at_epoch = ${NEVER_FINAL} WHERE id = ?`);
  const hasBins = database.prepare('SELECT 1 FROM forget_bin LIMIT 1').pluck();
  const isOpen = database.prepare('SELECT 1 FROM forget_bin WHERE id = ? AND final_at_epoch > ?').pluck();
  const someOf = database
    .prepare('SELECT id FROM forget_bin_rows WHERE bin_id = ? AND kind = ? ORDER BY id LIMIT ?')
    .pluck();
  const removeRows = database.prepare(`DELETE FROM forget_bin_rows WHERE id ${inList}`);
  const removeSome = database.prepare(`
    DELETE FROM forget_bin_rows WHERE id IN
      (SELECT id FROM forget_bin_rows WHERE bin_id = ? LIMIT ${REMOVED_PER_STEP})`);
  const remove = database.prepare('DELETE FROM forget_bin WHERE id = ?');
  const due = database.prepare('SELECT id FROM forget_bin WHERE final_at_epoch <= ? ORDER BY id').pluck();
  const nextFinal = database
    .prepare(`SELECT min(final_at_epoch) FROM forget_bin WHERE final_at_epoch < ${NEVER_FINAL}`)
    .pluck();
  const undoing = database
    .prepare(`SELECT id FROM forget_bin WHERE final_at_epoch = ${NEVER_FINAL} ORDER BY id`)
    .pluck();
  const bins = database.prepare(`
    SELECT id AS forgetId, forgotten_at_epoch AS forgottenAtEpoch, final_at_epoch AS finalAtEpoch FROM forget_bin
    WHERE final_at_epoch > ? AND final_at_epoch < ${NEVER_FINAL} ORDER BY id DESC`);
  const countRows = database.prepare(
    'SELECT kind, count(*) AS count FROM forget_bin_rows WHERE bin_id = ? GROUP BY kind',
  );
  const titles = database.prepare(`
    SELECT record_id AS id, data ->> '$.title' AS title FROM forget_bin_rows
    WHERE bin_id = ? AND kind = 'observations' ORDER BY record_id DESC LIMIT ${SHOWN_TITLES}`);
  const wait = database.prepare('INSERT OR IGNORE INTO search_pending SELECT ?, value FROM json_each(?)');

  const takeObservations = takeRows(database, 'observations', `id ${inList}`);
  const takeOfSessions = SESSION_TABLES.map((table) => takeRows(database, table, `session_id ${inList}`));
  const restoreRows = Object.fromEntries(
    (['observations', ...SESSION_TABLES] as const).map((table) => [
      table,
      createRestoreRows(database, table),
    ]),
  ) as Record<BinnedTable, ReturnType<typeof createRestoreRows>>;
  const sameContent = database
    .prepare(
      `SELECT o.id FROM forget_bin_rows row JOIN observations o
        ON o.session_id = row.data ->> '$.session_id' AND o.content_hash = row.data ->> '$.content_hash'
      WHERE row.id ${inList}`,
    )
    .pluck();
  const links = createBinnedLinks(database);
  const sessions = createBinnedSessions(database, forgotten);

  const countsOf = (id: number) => {
    const counts = new Map(
      (countRows.all(id) as { kind: string; count: number }[]).map(({ kind, count }) => [kind, count]),
    );
    const of = (kind: string) => counts.get(kind) ?? 0;
    return {
      observations: of('observations'),
      summaries: of('session_summaries'),
      prompts: of('user_prompts'),
      sessions: of('sdk_sessions'),
    };
  };

  const noteRemoval = (ids: readonly number[]): void => {
    links.take(NO_BIN, ids);
    links.finish(NO_BIN);
  };

  /** An agent that saves a deleted text again must not replace the pin and the origin of the deleted record. */
  const removeSavedByAgent = (rows: string): void => {
    const sameObservations = observations.byIds(sameContent.all(rows) as number[]);
    const ids = sameObservations
      .filter(({ source, pinned }) => source === 'agent' && !pinned)
      .map(({ id }) => id);
    if (ids.length === 0) return;
    noteRemoval(ids);
    observations.remove(ids);
  };

  /**
   * The order matters: sessions read their prompts, links need all observations, and the observer must find all
   * messages.
   */
  const restoreSome = (binId: number): { part: UndoneForget; indexed: number; isAnyLost: boolean } => {
    let left = RESTORED_PER_STEP;
    const some = <Row>(kind: string, put: (rows: string) => readonly Row[]) => {
      const taken = left > 0 ? (someOf.all(binId, kind, left) as number[]) : [];
      if (taken.length === 0) return { back: [], lost: 0 };
      left -= taken.length;
      const rows = JSON.stringify(taken);
      const back = put(rows);
      removeRows.run(rows);
      return { back, lost: taken.length - back.length };
    };
    const recordsOf = (table: keyof typeof INDEXED) =>
      some(table, (rows) => {
        if (table === 'observations') removeSavedByAgent(rows);
        const back = restoreRows[table](rows);
        if (table === 'observations') links.defer(rows, idsOf(back));
        forgotten.removeUidHashes(back.map(({ uid }) => uid ?? ''));
        wait.run(INDEXED[table], JSON.stringify(idsOf(back)));
        return back;
      });
    const prompts = recordsOf('user_prompts');
    const summaries = recordsOf('session_summaries');
    const observations = recordsOf('observations');
    some('session_tool_uses', (rows) => sessions.restoreToolUses(rows));
    const sessionIds = some('sdk_sessions', (rows) => sessions.restoreTexts(binId, rows)).back;
    if (left > 0) links.restoreLinks(binId);
    const messages = some('pending_messages', (rows) => {
      const back = restoreRows.pending_messages(rows);
      for (const { sessionId, dedupeKey } of back) ledger.reopen(sessionId, dedupeKey ?? '');
      return back;
    }).back;
    const records = [prompts, summaries, observations];
    return {
      part: {
        observations: observations.back.length,
        summaries: summaries.back.length,
        prompts: prompts.back.length,
        sessions: sessionIds.length,
        messages: messages.length,
        skipped: observations.lost,
        observationIds: idsOf(observations.back),
        sessionIds,
        isComplete: left > 0,
      },
      indexed: records.reduce((sum, { back }) => sum + back.length, 0),
      isAnyLost: records.some(({ lost }) => lost > 0),
    };
  };

  return {
    take({ observationIds, sessionIds }, { now, finalAt, addTo }) {
      const isAdded = addTo !== undefined && postpone.run({ addTo, now, finalAt }).changes > 0;
      const binId = isAdded ? addTo : Number(open.run(now, finalAt).lastInsertRowid);
      takeObservations(binId, observationIds);
      for (const take of takeOfSessions) take(binId, sessionIds);
      sessions.take(binId, sessionIds);
      links.take(binId, observationIds);
      return binId;
    },

    noteRemoval({ observationIds }) {
      if (hasBins.get() !== undefined) noteRemoval(observationIds);
    },

    undo(id, now) {
      if (isOpen.get(id, now) === undefined) return null;
      keep.run(id);
      const { part, indexed, isAnyLost } = restoreSome(id);
      if (isAnyLost) markErasable(database);
      if (part.isComplete) {
        takePending(indexed);
        remove.run(id);
      }
      return part;
    },

    undoing: () => undoing.all() as number[],

    list: (now) =>
      (bins.all(now) as Pick<UndoableForget, 'forgetId' | 'forgottenAtEpoch' | 'finalAtEpoch'>[]).map(
        (bin) => {
          const shown = titles.all(bin.forgetId) as UndoableForget['titles'];
          return { ...bin, ...countsOf(bin.forgetId), titles: shown };
        },
      ),

    finish(now) {
      let finished = 0;
      for (const id of due.all(now) as number[]) {
        links.finish(id);
        if (removeSome.run(id).changes === REMOVED_PER_STEP) break;
        remove.run(id);
        finished += 1;
      }
      if (finished > 0) markErasable(database);
      return {
        finished,
        nextFinalAtEpoch: nextFinal.get() as number | null,
        undoing: undoing.all() as number[],
      };
    },
  };
}

function takeRows(
  database: Database,
  table: BinnedTable,
  where: string,
): (binId: number, ids: readonly number[]) => void {
  const pairs = columnsOf(database, table).map(({ name }) => `'${name}', ${name}`);
  const take = database.prepare(`
    INSERT INTO forget_bin_rows (bin_id, kind, record_id, data)
    SELECT ?, '${table}', id, json_object(${pairs.join(', ')}) FROM ${table} WHERE ${where} ORDER BY id`);
  return (binId, ids) => void take.run(binId, JSON.stringify(ids));
}

/** A restored row. */
interface RestoredRow {
  id: number;
  sessionId: number;
  uid?: string;
  dedupeKey?: string;
}

/** Columns that differ after the restoration. `s` is the session. */
const CHANGED: Readonly<Record<BinnedTable, Readonly<Record<string, string>>>> = {
  observations: {
    // The session may have got another project since.
    project_id: `iif(EXISTS (SELECT 1 FROM projects p WHERE p.id = row.data ->> '$.project_id' AND p.key = '${NEUTRAL_PROJECT.key}'),
      s.project_id, row.data ->> '$.project_id')`,
    superseded_by: 'NULL',
    // A record that was deleted before origins and file states existed.
    fact_origins: `coalesce(row.data ->> '$.fact_origins', '[]')`,
    file_states: `coalesce(row.data ->> '$.file_states', '[]')`,
  },
  session_summaries: { project_id: 's.project_id' },
  user_prompts: { project_id: 's.project_id' },
  pending_messages: {
    status: `iif(row.data ->> '$.status' = 'processing', 'pending', row.data ->> '$.status')`,
    claimed_at_epoch: 'NULL',
  },
};

/** Restores rows with their ids. A row whose id or text exists again is skipped. */
function createRestoreRows(database: Database, table: BinnedTable): (rows: string) => RestoredRow[] {
  const columns = columnsOf(database, table).map(({ name }) => name);
  const values = columns.map((name) => CHANGED[table][name] ?? `row.data ->> '$.${name}'`);
  const given = table === 'pending_messages' ? 'dedupe_key AS dedupeKey' : 'uid';
  const put = database.prepare(`
    INSERT OR IGNORE INTO ${table} (${columns.join(', ')})
    SELECT ${values.join(', ')} FROM forget_bin_rows row
    JOIN sdk_sessions s ON s.id = row.data ->> '$.session_id'
    WHERE row.id IN (SELECT value FROM json_each(?)) ORDER BY row.record_id
    RETURNING id, session_id AS sessionId, ${given}`);
  return (rows) => put.all(rows) as RestoredRow[];
}

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);
