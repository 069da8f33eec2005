// Example of a program that uses the search package: node search-program.mjs DATA_DIR QUERY LAST
// Repeats the search, prints each title once, and ends when a result contains LAST.
import { openMemory } from '@claude-mem/search';

const [, , dataDir, query, last] = process.argv;
const memory = await openMemory({ dataDir });
const seen = new Set();
let isOver = false;
for (const end = Date.now() + 60_000; !isOver && Date.now() < end;) {
  const { items, strategy, degraded } = await memory.search({ query, limit: 200 });
  for (const { item, project } of items.filter((hit) => !seen.has(hit.item.id))) {
    seen.add(item.id);
    console.log(JSON.stringify({ title: item.title, project, strategy, degraded }));
  }
  isOver = items.some(({ item }) => JSON.stringify(item).includes(last));
  if (!isOver) await new Promise((resolve) => setTimeout(resolve, 100));
}
const sessions = await memory.searchSessions({ query });
console.log(JSON.stringify({ sessions: sessions.items.length, status: await memory.status() }));
await memory.close();
