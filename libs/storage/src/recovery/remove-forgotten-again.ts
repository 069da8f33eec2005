import { ledgerKeyOf } from '../capture/ledger.js';
import type { Database } from '../database/driver.js';
import { TEXT_LIMITS } from '../limits.js';
import { findForgotten } from '../records/forgotten.js';

/** Removes rows that a backup restored although they were deleted later, or whose message has been processed since. */
export function removeForgottenAgain(database: Database): void {
  const inList = 'IN (SELECT value FROM json_each(?))';
  const forgottenIn = (table: string) => JSON.stringify(findForgotten(database, table));
  database.transaction(() => {
    for (const table of ['observations', 'session_summaries', 'user_prompts'])
      database.prepare(`DELETE FROM ${table} WHERE id ${inList}`).run(forgottenIn(table));
    // A session continues after a deletion: its later prompts are its beginning.
    database
      .prepare(
        `UPDATE sdk_sessions SET title = NULL, memory_session_id = NULL, user_prompt = (
           SELECT substr(prompt_text, 1, ${TEXT_LIMITS.sessionPrompt}) FROM user_prompts
           WHERE session_id = sdk_sessions.id ORDER BY id LIMIT 1)
         WHERE id ${inList}`,
      )
      .run(forgottenIn('sdk_sessions'));
    removeEndedMessages(database);
  })();
}

function removeEndedMessages(database: Database): void {
  const messages = database
    .prepare('SELECT id, session_id AS sessionId, dedupe_key AS dedupeKey FROM pending_messages')
    .all() as { id: number; sessionId: number; dedupeKey: string }[];
  const outcomeOf = database
    .prepare('SELECT outcome FROM event_ledger WHERE session_id = ? AND key = ?')
    .pluck();
  const remove = database.prepare('DELETE FROM pending_messages WHERE id = ?');
  for (const { id, sessionId, dedupeKey } of messages)
    if (outcomeOf.get(sessionId, ledgerKeyOf(dedupeKey)) != null) remove.run(id);
}
