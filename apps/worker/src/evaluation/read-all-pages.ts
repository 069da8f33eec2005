import type { Page } from '@claude-mem/core';

const PAGE = 500;

/** Reads all pages of a list. */
export async function readAllPages<Item>(
  read: (options: { limit: number; cursor?: string }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Item> = await read({ limit: PAGE, ...(cursor !== null && { cursor }) });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return items;
}
