import { existsSync, realpathSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { expandPath } from './data-paths.js';
import { SettingsError } from './settings-error.js';

export interface FindDataDirOptions {
  /** The environment of the process. */
  env: Readonly<Record<string, string | undefined>>;
  /** Home folder of the user. */
  home: string;
  /** Current folder of a hook, a command or the MCP server. Not set for the worker, which runs in the data folder. */
  cwd?: string | undefined;
}

/** Variables in which hosts pass the folder of the project. The same list is in hook.sh. */
const PROJECT_VARIABLES = ['CLAUDE_PROJECT_DIR', 'CURSOR_PROJECT_DIR', 'GEMINI_PROJECT_DIR'];

/**
 * Returns the data folder: `CLAUDE_MEM_DATA_DIR`, or `.claude-mem` in the home folder. A cloned repository can set the environment,
 * so a folder that the repository could contain is refused. hook.sh implements the same rule.
 * @throws SettingsError `settings/no-home`, `settings/refused-folder`
 */
export function findDataDir({ env, home, cwd }: FindDataDirOptions): string {
  const refuse = (
    subject: string,
    reason: string,
    advice = 'Set the variable to an absolute path outside of projects, in a folder that you own.',
  ) => {
    throw new SettingsError('settings/refused-folder', `${subject} cannot be used: ${reason}. ${advice}`);
  };
  const ownHome = findOwnHome();
  const projects =
    cwd === undefined ? [] : [cwd, ...PROJECT_VARIABLES.flatMap((name) => env[name] || [])].map(realPath);
  const requested = env['CLAUDE_MEM_DATA_DIR']?.trim() ? (env['CLAUDE_MEM_DATA_DIR'] ?? '') : '~/.claude-mem';
  if (home === '' && !isAbsolute(requested))
    throw new SettingsError('settings/no-home', 'The home folder is not known: set HOME.');
  const dataDir = expandPath(requested, home);
  for (const [subject, folder] of [
    [`The home folder ${home} (HOME)`, home],
    [`The data folder ${requested} (CLAUDE_MEM_DATA_DIR)`, requested.startsWith('~') ? dataDir : requested],
  ] as const) {
    if (folder === '') continue;
    if (!isAbsolute(folder)) refuse(subject, 'it is not an absolute path');
    const real = realPath(folder);
    if (isInside('/proc', folder) || isInside('/proc', real)) refuse(subject, 'it depends on the process');
    const project = findProject(real, projects, ownHome);
    if (project === real && project === projects[0])
      refuse(
        subject,
        'it is the current folder, which could be a cloned repository',
        'Run the command in another folder, or set the variable to another folder.',
      );
    if (project !== null) refuse(subject, `it is inside the project ${project}`);
  }
  if (!isOwn(dataDir, ownHome))
    refuse(`The data folder ${dataDir} (CLAUDE_MEM_DATA_DIR)`, 'it belongs to another user');
  return dataDir;
}

/** Returns the home folder of the user database of the system. Null when the user is not in the database. */
function findOwnHome(): string | null {
  try {
    return realPath(userInfo().homedir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return null;
  }
}

/** Returns the project or git repository that contains the folder. A folder that contains the home folder is no project. */
function findProject(folder: string, projects: readonly string[], ownHome: string | null): string | null {
  const isProject = (path: string) =>
    path !== dirname(path) && isInside(path, folder) && (ownHome === null || !isInside(path, ownHome));
  // users may keep the default data folder in git
  const defaultValue = ownHome === null ? null : join(ownHome, '.claude-mem');
  const repositories = [folder, ...listParents(folder)].filter(
    (path) => path !== defaultValue && existsSync(join(path, '.git')),
  );
  return [...projects, ...repositories].find(isProject) ?? null;
}

function isOwn(folder: string, ownHome: string | null): boolean {
  if (process.geteuid === undefined || !existsSync(folder)) return true;
  if (statSync(folder).uid === process.geteuid()) return true;
  return ownHome !== null && isInside(ownHome, realPath(folder));
}

/** Whether the path is the folder or is below it. */
function isInside(folder: string, path: string): boolean {
  const rest = relative(folder, path);
  return rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest);
}

function listParents(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...listParents(parent)];
}

/** Resolves links in the path. The last folders need not exist. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), relative(parent, path));
  }
}
