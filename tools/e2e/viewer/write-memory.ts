import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { ANALYSIS_VERSION } from '@claude-mem/lexical-index/analysis';
import { openStorage, type Storage } from '@claude-mem/storage';
import { isFullRun, workspacePaths } from '@claude-mem/testing';
import {
  createRealisticSessions,
  createHostileSession,
  generateSessions,
  type GeneratedSession,
} from './synthetic-sessions.js';
import { CACHE, createOnce } from './create-once.js';

/**
 * `small`: three realistic sessions and one with hostile texts. `medium` and `large`: 3,000 and 100,000 generated
 * observations and the hostile session.
 */
export type MemoryName = 'empty' | 'small' | keyof typeof GENERATED_SIZES;

export const GENERATED_SIZES = { medium: 3_000, large: 100_000 } as const;

/** The memory for tests of long lists: more records than any list loads at once. */
export const LONG_LISTS = isFullRun ? 'large' : 'medium';

const DAY_MS = 86_400_000;
const PER_COMMIT = 70;
/** Maximum age of a cached memory. Older memories are generated again. */
const MAX_AGE_MS = DAY_MS / 2;

/** Writes a memory into a data directory. Generated memories are cached and copied. */
export async function writeMemory(dataDir: string, name: MemoryName): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (name === 'empty') return;
  if (name === 'small') return fill(dataDir, createRealisticSessions(Date.now()));
  await copyFile(
    path.join(await generatedMemory(name), 'claude-mem.db'),
    path.join(dataDir, 'claude-mem.db'),
  );
}

/** @returns the cache folder that contains the database */
function generatedMemory(name: keyof typeof GENERATED_SIZES): Promise<string> {
  return createOnce({
    folder: path.join(CACHE, `${name}-${fingerprint()}`),
    isGood: (folder) => Date.now() - statSync(folder).mtimeMs < MAX_AGE_MS,
    async make(folder) {
      const now = Date.now();
      await fill(folder, withHostile(generateSessions(GENERATED_SIZES[name], now), now));
    },
  });
}

function* withHostile(sessions: Iterable<GeneratedSession>, now: number): Generator<GeneratedSession> {
  yield* sessions;
  yield createHostileSession(now);
}

/** Changes when the migrations or the text analysis change. */
function fingerprint(): string {
  const hash = createHash('sha256').update(String(ANALYSIS_VERSION));
  const migrations = path.join(workspacePaths.root, 'libs', 'storage', 'src', 'migrations');
  for (const file of [
    ...readdirSync(migrations)
      .filter((name) => !name.endsWith('.test.ts'))
      .map((name) => path.join(migrations, name)),
    path.join(import.meta.dirname, 'synthetic-sessions.ts'),
    path.join(import.meta.dirname, 'write-memory.ts'),
  ])
    hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

async function fill(dataDir: string, sessions: Iterable<GeneratedSession>): Promise<void> {
  const file = path.join(dataDir, 'claude-mem.db');
  await using storage = await openStorage({ file, backupsDir: path.join(dataDir, 'backups'), backupKeep: 1 });
  let latest = 0;
  for (const group of inGroups(sessions, PER_COMMIT)) latest = await writeSessions(storage, group);
  await pinObservation(storage);
  await writeUsage(storage, latest);
  await parkToolUses(storage);
  for (let done = false; !done;) ({ done } = await storage.index.step());
  await storage.maintain();
}

function* inGroups<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let group: Item[] = [];
  for (const item of items) {
    if (group.push(item) < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/**
 * Writes many sessions per commit, because each commit waits for the disk. Observations are imported with their
 * session ids. The records of the last turn are stored like a reply of the observer.
 * @returns the id of the last session
 */
async function writeSessions({ store }: Storage, sessions: readonly GeneratedSession[]): Promise<number> {
  const prompts = sessions.flatMap((session) =>
    session.turns.map(({ prompt, atEpoch }, turn) => ({
      ...eventOf(session, `prompt-${turn}`, atEpoch - 60_000),
      kind: 'prompt' as const,
      text: prompt,
    })),
  );
  const captured = await store.capture(prompts);
  const sessionIds = new Map(
    prompts.map((prompt, at) => [prompt.contentSessionId, captured[at]?.sessionId ?? 0]),
  );
  const records = sessions.flatMap(({ id, project, turns }) =>
    turns.slice(0, -1).flatMap(({ observations, atEpoch }, turn) =>
      observations.map((observation, place) => ({
        ...observation,
        uid: `${id}-${turn}-${place}`,
        project: project.key,
        session: id,
        promptNumber: turn + 1,
        createdAtEpoch: atEpoch + place * 1_000,
      })),
    ),
  );
  const { failed } = await store.importRecords(records, { now: Date.now() });
  if (failed.length > 0) throw new Error(`not imported: ${failed[0]?.reason ?? ''}`);
  for (const { id, turns } of sessions) {
    const { observations = [], summary = null, atEpoch: now = 0 } = turns.at(-1) ?? {};
    const by = { provider: 'local', model: null, confirm: [] };
    const sessionId = sessionIds.get(id) ?? 0;
    await store.commitReply({ ...by, sessionId, promptNumber: turns.length, observations, summary, now });
  }
  return sessionIds.get(sessions.at(-1)?.id ?? '') ?? 0;
}

function eventOf(
  { host, id, project }: Pick<GeneratedSession, 'host' | 'id' | 'project'>,
  key: string,
  occurredAtEpoch: number,
) {
  return {
    host,
    contentSessionId: id,
    cwd: project.key,
    projectDir: project.key,
    promptId: `${id}-${key}`,
    agentId: null,
    agentType: null,
    dedupeKey: `${id}-${key}`,
    occurredAtEpoch,
    project,
    filterReason: null,
  };
}

/** Pins an observation and marks the next older one as superseded by it. */
async function pinObservation({ store }: Storage): Promise<void> {
  const { items } = await store.listObservations({ limit: 6 });
  const [pinned, old] = [items.at(-2), items.at(-1)];
  if (pinned === undefined || old === undefined) return;
  await store.editObservation(pinned.id, { pinned: true }, pinned.createdAtEpoch);
  if (pinned.projectId === old.projectId)
    await store.editObservation(old.id, { supersededBy: pinned.id }, old.createdAtEpoch);
}

/** Writes the usage of calls to two models over sixty days. */
async function writeUsage({ store }: Storage, sessionId: number): Promise<void> {
  const limits = { dayCalls: 0, dayTokens: 0, dayUsd: 0, sessionTokens: 0 };
  for (let day = 0; day < 60; day += 1) {
    if (day % 7 > 4) continue;
    const now = Date.now() - day * DAY_MS;
    for (const [model, share] of [
      ['claude-haiku-4-5', 3],
      ['gemini-2.5-flash', 1],
    ] as const) {
      const inputTokens = 4_000 * share + ((day * 977) % 3_000);
      const usage = {
        inputTokens,
        outputTokens: 900,
        cachedTokens: 1_000,
        estimatedCostUsd: inputTokens / 1e6,
      };
      const provider = model.startsWith('claude') ? 'claude' : 'gemini';
      const decision = await store.reserveUsage({ sessionId, provider, model, estimate: usage, limits, now });
      if (decision.kind === 'reserved') await store.settleUsage({ callId: decision.callId, usage, now });
    }
  }
}

async function parkToolUses({ store, messages }: Storage): Promise<void> {
  const session = {
    host: 'claude-code',
    id: 'parked',
    project: { key: '/repos/shop', name: 'shop' },
  } as const;
  const now = Date.now() - 2 * 3_600_000;
  await store.capture([
    { ...eventOf(session, 'prompt', now), kind: 'prompt', text: 'Rename the column in the invoices' },
  ]);
  const captured = await store.capture(
    ['ALTER TABLE invoices', 'npm run migrate'].map((command, index) => ({
      ...eventOf(session, `use-${index}`, now + index),
      kind: 'tool-use',
      toolName: 'Bash',
      toolUseId: `toolu-parked-${index}`,
      input: { command },
      response: { stdout: '', stderr: '', interrupted: false },
      outcome: 'succeeded',
      error: null,
      isInterrupt: false,
      durationMs: 12,
    })),
  );
  const sessionId = captured[0]?.sessionId ?? 0;
  const claimed = await messages.claim({ sessionId, now, maxCount: 10, maxBytes: 1_000_000 });
  await messages.park({
    ids: claimed.map(({ id }) => id),
    error: 'The provider answered in prose three times',
  });
}
