import type { Database } from '../database/driver.js';

/**
 * What of each record is searchable, as SQL over its row: the same for the row that is written and for a rebuild.
 * JSON lists are indexed as they are stored; the tokenizer passes over their brackets and quotes.
 */
const OBSERVATION = `INSERT INTO observations_fts (rowid, title, narrative, facts, labels, files)
  SELECT id, concat_ws(' ', title, subtitle), narrative, facts, concat_ws(' ', type, concepts), concat_ws(' ', files_modified, files_read)
  FROM observations`;
const SUMMARY = `INSERT INTO session_summaries_fts (rowid, body, files)
  SELECT id, concat_ws(char(10), request, investigated, learned, completed, next_steps, notes), concat_ws(' ', files_edited, files_read)
  FROM session_summaries`;
const PROMPT = `INSERT INTO user_prompts_fts (rowid, prompt_text) SELECT id, prompt_text FROM user_prompts`;

/** Adds one written row to its index, in the transaction that wrote it. */
export interface FullTextWriter {
  addObservation(id: number): void;
  addSummary(id: number): void;
  addPrompt(id: number): void;
}

export function createFullTextWriter(database: Database): FullTextWriter {
  const addObservation = database.prepare(`${OBSERVATION} WHERE id = ?`);
  const addSummary = database.prepare(`${SUMMARY} WHERE id = ?`);
  const addPrompt = database.prepare(`${PROMPT} WHERE id = ?`);
  return {
    addObservation: (id) => void addObservation.run(id),
    addSummary: (id) => void addSummary.run(id),
    addPrompt: (id) => void addPrompt.run(id),
  };
}

/** Fills the empty or outdated indexes from the records; the caller holds the transaction. */
export function rebuildFullText(database: Database): void {
  for (const [table, fill] of [
    ['observations_fts', OBSERVATION],
    ['session_summaries_fts', SUMMARY],
    ['user_prompts_fts', PROMPT],
  ] as const) {
    database.exec(`INSERT INTO ${table} (${table}) VALUES ('delete-all')`);
    database.exec(fill);
  }
}

/** Merges index segments that many small writes left behind. */
export function mergeFullText(database: Database, pages: number): void {
  for (const table of ['observations_fts', 'session_summaries_fts', 'user_prompts_fts'])
    database.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`).run(pages);
}

/**
 * A query as FTS5 wants it, with every word as data. The last word also matches as a beginning, for search while typing.
 * Null when the text holds no word.
 */
export function toMatchExpression(query: string, join: 'AND' | 'OR'): string | null {
  const terms = termsOf(query);
  if (terms.length === 0) return null;
  const quoted = terms.map((term) => `"${term.replaceAll('"', '""')}"`);
  return `${quoted.join(` ${join} `)}*`;
}

const MAX_TERMS = 32;
const MAX_TERM_LENGTH = 200;

function termsOf(query: string): readonly string[] {
  const words = query
    .split(/[\s"]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => word.slice(0, MAX_TERM_LENGTH).toWellFormed());
  return [...new Set(words)].slice(0, MAX_TERMS);
}
