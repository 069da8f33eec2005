import { openMemory } from '../index.js';

/** What was learned about something this year, in a project: `#12 The webhook is signed`. */
export async function findInMemory(dataDir: string, project: string, words: string): Promise<string[]> {
  await using memory = await openMemory({ dataDir });
  const { items, strategy, degraded } = await memory.search({
    query: words,
    project,
    dateFrom: '2026-01-01',
    contextFiles: ['src/webhook.ts'],
    limit: 5,
  });
  const lines = items.map(({ item }) => `#${item.id} ${item.title}`);
  const notes = degraded.map(({ reason }) => `(${strategy}: ${reason})`);
  return [...lines, ...notes];
}
