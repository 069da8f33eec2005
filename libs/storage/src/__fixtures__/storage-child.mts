import { randomFrom } from '@claude-mem/core/testing';
import { openStorage } from '../index.js';
import { loadDriver, type Database } from '../database/driver.js';
import { MIGRATIONS } from '../migrations/index.js';
import { openStorageWith } from '../open-storage.js';
import { createEvents } from './events.js';
import { NO_LIMITS, draft, reply, reserve } from './replies.js';

/** What a test does in another process: `node … storage-child.mts <command> <file> <backupsDir> [argument]`. */
const [command, file = '', backupsDir = '', argument = ''] = process.argv.slice(2);
/** Resolves once the line is in the pipe, which is later when the test reads slowly and the pipe is full. */
const say = (text: string) =>
  new Promise<void>((resolve) => process.stdout.write(`${text}\n`, () => resolve()));

/** Lets the event loop turn: only then is seen that nobody reads any more, which ends this process. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Waits until all children of a test are ready, so that they really start at once. */
const startTogether = async () => {
  await say('ready');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  process.stdin.destroy();
};

const open = () =>
  openStorage({ file, backupsDir, ...(argument.startsWith('shared') ? { fileSystemType: 0x6969 } : {}) });

const commands: Record<string, () => Promise<void>> = {
  async open() {
    await startTogether();
    const storage = await open();
    await storage.store.capture([createEvents(`child-${process.pid}`).prompt('hello')]);
    await storage.close();
  },
  /** Captures one event with a given key, and the same from every other child. */
  async 'capture-same'() {
    const storage = await open();
    await startTogether();
    const [result] = await storage.store.capture([createEvents('shared').toolUse({ dedupeKey: 'call-1' })]);
    await say(result?.kind ?? '');
    await storage.close();
  },
  /** Holds the write lock for so many milliseconds. */
  async lock() {
    const database = loadDriver().open(file, { timeout: 5_000 });
    database.exec('BEGIN IMMEDIATE');
    await say('ready');
    await new Promise((resolve) => setTimeout(resolve, Number(argument)));
    database.exec('COMMIT');
    database.close();
  },
  /** Captures until it is killed; says each number once it is committed. */
  async 'capture-many'() {
    const storage = await open();
    const { toolUse } = createEvents(argument);
    for (let number = 1; ; number += 1) {
      await storage.store.capture([toolUse({ dedupeKey: `event-${number}` })]);
      await say(String(number));
      await turn();
    }
  },
  /** Forgets a session and undoes it, again and again, until it is killed. */
  async 'forget-and-undo'() {
    const { store } = await open();
    const now = Date.UTC(2026, 0, 3);
    for (;;) {
      for (const { forgetId } of await store.listForgotten(now)) await store.undoForget(forgetId, now);
      await say('undone');
      await turn();
      await store.forget({ sessionIds: [Number(argument)], now, undoUntil: now + 60_000 });
    }
  },
  /** Writes, changes and removes observations and keeps the index up, until it is killed. */
  async 'write-observations'() {
    const { store, index } = await open();
    const random = randomFrom(Number(argument));
    for (let round = 0; ; round += 1) {
      const records = Array.from({ length: 20 }, (_, number) => ({
        ...draft({ title: `alpha round${round} number${number}` }),
        uid: `${round}-${number}`,
        project: '/home/dev/shop',
        session: `session-${round % 7}`,
        promptNumber: round,
        createdAtEpoch: Date.UTC(2026, 0, 1) + round,
      }));
      await store.importRecords(records, { now: 0 });
      await store.forget({ ids: [1 + Math.floor(random() * 20 * round)], now: 0 });
      await index.step({ foldAt: 1 + Math.floor(random() * 200) });
      if (random() < 0.02) await index.rebuild();
      await say(String(round));
    }
  },
  /** Stores so many observations, begins the index anew, says how many small steps are done, and goes no further than three. */
  async 'rebuild-index'() {
    const { store, index } = await open();
    const records = Array.from({ length: Number(argument) }, (_, number) => ({
      ...draft({ title: `alpha number${number}` }),
      uid: String(number),
      project: '/home/dev/shop',
      session: 'one',
      promptNumber: 1,
      createdAtEpoch: Date.UTC(2026, 0, 1) + number,
    }));
    await store.importRecords(records, { now: 0 });
    await index.rebuild();
    for (let step = 1; !(await index.step({ limit: 10, foldAt: 5 })).done; step += 1) {
      await say(String(step));
      if (step === 3) await new Promise((resolve) => setTimeout(resolve, 60_000));
    }
  },
  /** Opens and closes, and says when each is done; is killed at the end of a migration, before its commit, if one is given. */
  async migrate() {
    const migrations = MIGRATIONS.map((migration) => ({
      ...migration,
      up(database: Database) {
        migration.up(database);
        if (migration.name === argument) process.kill(process.pid, 'SIGKILL');
      },
    }));
    await say('ready');
    const storage = await openStorageWith({ driver: loadDriver(), migrations }, { file, backupsDir });
    await say('open');
    await storage.close();
  },
  /** Makes two calls to the end and one more that is never answered, unless so many were made on that day. */
  async call() {
    const { store } = await open();
    await store.recoverUsage();
    const limits = { ...NO_LIMITS, dayCalls: Number(argument) };
    for (let number = 1; ; number += 1) {
      const callId = await reserve(store, { limits }).catch(() => null);
      if (callId === null || number === 3) {
        await say(callId === null ? 'over' : 'reserved');
        setInterval(() => undefined, 1_000);
        return;
      }
      const usage = { callId, inputTokens: 10, outputTokens: 1, cachedTokens: 0, estimatedCostUsd: 0.25 };
      await store.commitReply(reply(1, { usage }));
    }
  },
  /** Claims what waits and then hangs, as with a provider that never answers. */
  async claim() {
    const storage = await open();
    const claimed = await storage.messages.claim({
      sessionId: 1,
      now: Date.now(),
      maxCount: 5,
      maxBytes: 1e9,
    });
    await say(`claimed ${claimed.length}`);
    setInterval(() => undefined, 1_000);
  },
};

await commands[command ?? '']?.();
