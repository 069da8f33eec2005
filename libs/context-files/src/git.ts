import { existsSync } from 'node:fs';
import { basename, isAbsolute, join, resolve } from 'node:path';

/**
 * Runs git in a folder without hooks and settings of the repository.
 * @returns null when git did not exit normally
 */
export type Git = (
  folder: string,
  args: readonly string[],
  input?: string,
) => Promise<{ exitCode: number; stdout: string } | null>;

/** Information about paths, relative to the root of the checkout. */
export interface GitPathInfo {
  /** Paths that git tracks. */
  tracked: ReadonlySet<string>;
  /** Paths that git ignores. */
  ignored: ReadonlySet<string>;
  /** Paths that a `!` pattern of a `.gitignore` includes again. `info/exclude` cannot hide these paths. */
  shown: ReadonlySet<string>;
  /** Path of `info/exclude`. */
  excludeFile: string;
}

export interface Checkout {
  /** Resolves with null when git fails. */
  inspect(paths: readonly string[]): Promise<GitPathInfo | null>;
  /** Returns the paths that git ignores, or null when git fails. */
  ignored(paths: readonly string[]): Promise<ReadonlySet<string> | null>;
}

/** Returns null when the root is not in a repository. */
export function openCheckout(root: string, git: Git): Checkout | null {
  if (!existsSync(join(root, '.git'))) return null;
  const checkIgnored = async (paths: readonly string[]) => {
    if (paths.length === 0) return parseDecisions('');
    const answer = await git(root, ['check-ignore', '-v', '-z', '--stdin'], paths.join('\0'));
    return answer === null || answer.exitCode > 1 ? null : parseDecisions(answer.stdout);
  };
  const tracked = async (paths: readonly string[]) => {
    const answer = await git(root, ['ls-files', '-z', '--', ...paths.map((path) => `:(literal)${path}`)]);
    return answer?.exitCode === 0 ? parsePaths(answer.stdout) : null;
  };
  const excludeFile = async () => {
    const answer = await git(root, ['rev-parse', '--git-path', 'info/exclude']);
    const path = answer?.exitCode === 0 ? answer.stdout.replace(/\n$/, '') : '';
    return path === '' ? null : resolve(root, path);
  };
  return {
    ignored: async (paths) => (await checkIgnored(paths))?.ignored ?? null,
    async inspect(paths) {
      const known = await Promise.all([tracked(paths), checkIgnored(paths), excludeFile()]);
      const [trackedPaths, decisions, file] = known;
      return trackedPaths && decisions && file !== null
        ? { tracked: trackedPaths, ...decisions, excludeFile: file }
        : null;
    },
  };
}

const parsePaths = (output: string) => new Set(output.split('\0').filter((path) => path !== ''));

/** Parses groups of four fields: file of the deciding pattern, line, pattern, path. */
function parseDecisions(output: string): Pick<GitPathInfo, 'ignored' | 'shown'> {
  const fields = output.split('\0');
  const ignored = new Set<string>();
  const shown = new Set<string>();
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [source = '', , pattern = '', path = ''] = fields.slice(at, at + 4);
    if (!pattern.startsWith('!')) ignored.add(path);
    else if (!isAbsolute(source) && basename(source) === '.gitignore') shown.add(path);
  }
  return { ignored, shown };
}
