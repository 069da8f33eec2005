import type { ListOptions, Page, UserPrompt } from '@claude-mem/core';
import { and, eq, inArray } from 'drizzle-orm';
import type { TypedDatabase } from '../database/typed-database.js';
import { sdkSessions, userPrompts } from '../schema.js';
import { newestFirst, olderThan, toPage, toPageRequest } from './page.js';

type PromptRow = typeof userPrompts.$inferSelect;

export interface PromptRecords {
  get(sessionId: number, promptNumber: number): UserPrompt | null;
  list(options?: ListOptions): Page<UserPrompt>;
}

export function createPromptRecords(typed: TypedDatabase): PromptRecords {
  return {
    get(sessionId, promptNumber) {
      const row = typed
        .select()
        .from(userPrompts)
        .where(and(eq(userPrompts.sessionId, sessionId), eq(userPrompts.promptNumber, promptNumber)))
        .get();
      return row ? rowToPrompt(row) : null;
    },
    list(options = {}) {
      const page = toPageRequest(options);
      const inProject = (projectId: number) =>
        typed.select({ id: sdkSessions.id }).from(sdkSessions).where(eq(sdkSessions.projectId, projectId));
      const rows = typed
        .select()
        .from(userPrompts)
        .where(
          and(
            options.sessionId === undefined ? undefined : eq(userPrompts.sessionId, options.sessionId),
            options.projectId === undefined
              ? undefined
              : inArray(userPrompts.sessionId, inProject(options.projectId)),
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

function rowToPrompt({ promptId: _, ...prompt }: PromptRow): UserPrompt {
  return prompt;
}
