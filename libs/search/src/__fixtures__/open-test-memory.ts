import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  withoutUndefined,
  type HostName,
  type Observation,
  type ObservationDraft,
  type Summary,
  type SummaryDraft,
} from '@claude-mem/core';
import { openStorage, type Storage } from '@claude-mem/storage';
import type { Memory } from '../memory.js';
import { openMemory, type OpenMemoryOptions } from '../open-memory.js';
import { EMPTY_OBSERVATION } from './empty-observation.js';

export const START = Date.UTC(2026, 0, 1, 12);
export const DAY_MS = 86_400_000;

interface Place {
  /** Name of the project, whose folder is `/home/dev/{name}`. @default 'shop' */
  project?: string;
  /** @default 'claude-code' */
  host?: HostName;
  /** @default one per project */
  session?: string;
  /** @default a second after what was written before */
  at?: number;
  /** @default 1 */
  prompt?: number;
}

type Remembered = Partial<ObservationDraft> & Place;

/** A memory in a folder of its own, with the writer of the worker. */
export interface TestMemory extends AsyncDisposable {
  dataDir: string;
  file: string;
  storage: Storage;
  /** Stores an observation; what is not given is empty. */
  remember(given: Remembered): Promise<Observation>;
  summarize(given: Partial<SummaryDraft> & Place): Promise<Summary>;
  /** Returns the number of the prompt. */
  ask(text: string, place?: Place): Promise<number>;
  /** Without vectors unless they are given; then they are waited for. */
  open(options?: OpenMemoryOptions): Promise<Memory>;
}

export async function openTestMemory(): Promise<TestMemory> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'claude-mem-search-'));
  const file = path.join(dataDir, 'claude-mem.db');
  const storage = await openStorage({ file, backupsDir: path.join(dataDir, 'backups') });
  const opened: Memory[] = [];
  let now = START;
  let events = 0;

  const capture = async (
    text: string | null,
    { project = 'shop', host = 'claude-code', session = `${project}-1`, at }: Place,
  ) => {
    now = at ?? now + 1_000;
    events += 1;
    const key = `/home/dev/${project}`;
    const common = {
      host,
      contentSessionId: session,
      cwd: key,
      projectDir: key,
      promptId: null,
      agentId: null,
      agentType: null,
      project: { key, name: project },
      filterReason: null,
      dedupeKey: `event-${events}`,
      occurredAtEpoch: now,
    } as const;
    const event =
      text === null
        ? ({ ...common, kind: 'session-start', source: 'startup' } as const)
        : ({ ...common, kind: 'prompt', text } as const);
    const [result] = await storage.store.capture([event]);
    if (!result) throw new Error('nothing was captured');
    return result;
  };
  const commit = async (
    place: Place,
    content: Pick<Parameters<Storage['store']['commitReply']>[0], 'observations' | 'summary'>,
  ) => {
    const { sessionId } = await capture(null, place);
    return storage.store.commitReply({
      ...content,
      sessionId,
      promptNumber: place.prompt ?? 1,
      confirm: [],
      provider: 'test',
      model: null,
      now,
    });
  };

  return {
    dataDir,
    file,
    storage,
    remember: async ({ project, host, session, at, prompt, ...draft }) => {
      const place = withoutUndefined({ project, host, session, at, prompt });
      const { observations } = await commit(place, {
        observations: [{ ...EMPTY_OBSERVATION, ...draft }],
        summary: null,
      });
      const [observation] = observations;
      if (!observation) throw new Error('it was there already');
      return observation;
    },
    summarize: async ({ project, host, session, at, prompt, ...draft }) => {
      const place = withoutUndefined({ project, host, session, at, prompt });
      const { summary } = await commit(place, { observations: [], summary: { ...EMPTY_SUMMARY, ...draft } });
      if (!summary) throw new Error('it was there already');
      return summary;
    },
    ask: async (text, place = {}) => (await capture(text, place)).promptNumber,
    open: async (options = {}) => {
      const memory = await openMemory({ dataDir, vectors: 'none', vectorTimeoutMs: 60_000, ...options });
      opened.push(memory);
      return memory;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((memory) => memory.close()));
      await storage.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const EMPTY_SUMMARY: SummaryDraft = {
  request: null,
  investigated: null,
  learned: null,
  completed: null,
  nextSteps: null,
  notes: null,
  filesRead: [],
  filesEdited: [],
};
