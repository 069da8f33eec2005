import { createHash } from 'node:crypto';
import type { RunGit } from '@claude-mem/freshness';

/**
 * Reads data of the repository of a checkout with git. Returns undefined or false for a folder with a forged git
 * pointer.
 */
export interface RepositoryReader {
  /** Returns the hash of the remote's URL; null without a remote; undefined when git does not answer. */
  remoteHash(root: string, signal: AbortSignal): Promise<string | null | undefined>;
  /**
   * Returns the id of the first commit. Null means that there is none, or that the clone is shallow. Undefined means
   * that git does not answer.
   */
  rootCommit(root: string, signal: AbortSignal): Promise<string | null | undefined>;
  hasCommit(root: string, id: string, signal: AbortSignal): Promise<boolean>;
}

const MAX_ADDRESS = 2_048;

export function createRepositoryReader(run: RunGit): RepositoryReader {
  return {
    async remoteHash(root, signal) {
      // Included files can contain the configuration of another repository.
      const list = ['config', '--local', '--no-includes', '--get-regexp', '^remote\\..*\\.url$'];
      const answer = await run(root, list, { signal });
      if (answer === null || answer.exitCode > 1) return undefined;
      const remotes = [...answer.stdout.matchAll(/^remote\.(.+)\.url (.+)$/gm)];
      const remote =
        remotes.find(([, name]) => name === 'origin') ?? (remotes.length === 1 ? remotes[0] : undefined);
      const address = remote?.[2]?.trim() ?? '';
      return address === '' || address.length > MAX_ADDRESS ? null : hashOf(plainAddress(address));
    },
    async rootCommit(root, signal) {
      const shallow = await run(root, ['rev-parse', '--is-shallow-repository'], { signal });
      if (shallow === null || shallow.exitCode !== 0) return undefined;
      if (shallow.stdout.trim() === 'true') return null;
      const answer = await run(root, ['rev-list', '--max-parents=0', '--first-parent', 'HEAD', '--'], {
        signal,
      });
      if (answer === null) return undefined;
      return /^[0-9a-f]{40,64}$/m.exec(answer.stdout)?.[0] ?? null;
    },
    async hasCommit(root, id, signal) {
      const answer = await run(root, ['cat-file', '-e', `${id}^{commit}`], { signal });
      return answer?.exitCode === 0;
    },
  };
}

/** Normalizes the URL of a remote to `host/path`, without protocol, credentials, port and `.git`. */
function plainAddress(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  const trimmed = url.slice(0, end).replace(/\.git$/, '');
  const [, host, path] =
    /^[a-z+]+:\/\/(?:[^/@]*@)?([^/:]+)(?::\d+)?\/(.+)$/i.exec(trimmed) ??
    /^(?:[^/@]+@)([^/:]+):\/?(.+)$/.exec(trimmed) ??
    [];
  return host === undefined ? trimmed : `${host.toLowerCase()}/${path}`;
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
