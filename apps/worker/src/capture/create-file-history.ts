import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { shellWord, type Clock, type Observation, type Store } from '@claude-mem/core';
import { renderFileHistory, type SessionContext as RenderedContext } from '@claude-mem/context-render';
import { absolutePathOf, type FileQuestion } from '@claude-mem/host-adapters';
import type { Memory } from '@claude-mem/search';
import type { Settings } from '@claude-mem/settings';
import type { FoundProject, ProjectFinder } from './create-project-finder.js';
import type { SessionLedger } from './create-session-ledger.js';
import { textOptions } from './text-options.js';

export interface FileHistory {
  /** What the agent is told before it reads a file; '' for nothing. */
  textFor(question: FileQuestion, signal: AbortSignal): Promise<string>;
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

/**
 * Tells the history of a file when it is about to be read: once in a session, only of files of the project, never to a sub-agent,
 * and nothing that the session was given or did itself.
 */
export function createFileHistory({
  memory,
  store,
  findProject,
  settings,
  ledger,
  launcher,
  clock,
}: {
  memory(): Promise<Pick<Memory, 'findByFile'>>;
  store: Pick<Store, 'findSession'>;
  findProject: ProjectFinder;
  settings: () => Settings;
  ledger: SessionLedger;
  launcher: string;
  clock: Clock;
}): FileHistory {
  const recordsOf = async (found: FoundProject, file: string): Promise<readonly Observation[]> => {
    if (found.project === null) return [];
    const searched = await memory();
    const { items } = await searched.findByFile(file, { project: found.project.key, limit: LOOKED_AT });
    const names = ({ filesModified, filesRead }: Observation) =>
      filesModified.includes(file) || filesRead.includes(file);
    return items.map(({ item }) => item).filter(names);
  };
  const render = (file: string, observations: readonly Observation[], timeZone?: string) =>
    renderFileHistory({
      file,
      observations,
      ...textOptions(settings(), clock, timeZone),
      howToReadMore: `Whole record: \`${shellWord(launcher)} show ID\`.`,
    });

  return {
    async textFor(question, signal) {
      const { enabled, fileHistory } = settings();
      if (!enabled || !fileHistory || question.agentId !== null) return '';
      const found = findProject(question);
      if (found.isExcluded) return '';
      const file = await fileInProject(found, question);
      if (file === null || !ledger.mayTell(question, file)) return '';
      const records = await recordsOf(found, file);
      if (records.length === 0) return '';
      const session = await store.findSession(question);
      const given = ledger.given(question);
      const since = ledger.remembersSince(question);
      const news = records.filter(
        ({ id, sessionId, createdAtEpoch }) =>
          !given.has(id) && !(sessionId === session?.id && createdAtEpoch >= since),
      );
      const { text, shown } = render(file, news);
      // asked again meanwhile: the answer to the other question is on its way; and what comes too late is not given
      if (text === '' || signal.aborted || !ledger.mayTell(question, file)) return '';
      ledger.told(question, { file, ids: shown });
      return text;
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
