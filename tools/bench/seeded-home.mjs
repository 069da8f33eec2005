// Creates temporary homes with a number of observations, written through the storage library.
import { mkdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { openStorage } from '@claude-mem/storage';
import { createTempHome } from '@claude-mem/testing';
import { syntheticObservations, textBytes } from './synthetic-observations.mjs';

const PER_COMMIT = 500;
const PER_SESSION = 1_000;
const DAY_MS = 86_400_000;

/** Creates a home for each size on first use: { home, observations, ownBytes, databaseBytes }. */
export function createSeededHomes({ report }) {
  const homes = new Map();
  return {
    get(observations) {
      if (!homes.has(observations)) {
        report(`writing ${observations.toLocaleString('en')} observations`);
        homes.set(observations, createSeededHome(observations));
      }
      return homes.get(observations);
    },
    async dispose() {
      for (const created of await Promise.allSettled(homes.values()))
        if (created.status === 'fulfilled') await created.value.home[Symbol.asyncDispose]();
    },
  };
}

async function createSeededHome(observations) {
  const home = await createTempHome();
  mkdirSync(home.dataDir, { recursive: true, mode: 0o700 });
  const file = path.join(home.dataDir, 'claude-mem.db');
  const storage = await openStorage({ file, backupsDir: path.join(home.dataDir, 'backups') });
  await storage.maintain();
  const emptyBytes = statSync(file).size;
  const ownBytes = await seed(storage.store, realpathSync(home.project), observations);
  await storage.maintain();
  await storage.close();
  return { home, observations, ownBytes, databaseBytes: statSync(file).size - emptyBytes };
}

async function seed(store, project, count) {
  const started = Date.now() - 90 * DAY_MS;
  const at = (index) => started + Math.floor((index / Math.max(1, count)) * 89 * DAY_MS);
  let ownBytes = 0;
  let held = [];
  let stored = 0;
  let session;
  const commit = async () => {
    if (held.length === 0) return;
    await store.commitReply({
      sessionId: session.sessionId,
      promptNumber: session.promptNumber,
      observations: held,
      summary: null,
      confirm: [],
      provider: 'local',
      model: null,
      now: at(stored),
    });
    stored += held.length;
    held = [];
  };
  for (const draft of syntheticObservations(count)) {
    if (stored % PER_SESSION === 0 && held.length === 0)
      session = await openSession(store, project, stored, at(stored));
    held.push(draft);
    ownBytes += textBytes(draft);
    if (held.length === PER_COMMIT) await commit();
  }
  await commit();
  return ownBytes;
}

async function openSession(store, project, number, now) {
  const [captured] = await store.capture([
    {
      kind: 'prompt',
      host: 'claude-code',
      contentSessionId: `seed-${number}`,
      cwd: project,
      projectDir: project,
      promptId: `seed-prompt-${number}`,
      agentId: null,
      agentType: null,
      text: `Work on part ${number} of the project`,
      dedupeKey: `seed-prompt-${number}`,
      occurredAtEpoch: now,
      project: { key: project, name: path.basename(project) },
      filterReason: null,
    },
  ]);
  return captured;
}
