import { FIELDS, type AnalyzedRecord } from '../analysis/analyze-record.js';
import type { RecordKind } from '../documents/record.js';
import type { SqlDatabase } from './sql-database.js';

export const FULL_TEXT_TABLES = ['observations_fts', 'session_summaries_fts', 'user_prompts_fts'] as const;

const MAX_FOUND = 1_000_000;
const MERGED_PAGES = 64;

/** FTS5 gets analyzed words, so that its syntax finds the same words as every other search. */
export function createFullTextWriter(database: SqlDatabase) {
  const observation = database.prepare(
    `INSERT INTO observations_fts (rowid, ${FIELDS.join(', ')}) VALUES (?${', ?'.repeat(FIELDS.length)})`,
  );
  const summary = database.prepare('INSERT INTO session_summaries_fts (rowid, body, files) VALUES (?, ?, ?)');
  const prompt = database.prepare('INSERT INTO user_prompts_fts (rowid, prompt_text) VALUES (?, ?)');
  type Add = (id: number, analyzed: AnalyzedRecord) => void;
  return {
    observation: (id, { words }) =>
      void observation.run(id, ...FIELDS.map((field) => words[field].join(' '))),
    summary: (id, { words }) =>
      void summary.run(id, [...words.title, ...words.narrative].join(' '), words.files.join(' ')),
    prompt: (id, { words }) => void prompt.run(id, words.narrative.join(' ')),
  } satisfies Record<RecordKind, Add>;
}

/**
 * Finds records for an expression in the syntax of FTS5, best first, then newest first. Its words must be analyzed
 * (`wordsOf`). Columns: those of FIELDS; `body` and `files` of summaries; `prompt_text`. Returns null when the expression
 * is malformed.
 */
export type FullTextMatch = (
  kind: RecordKind,
  expression: string,
  limit: number,
) => readonly { recordId: number; score: number }[] | null;

/** Prepares the statements of a full-text search. */
export function createFullTextMatch(database: SqlDatabase): FullTextMatch {
  const prepare = (table: string) =>
    database.prepare(
      `SELECT rowid AS recordId, -rank AS score FROM ${table} WHERE ${table} MATCH ? ORDER BY rank, rowid DESC LIMIT ?`,
    );
  const statements: Record<RecordKind, ReturnType<typeof prepare>> = {
    observation: prepare('observations_fts'),
    summary: prepare('session_summaries_fts'),
    prompt: prepare('user_prompts_fts'),
  };
  return (kind, expression, limit) => {
    try {
      const found = statements[kind].all(expression, Math.min(Math.max(Math.trunc(limit), 0), MAX_FOUND));
      return found as { recordId: number; score: number }[];
    } catch (error) {
      // FTS5 reports a malformed expression, and a column that it does not have, as a plain error.
      if (error instanceof Error && (error as NodeJS.ErrnoException).code === 'SQLITE_ERROR') return null;
      throw error;
    }
  };
}

/**
 * Otherwise a delete occasionally merges a large part of an index. Forgetting merges everything in steps afterwards.
 */
export function mergeNothingOnDelete(database: SqlDatabase): void {
  for (const table of FULL_TEXT_TABLES) {
    const setting = database.prepare(`SELECT v FROM ${table}_config WHERE k = 'deletemerge'`).pluck();
    if (setting.get() === 0) continue;
    database.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('deletemerge', 0)`).run();
  }
}

/** Merges the segments of many small writes. */
export function mergeFullText(database: SqlDatabase, pages: number): void {
  for (const table of FULL_TEXT_TABLES)
    database.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`).run(pages);
}

/** Merges all segments into one that contains no deleted data. A step takes a few milliseconds. */
export function* fullTextMergeSteps(database: SqlDatabase): Generator<void, void, void> {
  const total = database.prepare('SELECT total_changes()').pluck();
  for (const table of FULL_TEXT_TABLES) {
    const merge = database.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`);
    // A negative number selects all existing segments for merging. Repeats while there is something to merge.
    for (let pages = -MERGED_PAGES; ; pages = MERGED_PAGES) {
      const before = total.get() as number;
      merge.run(pages);
      if ((total.get() as number) - before < 2) break;
      yield;
    }
  }
}
