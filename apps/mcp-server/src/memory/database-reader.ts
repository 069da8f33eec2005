import { existsSync } from 'node:fs';
import { CONTEXT_MATERIAL, renderSessionContext } from '@claude-mem/context-render';
import { MORE_OVER_MCP, type PastRecord } from '@claude-mem/context-render/mcp';
import { withoutUndefined, type Observation } from '@claude-mem/core';
import type { Memory, SearchAnswer } from '@claude-mem/search';
import { missingForEmbedder, typeEmojis, type LoadedSettings } from '@claude-mem/settings';
import { McpError } from '../mcp-error.js';
import { createShared } from './create-shared.js';
import { createSemanticOnlyNotes } from './create-semantic-only-notes.js';
import type { MemoryReader, SearchRequest } from './memory-reader.js';

export interface DatabaseReader extends MemoryReader {
  close(): Promise<void>;
}

/** Closing an idle memory frees the memory of its indexes. */
const IDLE_MS = 60_000;

/** Creates a reader of the database. The database is opened read-only at the first request. */
export function createDatabaseReader(
  { paths, settings }: Pick<LoadedSettings, 'paths' | 'settings'>,
  { now, timeZone }: { now: () => number; timeZone: () => string },
): DatabaseReader {
  const shared = createShared(open, IDLE_MS);

  async function open(): Promise<Memory> {
    if (!existsSync(paths.database)) throw new McpError('mcp/no-memory', NO_MEMORY);
    // imported lazily, because it is not needed while the worker runs
    const { openSearch } = await import('@claude-mem/search/by-settings');
    const needs = missingForEmbedder(settings);
    const missing = needs && `the embedder ${settings.embedder} ${needs.reason}, so search is only lexical`;
    return openSearch({ dataDir: paths.dataDir, settings, missing });
  }

  return {
    search: (request) => shared.use((memory) => search(memory, request)),
    timeline: ({ project, ...rest }) =>
      shared.use(async (memory) => {
        const { entries, anchorIndex, degraded } = await memory.timeline({
          ...rest,
          ...(project === undefined ? {} : { project }),
        });
        return { records: entries, anchorIndex, notes: degraded.map(({ reason }) => reason) };
      }),
    observations: (ids) => shared.use((memory) => memory.getObservations(ids)),
    lastSummarizedSession: (project) =>
      shared.use(async (memory) => {
        const { items } = await memory.feed(
          withoutUndefined({ kinds: ['summary' as const], project, limit: 1 }),
        );
        return items[0]?.item.sessionId ?? null;
      }),
    projects: () => shared.use((memory) => memory.listProjects()),
    context: (project) => shared.use((memory) => renderContext(memory, project)),
    close: () => shared.close(),
  };

  async function search(memory: Memory, { kind, ...filters }: SearchRequest) {
    const request = { semanticWindowDays: settings.semanticWindowDays, ...withoutUndefined(filters) };
    const nextOffset = filters.offset + filters.limit;
    const toFoundRecords = (
      answers: readonly SearchAnswer<unknown>[],
      records: readonly PastRecord[],
      strategy = answers[0]?.strategy ?? 'filters',
    ): Awaited<ReturnType<MemoryReader['search']>> => ({
      records,
      notes: [
        ...createSemanticOnlyNotes({ items: records, strategy }, filters),
        ...new Set(answers.flatMap(({ degraded }) => degraded.map(({ reason }) => reason))),
      ],
      nextOffset: answers.some(({ hasMore }) => hasMore) ? nextOffset : null,
    });
    switch (kind) {
      case 'observations': {
        const found = await memory.search(request);
        return toFoundRecords([found], found.items.map(toObservationRecord));
      }
      case 'sessions': {
        const found = await memory.searchSessions(request);
        return toFoundRecords([found], found.items.map(toSessionRecord));
      }
      case 'prompts': {
        const found = await memory.searchUserPrompts(request);
        return toFoundRecords([found], found.items.map(toPromptRecord));
      }
      case 'all': {
        const { observations, sessions, prompts, strategy } = await memory.advancedSearch(request);
        return toFoundRecords(
          [observations, sessions, prompts],
          [
            ...observations.items.map(toObservationRecord),
            ...sessions.items.map(toSessionRecord),
            ...prompts.items.map(toPromptRecord),
          ],
          strategy,
        );
      }
    }
  }

  async function renderContext(memory: Memory, project: { key: string; name: string }) {
    const material = await memory.getContextMaterial({ project: project.key, ...CONTEXT_MATERIAL });
    if (material === null) return { text: '', notes: [] };
    const { text } = renderSessionContext({
      project: project.name,
      material,
      now: now(),
      timeZone: timeZone(),
      emojis: typeEmojis(settings.mode),
      parts: settings.contextParts,
      maxTokens: settings.contextTokens,
      howToReadMore: MORE_OVER_MCP,
    });
    return { text, notes: [] };
  }
}

const NO_MEMORY =
  'No records yet: the database does not exist. claude-mem creates it with the first recorded session (claude-mem start).';

const toObservationRecord = ({ item, project }: { item: Observation; project: string }): PastRecord => ({
  kind: 'observation',
  item,
  project,
});
const toSessionRecord = ({
  item,
  project,
}: {
  item: Extract<PastRecord, { kind: 'session' }>['item'];
  project: string;
}): PastRecord => ({ kind: 'session', item, project });
const toPromptRecord = ({
  item,
  project,
}: {
  item: Extract<PastRecord, { kind: 'prompt' }>['item'];
  project: string;
}): PastRecord => ({ kind: 'prompt', item, project });
