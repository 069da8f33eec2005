import { existsSync, realpathSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { expandPath } from './data-paths.js';
import { SettingsError } from './settings-error.js';

export interface FindDataDirOptions {
  /** The environment of the process. */
  env: Readonly<Record<string, string | undefined>>;
  /** The person's home folder. */
  home: string;
  /** Folder that a hook, a command or the MCP server runs in. The worker has none: it runs in the data folder. */
  cwd?: string | undefined;
}

/** Variables in which hosts name the folder of the project; the same as in hook.sh. */
const PROJECT_VARIABLES = ['CLAUDE_PROJECT_DIR', 'CURSOR_PROJECT_DIR', 'GEMINI_PROJECT_DIR'];

/**
 * The data folder: `CLAUDE_MEM_DATA_DIR`, or `.claude-mem` in the home folder. The environment can be that of a cloned
 * repository, so a folder that the repository could contain is refused. The same rule as in hook.sh.
 * @throws SettingsError `settings/no-home`, `settings/refused-folder`
 */
export function findDataDir({ env, home, cwd }: FindDataDirOptions): string {
  const refuse = (
    what: string,
    reason: string,
    advice = 'Set the variable to an absolute path of your own, outside of projects.',
  ) => {
    throw new SettingsError('settings/refused-folder', `${what} cannot be used: ${reason}. ${advice}`);
  };
  const ownHome = findOwnHome();
  const projects =
    cwd === undefined ? [] : [cwd, ...PROJECT_VARIABLES.flatMap((name) => env[name] || [])].map(realPath);
  const asked = env['CLAUDE_MEM_DATA_DIR']?.trim() ? (env['CLAUDE_MEM_DATA_DIR'] ?? '') : '~/.claude-mem';
  if (home === '' && !isAbsolute(asked))
    throw new SettingsError('settings/no-home', 'The home folder is not known: set HOME.');
  const dataDir = expandPath(asked, home);
  for (const [what, folder] of [
    [`The home folder ${home} (HOME)`, home],
    [`The data folder ${asked} (CLAUDE_MEM_DATA_DIR)`, asked.startsWith('~') ? dataDir : asked],
  ] as const) {
    if (folder === '') continue;
    if (!isAbsolute(folder)) refuse(what, 'it is not an absolute path');
    const real = realPath(folder);
    if (isInside('/proc', folder) || isInside('/proc', real)) refuse(what, 'it depends on the process');
    const project = findProject(real, projects, ownHome);
    if (project === real && project === projects[0])
      refuse(
        what,
        'it is the current folder, which could be a cloned repository',
        'Run the command in another folder, or set the variable to another folder.',
      );
    if (project !== null) refuse(what, `it is inside the project ${project}`);
  }
  if (!isOwn(dataDir, ownHome))
    refuse(`The data folder ${dataDir} (CLAUDE_MEM_DATA_DIR)`, 'it belongs to another user');
  return dataDir;
}

/** The home folder that the user database of the system names; null when the user is not in the database. */
function findOwnHome(): string | null {
  try {
    return realPath(userInfo().homedir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return null;
  }
}

/** The project or git repository that is or contains a folder. A folder that contains the person's home is no project. */
function findProject(folder: string, projects: readonly string[], ownHome: string | null): string | null {
  const isProject = (path: string) =>
    path !== dirname(path) && isInside(path, folder) && (ownHome === null || !isInside(path, ownHome));
  // a person may keep the usual data folder in git
  const usual = ownHome === null ? null : join(ownHome, '.claude-mem');
  const repositories = [folder, ...parentsOf(folder)].filter(
    (path) => path !== usual && existsSync(join(path, '.git')),
  );
  return [...projects, ...repositories].find(isProject) ?? null;
}

function isOwn(folder: string, ownHome: string | null): boolean {
  if (process.geteuid === undefined || !existsSync(folder)) return true;
  if (statSync(folder).uid === process.geteuid()) return true;
  return ownHome !== null && isInside(ownHome, realPath(folder));
}

/** Whether a path is a folder or below it. */
function isInside(folder: string, path: string): boolean {
  const rest = relative(folder, path);
  return rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest);
}

function parentsOf(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...parentsOf(parent)];
}

/** The path without links, also of a folder that does not exist yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), relative(parent, path));
  }
}
