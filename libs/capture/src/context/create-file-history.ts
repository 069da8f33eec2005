import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import {
  isSavedByAgent,
  MAX_AGENT_RECORDS_BESIDE,
  shellWord,
  type Clock,
  type HostEvent,
  type Observation,
  type Store,
  type FoundProject,
  type ProjectFinder,
} from '@claude-mem/core';
import { renderFileHistory, type SessionContext as RenderedContext } from '@claude-mem/context-render';
import { absolutePathOf } from '@claude-mem/host-adapters';
import type { Memory } from '@claude-mem/search';
import type { Settings } from '@claude-mem/settings';
import type { Freshness } from '@claude-mem/freshness';
import type { InjectedText } from './create-injection-log.js';
import type { SessionLedger } from './create-session-ledger.js';
import { renderOptions } from './render-options.js';

/** A file that an agent has read. `path` is absolute, or relative to `cwd`. */
export type FileRead = Pick<HostEvent, 'host' | 'contentSessionId' | 'cwd' | 'projectDir' | 'agentId'> & {
  path: string;
};

/** Finds the records about a file. */
export interface FileHistory {
  /** Returns the history to inject with the content of the file; null when there is none. */
  injectionFor(read: FileRead, signal: AbortSignal): Promise<InjectedText | null>;
  /** Returns the history with the excluded records, regardless of the session; null for a file outside of the project. */
  preview(file: {
    found: FoundProject;
    cwd: string | null;
    path: string;
    timeZone?: string | undefined;
  }): Promise<RenderedContext | null>;
}

/**
 * Maximum number of records that are read, newest first. Some of them are about another file whose path has the same
 * end.
 */
const LIMIT = 60;
/** Limit when records that agents saved could displace the others (requirement S06). */
const FLOODED_LIMIT = 200;

/**
 * Finds the history of a file after an agent has read it. Each file gets it once per session, only inside the project
 * and never in a sub-agent. Records that the session already contains are excluded.
 */
export function createFileHistory({
  memory,
  store,
  freshness,
  findProject,
  settings,
  ledger,
  launcher,
  clock,
}: {
  memory(): Promise<Pick<Memory, 'findByFile'>>;
  store: Pick<Store, 'findSession'>;
  freshness: Pick<Freshness, 'label'>;
  findProject: ProjectFinder;
  settings: () => Settings;
  ledger: SessionLedger;
  launcher: string;
  clock: Clock;
}): FileHistory {
  const recordsOf = async (found: FoundProject, file: string): Promise<readonly Observation[]> => {
    if (found.project === null) return [];
    const searched = await memory();
    const { key } = found.project;
    const names = ({ filesModified, filesRead }: Observation) =>
      filesModified.includes(file) || filesRead.includes(file);
    const newest = async (limit: number) => {
      const { items } = await searched.findByFile(file, { project: key, limit });
      return items.map(({ item }) => item).filter(names);
    };
    const records = await newest(LIMIT);
    const isFlooded = records.filter(isSavedByAgent).length > MAX_AGENT_RECORDS_BESIDE;
    return freshness.label(isFlooded ? await newest(FLOODED_LIMIT) : records, { root: found.root });
  };
  const render = (file: string, observations: readonly Observation[], timeZone?: string) =>
    renderFileHistory({
      file,
      observations,
      ...renderOptions(settings(), clock, timeZone),
      howToReadMore: `Complete record: \`${shellWord(launcher)} show ID\`.`,
    });

  return {
    async injectionFor(read, signal) {
      const { enabled, fileHistory } = settings();
      if (!enabled || !fileHistory || read.agentId !== null) return null;
      const found = findProject(read);
      if (found.isExcluded) return null;
      const file = await fileInProject(found, read);
      if (file === null || !ledger.mayProvide(read, file)) return null;
      const records = await recordsOf(found, file);
      if (records.length === 0) return null;
      const session = await store.findSession(read);
      const provided = ledger.providedIds(read);
      const since = ledger.historySince(read);
      const newRecords = records.filter(
        ({ id, sessionId, createdAtEpoch }) =>
          !provided.has(id) && !(sessionId === session?.id && createdAtEpoch >= since),
      );
      const { text, tokens, shown } = render(file, newRecords);
      // Another read of this file may have been answered meanwhile, or this response may be too late.
      if (text === '' || signal.aborted || !ledger.mayProvide(read, file)) return null;
      ledger.markProvided(read, { file, ids: shown });
      return { text, tokens, shown };
    },
    async preview({ found, cwd, path, timeZone }) {
      const file = found.isExcluded ? null : await fileInProject(found, { cwd, path });
      return file === null ? null : render(file, await recordsOf(found, file), timeZone);
    },
  };
}

/**
 * Returns the path as stored in records: relative to the root, with `/`. Returns null for a file outside of the
 * project, also if a link leads there.
 */
async function fileInProject(
  { root }: FoundProject,
  { cwd, path }: { cwd: string | null; path: string },
): Promise<string | null> {
  const named = absolutePathOf(path, { cwd });
  if (root === null || named === null) return null;
  const file = relative(root, await realpath(named).catch(() => named));
  const isInside = file !== '' && file !== '..' && !file.startsWith(`..${sep}`) && !isAbsolute(file);
  return isInside ? file.split(sep).join('/') : null;
}
