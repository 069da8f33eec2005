import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Runs git in a folder, without anything that the repository brings along.
 * @returns null when it did not run to its end
 */
export type Git = (
  folder: string,
  args: readonly string[],
  input?: string,
) => Promise<{ exitCode: number; stdout: string } | null>;

/** What git knows of a checkout. */
export interface Checkout {
  /** Of paths relative to the root those that git leaves alone; null when it cannot be told. */
  ignored(paths: readonly string[]): Promise<ReadonlySet<string> | null>;
  /** Whether git keeps the file; null when it cannot be told. */
  isTracked(path: string): Promise<boolean | null>;
  /** The file of patterns that stay on this machine; null when it cannot be told. */
  excludeFile(): Promise<string | null>;
}

/** Null where there is no repository. */
export function openCheckout(root: string, git: Git): Checkout | null {
  if (!existsSync(join(root, '.git'))) return null;
  return {
    async ignored(paths) {
      if (paths.length === 0) return new Set();
      const answer = await git(root, ['check-ignore', '-z', '--stdin'], paths.join('\0'));
      if (answer === null || answer.exitCode > 1) return null;
      return new Set(answer.stdout.split('\0').filter((path) => path !== ''));
    },
    async isTracked(path) {
      const answer = await git(root, ['ls-files', '-z', '--', `:(literal)${path}`]);
      return answer?.exitCode === 0 ? answer.stdout !== '' : null;
    },
    async excludeFile() {
      const answer = await git(root, ['rev-parse', '--git-path', 'info/exclude']);
      const path = answer?.exitCode === 0 ? answer.stdout.replace(/\n$/, '') : '';
      return path === '' ? null : resolve(root, path);
    },
  };
}
