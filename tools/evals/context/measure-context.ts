import { renderSessionContext } from '@claude-mem/context-render';
import { isRecord, type ImportedObservation, type JsonValue, type Observation } from '@claude-mem/core';
import { recall, recallBranch } from '@claude-mem/search';
import type { Samples } from '../../bench/samples.mjs';
import { openReplay, type Replay } from './open-replay.js';
import { PROJECT, type RecordedQuery, type RecordedTurn } from './read-codemem.js';
import { FOREIGN_PROJECT, type ForeignPrompts } from './read-foreign-prompts.js';

export interface GivenRecord {
  id: number;
  title: string;
  /** True if the session of the record is marked as relevant to the prompt. */
  isRelevant: boolean;
}

export interface Measured {
  prompts: readonly {
    text: string;
    /** True if the branch name does not describe the work of the session. */
    isOnTrunk: boolean;
    /** The records that the session start would inject, in the order of the lines. */
    started: readonly GivenRecord[];
    /** The records that the first prompt would inject. */
    recalled: readonly GivenRecord[];
    reason: string;
    /** Number of relevant sessions that had ended or started at that time. */
    relevantSessions: number;
  }[];
  foreign: readonly { name: string; given: number; asked: number }[];
  /** Duration of each recall, in milliseconds, for prompts of the project. */
  milliseconds: readonly number[];
}

/** Number of candidates, as in the worker. */
const OBSERVATIONS = 200;
const SUMMARIES = 10;
/** Maximum number of records with a prompt, as in the worker. */
export const RECALLED = 5;
const PER_IMPORT = 500;
const MAIN_BRANCH = 'main';
const EDITS: ReadonlySet<string> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);

/** Replays recorded sessions and sends each query at its recorded time. Then sends unrelated prompts. */
export async function measureContext({
  turns,
  queries,
  foreign,
  foreignMemory,
  samples,
}: {
  turns: readonly RecordedTurn[];
  queries: readonly RecordedQuery[];
  foreign: readonly ForeignPrompts[];
  /** Records of another project, to which no prompt of these sessions is related. */
  foreignMemory: readonly ImportedObservation[];
  /** Counts and reports prompts that fail. */
  samples: Samples;
}): Promise<Measured> {
  await using replay = await openReplay(turns);
  const prompts: Measured['prompts'][number][] = [];
  const milliseconds: number[] = [];
  const askQuery = async (query: RecordedQuery): Promise<void> => {
    await replay.advanceTo(query.at);
    const { sessionId, projectId } = await replay.ask(query.session, query.text, query.at);
    const begun = performance.now();
    const { hits, reason } = await recall(replay.memory, {
      prompt: query.text,
      project: PROJECT.key,
      session: sessionId,
      limit: RECALLED,
    });
    milliseconds.push(performance.now() - begun);
    const judged = (records: readonly Observation[]) => judge(replay, query, records, sessionId);
    const branch = branchOf(turns, query);
    const started = await shownAtStart(replay, {
      projectId,
      now: query.at,
      files: branchFiles(turns, query),
      onBranch:
        branch === MAIN_BRANCH ? [] : await recallBranch(replay.memory, { branch, project: PROJECT.key }),
    });
    prompts.push({
      text: query.text,
      isOnTrunk: branch === MAIN_BRANCH,
      started: await judged(started),
      recalled: await judged(hits.map(({ item }) => item)),
      reason,
      relevantSessions: turns.filter(
        ({ session, batch, beganAt }) =>
          batch.promptNumber === 1 && beganAt < query.at && query.relevant.has(session),
      ).length,
    });
  };
  for (const query of [...queries].sort((left, right) => left.at - right.at))
    await samples.add(() => askQuery(query));
  await replay.advanceTo(Infinity);
  const silent: Measured['foreign'][number][] = [];
  for (const { name, prompts: texts } of foreign) {
    silent.push({ name, ...(await countRecalls(replay, { prompts: texts, project: PROJECT.key, samples })) });
  }
  silent.push({
    name: 'prompts of these sessions, in the other memory',
    ...(await askForeignMemory(turns, foreignMemory, samples)),
  });
  return { prompts, foreign: silent, milliseconds };
}

async function askForeignMemory(
  turns: readonly RecordedTurn[],
  records: readonly ImportedObservation[],
  samples: Samples,
): Promise<{ given: number; asked: number }> {
  await using replay = await openReplay([]);
  for (let at = 0; at < records.length; at += PER_IMPORT)
    await replay.storage.store.importRecords(records.slice(at, at + PER_IMPORT), { now: 0 });
  await replay.storage.maintain();
  const prompts = turns.flatMap(({ batch }) => batch.prompt ?? []);
  return await countRecalls(replay, { prompts, project: FOREIGN_PROJECT, samples });
}

async function countRecalls(
  replay: Replay,
  { prompts, project, samples }: { prompts: readonly string[]; project: string; samples: Samples },
): Promise<{ given: number; asked: number }> {
  const counts = { given: 0, asked: 0 };
  for (const prompt of prompts) {
    await samples.add(async () => {
      const { hits } = await recall(replay.memory, { prompt, project });
      counts.asked += 1;
      if (hits.length > 0) counts.given += 1;
    });
  }
  return counts;
}

function branchOf(turns: readonly RecordedTurn[], { session }: RecordedQuery): string {
  return turns.find((turn) => turn.session === session)?.branch ?? MAIN_BRANCH;
}

/**
 * Returns the files that git would report as changed on the branch. Assumes that there are no other authors. The main
 * branch has no changed files.
 */
function branchFiles(turns: readonly RecordedTurn[], query: RecordedQuery): string[] {
  const branch = branchOf(turns, query);
  if (branch === MAIN_BRANCH) return [];
  const edits = turns
    .filter((turn) => turn.branch === branch && turn.endedAt < query.at)
    .flatMap(({ batch }) => batch.toolUses.filter(({ toolName }) => EDITS.has(toolName)));
  return [...new Set(edits.flatMap(({ input }) => pathOf(input)))];
}

function pathOf(input: JsonValue): string[] {
  const path = isRecord(input) ? input['file_path'] : null;
  return typeof path === 'string' && path.startsWith(`${PROJECT.key}/`)
    ? [path.slice(PROJECT.key.length + 1)]
    : [];
}

async function shownAtStart(
  { storage }: Replay,
  {
    projectId,
    now,
    files,
    onBranch,
  }: { projectId: number; now: number; files: readonly string[]; onBranch: readonly Observation[] },
): Promise<Observation[]> {
  const material = await storage.store.contextMaterial({
    projectId,
    observations: OBSERVATIONS,
    summaries: SUMMARIES,
  });
  const { shown } = renderSessionContext({ project: PROJECT.name, material, now, files, onBranch });
  const byId = new Map(
    [...material.observations, ...onBranch].map((observation) => [observation.id, observation]),
  );
  return shown.flatMap((id) => byId.get(id) ?? []);
}

/** Earlier turns of the same session are excluded. */
async function judge(
  { storage }: Replay,
  { relevant }: RecordedQuery,
  records: readonly Observation[],
  ownSession: number,
): Promise<GivenRecord[]> {
  const given: GivenRecord[] = [];
  for (const { id, title, sessionId } of records) {
    if (sessionId === ownSession) continue;
    const session = await storage.store.getSession(sessionId);
    given.push({ id, title: title ?? '', isRelevant: relevant.has(session?.contentSessionId ?? '') });
  }
  return given;
}
