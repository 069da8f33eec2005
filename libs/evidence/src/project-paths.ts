/** Turns a path as a tool saw it into one for a record; null for what no record should name. */
export type PathReader = (path: string, cwd?: string | null) => string | null;

/** Folders whose files are nobody's work: temporary ones, devices, and those a host keeps its own state in. */
const SCRATCH =
  /^(?:\/private)?\/(?:tmp|var\/tmp|var\/folders|dev|proc|sys)(?:\/|$)|^[A-Za-z]:\/(?:Windows\/)?Temp\//i;
const HOST_FOLDERS =
  /(?:^|\/)\.(?:claude|codex|gemini|cursor|claude-mem|opencode)\/(?:plans|projects|todos|tasks|sessions|tmp|shell-snapshots|file-history|scratchpad)(?:\/|$)/;
const INSIDE_TOOLS = /(?:^|\/)(?:\.git|node_modules|__pycache__|\.venv|\.claude-mem)(?:\/|$)/;
const HOME = /^(?:\/(?:Users|home)\/[^/]+|\/root|[A-Za-z]:\/Users\/[^/]+)(?=\/|$)/;

/**
 * Paths below `projectRoot` become relative to it, others below the folder of the work relative to that one, and the
 * rest start with `~` where they lie in a home folder: a record names no user.
 */
export function createPathReader(projectRoot: string | null, workFolder: string | null): PathReader {
  const root = projectRoot === null ? null : normalize(projectRoot);
  const folder = workFolder === null ? null : normalize(workFolder);
  return (path, cwd = null) => {
    const clean = normalize(path.trim().replace(/^file:\/\//, ''));
    if (clean === '' || clean.length > 400 || /[\n\r\0]/.test(clean)) return null;
    const absolute = resolve(clean, cwd === null ? (folder ?? root) : normalize(cwd));
    const inside = below(absolute, root) ?? below(absolute, folder);
    if (inside !== null) {
      return inside === '' || INSIDE_TOOLS.test(inside) || isHostFile(inside) ? null : inside;
    }
    if (SCRATCH.test(absolute) || INSIDE_TOOLS.test(absolute) || isHostFile(absolute)) return null;
    const shown = absolute.replace(HOME, '~');
    return /^~\/\.(?:claude|codex|gemini)\//.test(shown) ? null : shown;
  };
}

/** A test whether a folder lies in the project or in the folder of the work. Always true when both are unknown. */
export function createProjectTest(
  projectRoot: string | null,
  workFolder: string | null,
): (folder: string) => boolean {
  const roots = [projectRoot, workFolder].flatMap((root) =>
    root === null ? [] : [normalize(root), normalize(root).replace(HOME, '~')],
  );
  return (folder) => {
    const absolute = resolve(normalize(folder), roots[0] ?? null);
    return roots.length === 0 || roots.some((root) => below(absolute, root) !== null);
  };
}

/** True for a path or command word that lies in a folder for temporary files. */
export function isScratch(path: string): boolean {
  return SCRATCH.test(normalize(path));
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

function below(path: string, folder: string | null): string | null {
  if (folder === null || folder === '' || folder === '/') return null;
  const [compared, start] = [foldCase(path), foldCase(folder)];
  if (compared === start) return '';
  return compared.startsWith(`${start}/`) ? path.slice(folder.length + 1) : null;
}

/** Windows ignores the case of a path; one session may name a drive as `c:` and `C:`. */
const foldCase = (path: string) =>
  /^[A-Za-z]:/.test(path) ? path.replace(/[A-Za-z]+/g, (letters) => letters.toLowerCase()) : path;
