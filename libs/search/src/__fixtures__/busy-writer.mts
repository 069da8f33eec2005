import { openStorage } from '@claude-mem/storage';
import type { ImportedObservation } from '@claude-mem/core';
import { randomFrom } from '@claude-mem/core/testing';

// Writes, removes, folds and rebuilds without a pause until the given number of rounds is done: node busy-writer.mjs <file> <backups> <rounds>
const [, , file = '', backupsDir = '', rounds = '0'] = process.argv;
const storage = await openStorage({ file, backupsDir });
const random = randomFrom(17);
const words = ['queue', 'lease', 'socket', 'parser', 'token', 'vector'];
const ids: number[] = [];
let written = 0;
for (let round = 0; round < Number(rounds); round += 1) {
  const records = Array.from({ length: 20 }, (): ImportedObservation => {
    written += 1;
    const title = Array.from({ length: 3 }, () => words[Math.floor(random() * words.length)]).join(' ');
    return {
      uid: `written-${written}`,
      project: 'busy',
      session: `session-${written % 7}`,
      promptNumber: 1,
      type: 'discovery',
      title: `${title} record${written}`,
      subtitle: null,
      narrative: `round ${round} number${written}`,
      facts: [],
      concepts: [],
      filesRead: [],
      filesModified: [`src/file${written % 30}.ts`],
      createdAtEpoch: 1_000_000 + written,
    };
  });
  await storage.store.importRecords(records, { now: 1_000_000 + written });
  ids.push(...Array.from({ length: 20 }, (_, place) => ids.length + place + 1));
  if (round % 3 === 1)
    await storage.store.forget({ ids: [ids[Math.floor(random() * ids.length)] ?? 1], now: 0 });
  if (round % 4 === 2) await storage.index.step({ foldAt: 1 });
  if (round % 25 === 24) {
    await storage.index.rebuild();
    while (!(await storage.index.step({ limit: 200, foldAt: 100 })).done);
  }
  process.stdout.write(`round ${round}\n`);
}
await storage.close();
