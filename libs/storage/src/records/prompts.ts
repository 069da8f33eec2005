import type { ListOptions, Page, UserPrompt } from '@claude-mem/core';
import { and, eq, getTableColumns, gte, or } from 'drizzle-orm';
import type { TypedDatabase } from '../database/typed-database.js';
import { userPrompts } from '../schema.js';
import { byIds, idsIn } from './by-ids.js';
import { newestFirst, olderThan, toPage, toPageRequest } from './page.js';

/** Columns without the reply, which is long and not shown in lists. */
const {
  agentReply: _reply,
  isImported: _isImported,
  branch: _branch,
  headCommit: _headCommit,
  ...COLUMNS
} = getTableColumns(userPrompts);
type PromptRow = Pick<typeof userPrompts.$inferSelect, keyof typeof COLUMNS>;

export interface PromptRecords {
  /** Returns the prompt that began a turn and the prompts that were added to it. They have the same host id. */
  ofTurn(sessionId: number, promptNumber: number): readonly UserPrompt[];
  list(options?: ListOptions): Page<UserPrompt>;
  /** In the order of the ids. Unknown ids are skipped. */
  byIds(ids: readonly number[]): readonly (UserPrompt & { projectId: number })[];
}

export function createPromptRecords(typed: TypedDatabase): PromptRecords {
  const findByIds = typed.select(COLUMNS).from(userPrompts).where(idsIn(userPrompts.id)).prepare();
  return {
    byIds: (ids) =>
      byIds(ids, (list) =>
        findByIds.all({ ids: list }).map((row) => ({ ...rowToPrompt(row), projectId: row.projectId })),
      ),
    ofTurn(sessionId, promptNumber) {
      const ofSession = eq(userPrompts.sessionId, sessionId);
      const isFirst = eq(userPrompts.promptNumber, promptNumber);
      const promptId = typed
        .select({ id: userPrompts.promptId })
        .from(userPrompts)
        .where(and(ofSession, isFirst));
      return typed
        .select(COLUMNS)
        .from(userPrompts)
        .where(
          and(
            ofSession,
            gte(userPrompts.promptNumber, promptNumber),
            or(isFirst, eq(userPrompts.promptId, promptId)),
          ),
        )
        .orderBy(userPrompts.promptNumber)
        .all()
        .map(rowToPrompt);
    },
    list(options = {}) {
      const page = toPageRequest(options);
      const rows = typed
        .select(COLUMNS)
        .from(userPrompts)
        .where(
          and(
            options.sessionId === undefined ? undefined : eq(userPrompts.sessionId, options.sessionId),
            options.projectId === undefined ? undefined : eq(userPrompts.projectId, options.projectId),
            olderThan(userPrompts, page.after),
          ),
        )
        .orderBy(...newestFirst(userPrompts))
        .limit(page.limit + 1)
        .all();
      return toPage(rows, page, (kept) => kept.map(rowToPrompt));
    },
  };
}

function rowToPrompt({ promptId: _, projectId: __, ...prompt }: PromptRow): UserPrompt {
  return prompt;
}
