import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Store, ProjectFinder, Logger } from '@claude-mem/core';
import { createContextFiles, type ContextFiles, type ContextFileOptions } from '@claude-mem/context-files';
import type { DataPaths, Settings } from '@claude-mem/settings';
import { renderOptions } from '@claude-mem/capture';
import type { RunGit } from '@claude-mem/freshness';

/** Settings that affect context files. A change updates all of them. */
export const CONTEXT_FILE_SETTINGS: readonly (keyof Settings)[] = [
  'enabled',
  'claudeMd',
  'claudeMdFolders',
  'cursorRules',
  'contextTokens',
  'excludedProjects',
  'mode',
];

const GIT_TIMEOUT_MS = 10_000;

/** Opens the context files with the settings, the projects and git. */
export function openContextFiles({
  store,
  settings,
  findProject,
  git,
  home,
  paths,
  settingsChanged,
  clock,
  log,
  signal,
}: {
  store: Store;
  settings: () => Settings;
  findProject: ProjectFinder;
  git: RunGit;
  home: string;
  paths: DataPaths;
  settingsChanged(options: { signal: AbortSignal }): Promise<void>;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
}): ContextFiles {
  const files = createContextFiles({
    store,
    fileOptions: () => contextFileOptionsOf(settings(), clock),
    resolveCheckout(folder) {
      const { project, root, isExcluded } = findProject({ projectDir: folder, cwd: null });
      if (project === null || root === null || isExcluded || !settings().enabled) return null;
      return { root, projectKey: project.key };
    },
    git: (folder, args, input = '') =>
      git(folder, args, { input, signal: AbortSignal.any([signal, AbortSignal.timeout(GIT_TIMEOUT_MS)]) }),
    isCursorInstalled: () => existsSync(join(home, '.cursor')),
    ledgerFile: paths.contextFilesLedger,
    clock,
    logger: log,
    signal,
  });
  return {
    ...files,
    async run() {
      await Promise.all([files.run(), lookAtAll()]);
    },
  };

  /** At the start, for changes while no worker was running, and whenever the settings change. */
  async function lookAtAll() {
    while (!signal.aborted) {
      files.wakeAll();
      await settingsChanged({ signal });
    }
  }
}

function contextFileOptionsOf(settings: Settings, clock: Clock): ContextFileOptions {
  const { claudeMd, claudeMdFolders, cursorRules, contextTokens } = settings;
  const { timeZone, emojis } = renderOptions(settings, clock);
  return { claudeMd, claudeMdFolders, cursorRules, rulesTokens: contextTokens, timeZone, emojis };
}
