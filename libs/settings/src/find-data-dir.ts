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
  const refuse = (what: string, reason: string) => {
    throw new SettingsError(
      'settings/refused-folder',
      `${what} cannot be used: ${reason}. Set the variable to an absolute path of your own, outside of projects.`,
    );
  };
  const ownHome = findOwnHome();
  const projects =
    cwd === undefined ? [] : [cwd, ...PROJECT_VARIABLES.flatMap((name) => env[name] || [])].map(realPath);
  const asked = env['CLAUDE_MEM_DATA_DIR']?.trim() ? (env['CLAUDE_MEM_DATA_DIR'] ?? '') : '~/.claude-mem';
  if (home === '' && !isAbsolute(asked))
    throw new SettingsError('settings/no-home', 'The home folder is not known: set HOME.');
  const dataDir = expandPath(asked, home);
  const check = (what: string, folder: string) => {
    if (!isAbsolute(folder)) refuse(what, 'it is not an absolute path');
    const real = realPath(folder);
    if (isInside('/proc', folder) || isInside('/proc', real)) refuse(what, 'it depends on the process');
    return { what, real };
  };
  const named = [
    ...(home === '' ? [] : [check(`The home folder ${home} (HOME)`, home)]),
    check(`The data folder ${asked} (CLAUDE_MEM_DATA_DIR)`, asked.startsWith('~') ? dataDir : asked),
  ];
  const homes = { ownHome, home: home === '' ? null : realPath(home), dataDir: realPath(dataDir) };
  for (const { what, real } of named) {
    const project = findProject(real, projects, homes);
    if (project === null) continue;
    const isOpen = homes.home !== null && isInside(project, homes.home) && !isClosed(dataDir);
    const hint = isOpen
      ? `, and other users may open ${dataDir} (if it is yours: chmod 700 '${dataDir}')`
      : '';
    refuse(what, `it is inside the project ${project}${hint}`);
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

interface Homes {
  ownHome: string | null;
  /** The variable HOME. */
  home: string | null;
  dataDir: string;
}

/**
 * The project or git repository that is or contains a folder. A folder that contains the home folder of the user database
 * is no project. The home folder of HOME, as in a container, needs a data folder that a repository cannot contain.
 */
function findProject(folder: string, projects: readonly string[], homes: Homes): string | null {
  const { ownHome, home, dataDir } = homes;
  const containsOwnHome = (path: string) => ownHome !== null && isInside(path, ownHome);
  const containsHome = (path: string) =>
    home !== null && isInside(path, home) && isInside(home, dataDir) && isClosed(dataDir);
  const project = projects.find(
    (path) =>
      path !== dirname(path) && isInside(path, folder) && !containsHome(path) && !containsOwnHome(path),
  );
  // a person may keep the usual data folder in git
  const usual = ownHome === null ? null : join(ownHome, '.claude-mem');
  const repository = [folder, ...parentsOf(folder)].find(
    (path) =>
      path !== dirname(path) && path !== usual && existsSync(join(path, '.git')) && !containsOwnHome(path),
  );
  return project ?? repository ?? null;
}

/** Whether a folder is missing or only for its owner. Folders from git or from an archive of git are for all users. */
function isClosed(folder: string): boolean {
  if (!existsSync(folder)) return true;
  const found = statSync(folder);
  return found.isDirectory() && (found.mode & 0o077) === 0;
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
