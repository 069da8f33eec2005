// A program of somebody else's: node search-program.mjs DATA_DIR QUERY LAST
// Searches again and again, says each title when it first sees it, and ends when it has seen LAST.
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
}
const sessions = await memory.searchSessions({ query });
console.log(JSON.stringify({ sessions: sessions.items.length, status: await memory.status() }));
await memory.close();
