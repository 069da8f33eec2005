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
import { textOptions } from './text-options.js';

/** An agent has read a file. `path` is absolute, or relative to `cwd`. */
type FileRead = Pick<HostEvent, 'host' | 'contentSessionId' | 'cwd' | 'projectDir' | 'agentId'> & {
  path: string;
};

export interface FileHistory {
  /** The history that the agent gets with the content of the file; null for none. */
  injectionFor(read: FileRead, signal: AbortSignal): Promise<InjectedText | null>;
  /** The same for anyone, with what was left out; null for a file outside of the project. */
  preview(file: {
    found: FoundProject;
    cwd: string | null;
    path: string;
    timeZone?: string | undefined;
  }): Promise<RenderedContext | null>;
}

/** So many of the newest that name a file are looked at; their end may be that of another file's path. */
const LOOKED_AT = 60;
/** S06: so many when records that agents saved could leave no place for others. */
const LOOKED_AT_AT_MOST = 200;

/**
 * Provides the history of a file when an agent has read it: once in a session, only for files of the project, never to a
 * sub-agent, and without records that the session already has.
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
    const records = await newest(LOOKED_AT);
    const isFlooded = records.filter(isSavedByAgent).length > MAX_AGENT_RECORDS_BESIDE;
    return freshness.label(isFlooded ? await newest(LOOKED_AT_AT_MOST) : records, { root: found.root });
  };
  const render = (file: string, observations: readonly Observation[], timeZone?: string) =>
    renderFileHistory({
      file,
      observations,
      ...textOptions(settings(), clock, timeZone),
      howToReadMore: `Whole record: \`${shellWord(launcher)} show ID\`.`,
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
      const given = ledger.providedIds(read);
      const since = ledger.historySince(read);
      const news = records.filter(
        ({ id, sessionId, createdAtEpoch }) =>
          !given.has(id) && !(sessionId === session?.id && createdAtEpoch >= since),
      );
      const { text, tokens, shown } = render(file, news);
      // another read of the file may have been answered meanwhile, or this answer is too late
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

/** As records name it: from the project's root, with `/`. Null for what lies, or leads, outside of it. */
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
