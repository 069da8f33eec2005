import type { UserPrompt } from '@claude-mem/core';

type ListPrompts = (query: { sessionId: number; limit: number; cursor?: string }) => Promise<{
  items: readonly UserPrompt[];
  nextCursor: string | null;
}>;

/** Finds the prompt of a turn. Searches from the newest prompt of the session. Returns null when there is none. */
export async function findPrompt(
  list: ListPrompts,
  { sessionId, promptNumber }: Pick<UserPrompt, 'sessionId' | 'promptNumber'>,
): Promise<UserPrompt | null> {
  let position: { cursor?: string } = {};
  for (;;) {
    const { items, nextCursor } = await list({ sessionId, limit: PAGE_SIZE, ...position });
    const found = items.find((prompt) => prompt.promptNumber === promptNumber);
    const isPast = items.some((prompt) => prompt.promptNumber < promptNumber);
    if (found !== undefined || isPast || nextCursor === null) return found ?? null;
    position = { cursor: nextCursor };
  }
}

const PAGE_SIZE = 500;
