/** Converts a path of a tool use to the path in a record. Returns null for a path that no record may contain. */
export type PathReader = (path: string, cwd?: string | null) => string | null;

/** Temporary folders and device folders. Their files do not belong to a project. */
const SCRATCH_FOLDERS =
  /^(?:\/private)?\/(?:tmp|var\/tmp|var\/folders|dev|proc|sys)(?:\/|$)|^[A-Za-z]:\/(?:Windows\/)?Temp\//i;
const HOST_FOLDERS =
  /(?:^|\/)\.(?:claude|codex|gemini|cursor|claude-mem|opencode)\/(?:plans|projects|todos|tasks|sessions|tmp|shell-snapshots|file-history|scratchpad)(?:\/|$)/;
const TOOL_FOLDERS = /(?:^|\/)(?:\.git|node_modules|__pycache__|\.venv|\.claude-mem)(?:\/|$)/;
const HOME_FOLDER = /^(?:\/(?:Users|home)\/[^/]+|\/root|[A-Za-z]:\/Users\/[^/]+)(?=\/|$)/;

/**
 * Creates a function that makes paths relative to `projectRoot` or, if they are outside of it, to `workingFolder`. In
 * other paths, `~` replaces the home folder, so that a record contains no user name.
 */
export function createPathReader(projectRoot: string | null, workingFolder: string | null): PathReader {
  const root = projectRoot === null ? null : normalize(projectRoot);
  const folder = workingFolder === null ? null : normalize(workingFolder);
  return (path, cwd = null) => {
    const clean = normalize(path.trim().replace(/^file:\/\//, ''));
    if (clean === '' || clean.length > 400 || /[\n\r\0]/.test(clean)) return null;
    const absolute = resolve(clean, cwd === null ? (folder ?? root) : normalize(cwd));
    const inside = relativeTo(absolute, root) ?? relativeTo(absolute, folder);
    if (inside !== null) {
      return inside === '' || TOOL_FOLDERS.test(inside) || isHostFile(inside) ? null : inside;
    }
    if (SCRATCH_FOLDERS.test(absolute) || TOOL_FOLDERS.test(absolute) || isHostFile(absolute)) return null;
    const shown = absolute.replace(HOME_FOLDER, '~');
    return /^~\/\.(?:claude|codex|gemini)\//.test(shown) ? null : shown;
  };
}

/**
 * Creates a function that returns true when a folder is in the project or in the working folder. The function always
 * returns true when both are null.
 */
export function createProjectTest(
  projectRoot: string | null,
  workingFolder: string | null,
): (folder: string) => boolean {
  const roots = [projectRoot, workingFolder].flatMap((root) =>
    root === null ? [] : [normalize(root), normalize(root).replace(HOME_FOLDER, '~')],
  );
  return (folder) => {
    const absolute = resolve(normalize(folder), roots[0] ?? null);
    return roots.length === 0 || roots.some((root) => relativeTo(absolute, root) !== null);
  };
}

/** Returns true for a path or command word in a temporary folder. */
export function isScratchPath(path: string): boolean {
  return SCRATCH_FOLDERS.test(normalize(path));
}

const isHostFile = (path: string) => HOST_FOLDERS.test(path);

function normalize(path: string): string {
  const slashed = path.replaceAll('\\', '/').replace(/\/{2,}/g, '/');
  return slashed.length > 1 ? slashed.replace(/\/$/, '') : slashed;
}

function resolve(path: string, folder: string | null): string {
  const joined = /^(?:\/|~|[A-Za-z]:\/)/.test(path) || folder === null ? path : `${folder}/${path}`;
  const parts: string[] = [];
  for (const part of joined.split('/')) {
    if (part === '.' || (part === '' && parts.length > 0)) continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..' && parts.at(-1) !== '') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}

function relativeTo(path: string, folder: string | null): string | null {
  if (folder === null || folder === '' || folder === '/') return null;
  const [compared, start] = [foldCase(path), foldCase(folder)];
  if (compared === start) return '';
  return compared.startsWith(`${start}/`) ? path.slice(folder.length + 1) : null;
}

/** Windows ignores the case of a path. One session can contain the same drive as `c:` and `C:`. */
const foldCase = (path: string) =>
  /^[A-Za-z]:/.test(path) ? path.replace(/[A-Za-z]+/g, (letters) => letters.toLowerCase()) : path;
