import type { ConversationTurn, Store } from '@claude-mem/core';
import type { Database } from '../database/driver.js';

const MAX_TURNS = 200;
const MAX_CHARACTERS = 200_000;

type Row = ConversationTurn & { promptId: string | null };
type Options = Parameters<Store['conversation']>[1];

/** Reads the prompts and replies of a session from the newest to the oldest until a limit is reached. */
export function createConversationReader(
  database: Database,
): (sessionId: number, options: Options) => readonly ConversationTurn[] {
  // Prompts that were added to the running turn have larger numbers and the same id.
  const newestFirst = database.prepare(`
    SELECT prompt_number AS promptNumber, prompt_id AS promptId, prompt_text AS prompt, agent_reply AS reply
    FROM user_prompts
    WHERE session_id = :sessionId AND is_imported = 0 AND prompt_number <= max(:throughPrompt, coalesce((
      SELECT max(prompt_number) FROM user_prompts
      WHERE session_id = :sessionId AND prompt_number > :throughPrompt AND prompt_id = (
        SELECT prompt_id FROM user_prompts
        WHERE session_id = :sessionId AND prompt_number = :throughPrompt)), 0))
    ORDER BY prompt_number DESC`);

  return (sessionId, { throughPrompt, limit }) => {
    const turns: Row[] = [];
    let characters = 0;
    for (const row of newestFirst.iterate({ sessionId, throughPrompt }) as Iterable<Row>) {
      characters += row.prompt.length + (row.reply?.length ?? 0);
      if (characters > MAX_CHARACTERS) break;
      const later = turns.at(-1);
      if (later && row.promptId !== null && row.promptId === later.promptId) {
        later.promptNumber = row.promptNumber;
        later.prompt = `${row.prompt}\n\n${later.prompt}`;
        later.reply ??= row.reply;
      } else if (turns.length < Math.min(limit, MAX_TURNS)) turns.push(row);
      else break;
    }
    return turns.reverse().map(({ promptId: _, ...turn }) => turn);
  };
}
