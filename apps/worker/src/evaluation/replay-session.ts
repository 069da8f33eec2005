import { setImmediate } from 'node:timers/promises';
import {
  NEUTRAL_PROJECT,
  pathEnds,
  systemClock,
  type Injection,
  type Names,
  type PromptSubmitted,
  type Session,
  type Store,
} from '@claude-mem/core';
import type { Memory } from '@claude-mem/search';
import type { Settings } from '@claude-mem/settings';
import type { ReplayedPrompt } from '@claude-mem/worker-protocol';
import { createPromptRecall, createSessionLedger, type SessionLedger } from '@claude-mem/capture';
import { memoryBefore } from './memory-before.js';
import { namesIn, recordLinesIn } from './names-in.js';
import { readAllPages } from './read-all-pages.js';
import { usedInTurn } from './used-in-turn.js';

const NOTHING = { text: '', tokens: 0, shown: [] };

/**
 * Repeats the recall of each prompt of a session with the records that were stored before that prompt. Stores nothing. Skips records
 * that the session start or a file read injected, if these injections are stored.
 * @param options.limit maximum number of prompts, the first of the session
 */
export async function replaySession(
  {
    memory,
    store,
    settings,
    launcher,
  }: {
    memory: Pick<Memory, 'search' | 'searchUserPrompts'>;
    store: Store;
    settings: Settings;
    launcher: string;
  },
  session: Session,
  { limit, signal }: { limit: number; signal: AbortSignal },
): Promise<ReplayedPrompt[]> {
  const project = await store.getProject(session.projectId);
  if (project === null || project.key === NEUTRAL_PROJECT.key) return [];
  const sessionId = session.id;
  const newestFirst = await readAllPages((page) => store.listPrompts({ sessionId, ...page }));
  const prompts = newestFirst.toReversed().slice(0, limit);
  const observations = await readAllPages((page) => store.listObservations({ sessionId, ...page }));
  const summaries = await readAllPages((page) => store.listSummaries({ sessionId, ...page }));
  const injections = (await store.listInjections(sessionId)).filter(({ kind }) => kind !== 'prompt');
  const ledger = createSessionLedger();
  const before = new Set<string>();
  const replayed: ReplayedPrompt[] = [];
  for (const { id, promptNumber, promptText, createdAtEpoch } of prompts) {
    // Events that hooks report meanwhile have priority.
    await setImmediate(undefined, { signal });
    const recall = createPromptRecall({
      ...readers(memoryBefore({ memory, store }, createdAtEpoch)),
      // The branch and commit of that time are unknown.
      freshness: { label: async (records) => records },
      settings: () => ({ ...settings, enabled: true, recallOnPrompt: true }),
      ledger,
      launcher,
      clock: { ...systemClock, now: () => createdAtEpoch },
    });
    const event = eventOf(session, promptText);
    while (injections[0] !== undefined && injections[0].createdAtEpoch <= createdAtEpoch)
      markInjection(ledger, event, injections.shift()!);
    const at = { project, root: null, sessionId, promptNumber, signal };
    const { text, tokens, shown } = (await recall.injectionFor(event, at)) ?? NOTHING;
    const isOfTurn = (record: { promptNumber: number }) => record.promptNumber === promptNumber;
    const used = usedInTurn(observations.filter(isOfTurn), summaries.filter(isOfTurn));
    for (const name of allOf(namesIn(promptText))) before.add(name);
    replayed.push({
      promptId: id,
      createdAtEpoch,
      tokens,
      named: namesIn(recordLinesIn(text), await store.observationsByIds(shown)),
      turn: used && { used, usedFirst: withoutNames(used, before) },
    });
    for (const name of used ? allOf(used) : []) before.add(name);
  }
  return replayed;
}

/** Marks records as provided. A session start begins a new history, as it did in the session. */
function markInjection(
  ledger: SessionLedger,
  event: PromptSubmitted,
  { kind, observationIds, createdAtEpoch }: Injection,
): void {
  if (kind === 'start')
    ledger.claimContext(event, { source: 'clear', hasHistory: false, now: createdAtEpoch });
  ledger.markProvided(event, { ids: observationIds });
}

const readers = ({ memory, store }: ReturnType<typeof memoryBefore>) => ({
  memory: async () => memory,
  store,
});

const eventOf = ({ host, contentSessionId, cwd }: Session, text: string): PromptSubmitted => ({
  kind: 'prompt',
  text,
  host,
  contentSessionId,
  cwd,
  projectDir: null,
  promptId: null,
  agentId: null,
  agentType: null,
});

const allOf = ({ files, identifiers }: Names): string[] => [...files, ...identifiers];

function withoutNames({ files, identifiers }: Names, known: ReadonlySet<string>): Names {
  return {
    files: files.filter((file) => !pathEnds(file).some((end) => known.has(end))),
    identifiers: identifiers.filter((name) => !known.has(name)),
  };
}
