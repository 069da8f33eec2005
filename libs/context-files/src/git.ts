import { existsSync } from 'node:fs';
import { basename, isAbsolute, join, resolve } from 'node:path';

/**
 * Runs git in a folder, without anything that the repository brings along.
 * @returns null when it did not run to its end
 */
export type Git = (
  folder: string,
  args: readonly string[],
  input?: string,
) => Promise<{ exitCode: number; stdout: string } | null>;

/** What git knows of some paths of a checkout, relative to its root. */
export interface GitKnowledge {
  /** Those that it keeps. */
  tracked: ReadonlySet<string>;
  /** Those that it leaves alone. */
  ignored: ReadonlySet<string>;
  /** Those that a `.gitignore` has it show, which the file of patterns cannot change. */
  shown: ReadonlySet<string>;
  /** The file of patterns that stay on this machine. */
  excludeFile: string;
}

export interface Checkout {
  /** Null when it cannot be told. */
  about(paths: readonly string[]): Promise<GitKnowledge | null>;
  /** Of the paths those that git leaves alone; null when it cannot be told. */
  ignored(paths: readonly string[]): Promise<ReadonlySet<string> | null>;
}

/** Null where there is no repository. */
export function openCheckout(root: string, git: Git): Checkout | null {
  if (!existsSync(join(root, '.git'))) return null;
  const decided = async (paths: readonly string[]) => {
    if (paths.length === 0) return decisionsIn('');
    const answer = await git(root, ['check-ignore', '-v', '-z', '--stdin'], paths.join('\0'));
    return answer === null || answer.exitCode > 1 ? null : decisionsIn(answer.stdout);
  };
  const tracked = async (paths: readonly string[]) => {
    const answer = await git(root, ['ls-files', '-z', '--', ...paths.map((path) => `:(literal)${path}`)]);
    return answer?.exitCode === 0 ? pathsIn(answer.stdout) : null;
  };
  const excludeFile = async () => {
    const answer = await git(root, ['rev-parse', '--git-path', 'info/exclude']);
    const path = answer?.exitCode === 0 ? answer.stdout.replace(/\n$/, '') : '';
    return path === '' ? null : resolve(root, path);
  };
  return {
    ignored: async (paths) => (await decided(paths))?.ignored ?? null,
    async about(paths) {
      const known = await Promise.all([tracked(paths), decided(paths), excludeFile()]);
      const [kept, decisions, file] = known;
      return kept && decisions && file !== null ? { tracked: kept, ...decisions, excludeFile: file } : null;
    },
  };
}

const pathsIn = (output: string) => new Set(output.split('\0').filter((path) => path !== ''));

/** Of each path the file with the last word on it, the line, the pattern, and the path. */
function decisionsIn(output: string): Pick<GitKnowledge, 'ignored' | 'shown'> {
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
