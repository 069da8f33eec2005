import type { ToolUseCount } from '@claude-mem/core';
import type { Database } from '../database/driver.js';
import { TEXT_LIMITS } from '../limits.js';
import { storableText } from './storable.js';

/** Counts the tool uses of sessions. The caller holds the transaction. */
export interface ToolUseWriter {
  /** Starts the count of a new session. The counts of older sessions stay unknown. */
  begin(sessionId: number): void;
  count(sessionId: number, use: { tool: string; isFailed: boolean }): void;
  /** Stores the counts of a session that was counted elsewhere from its start. */
  restore(sessionId: number, counts: readonly ToolUseCount[]): void;
}

/** The name of the row that marks a session as counted from its start. */
export const BEGUN = '';
/** Further tool names are counted under one name, so that a host cannot fill the table. */
const MAX_TOOLS = 500;
const OTHER = 'other tools';

export function createToolUseWriter(database: Database): ToolUseWriter {
  const begin = database.prepare(
    `INSERT OR IGNORE INTO session_tool_uses (session_id, tool) VALUES (?, '${BEGUN}')`,
  );
  const count = database.prepare(`UPDATE session_tool_uses SET uses = uses + 1, failed = failed + :failed
    WHERE session_id = :sessionId AND tool = :tool`);
  const add = database.prepare(`INSERT INTO session_tool_uses (session_id, tool, uses, failed)
    VALUES (:sessionId, :tool, 1, :failed)
    ON CONFLICT (session_id, tool) DO UPDATE SET uses = uses + 1, failed = failed + excluded.failed`);
  const toolsOf = database.prepare('SELECT count(*) FROM session_tool_uses WHERE session_id = ?').pluck();
  const restore = database.prepare('INSERT OR IGNORE INTO session_tool_uses VALUES (?, ?, ?, ?)');
  return {
    begin: (sessionId) => void begin.run(sessionId),
    restore(sessionId, counts) {
      begin.run(sessionId);
      for (const { tool, count: uses, failed } of counts.slice(0, MAX_TOOLS))
        restore.run(sessionId, storableText(tool, TEXT_LIMITS.agent) || OTHER, uses, failed);
    },
    count(sessionId, { tool, isFailed }) {
      const name = storableText(tool, TEXT_LIMITS.agent) || OTHER;
      const use = { sessionId, tool: name, failed: Number(isFailed) };
      if (count.run(use).changes > 0) return;
      const isTooMany = (toolsOf.get(sessionId) as number) > MAX_TOOLS;
      add.run(isTooMany ? { ...use, tool: OTHER } : use);
    },
  };
}

export function createToolUseReader(
  database: Database,
): (sessionId: number) => readonly ToolUseCount[] | null {
  const countsOf = database.prepare(
    'SELECT tool, uses AS count, failed FROM session_tool_uses WHERE session_id = ? ORDER BY uses DESC, tool',
  );
  return (sessionId) => {
    const rows = countsOf.all(sessionId) as ToolUseCount[];
    const isComplete = rows.some(({ tool }) => tool === BEGUN);
    return isComplete ? rows.filter(({ tool }) => tool !== BEGUN) : null;
  };
}

/** Names of tools can reveal the work, so they are forgotten too. The caller holds the transaction. */
export function createToolUseRemoval(database: Database): (sessionIds: readonly number[]) => void {
  const remove = database.prepare(
    `DELETE FROM session_tool_uses WHERE tool <> '${BEGUN}' AND session_id IN (SELECT value FROM json_each(?))`,
  );
  return (sessionIds) => void remove.run(JSON.stringify(sessionIds));
}
