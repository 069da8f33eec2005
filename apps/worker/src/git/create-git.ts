import { execFile, spawn } from 'node:child_process';
import { delimiter, isAbsolute } from 'node:path';
import { hasOwnRepository } from '@claude-mem/host-adapters';

/** Null when git did not run to its end, and for a folder that is no checkout of a repository of its own. */
export type RunGit = (
  folder: string,
  args: readonly string[],
  /**
   * `maxBytes`: of the output; more of it counts as a failure. @default 256 KiB
   * `onOutput`: receives the output in parts and without a limit; `stdout` is empty then.
   */
  options: { signal: AbortSignal; input?: string; maxBytes?: number; onOutput?(part: Buffer): void },
) => Promise<{ exitCode: number; stdout: string } | null>;

const MAX_BYTES = 256 * 1024;

/**
 * Runs git in a way that runs nothing that the repository brings along: no hook, no monitor, no transport. Git follows a `.git`
 * that names the repository of another project, so a folder with such a `.git` is refused.
 * @param searchPath where git is looked for; '' is nowhere
 */
export function createGit({ searchPath, home }: { searchPath: string; home: string }): RunGit {
  const safe = ['-c core.fsmonitor=false', '-c core.hooksPath=/dev/null', '--no-pager'].flatMap((option) =>
    option.split(' '),
  );
  const env = {
    // a relative one would be the repository's own folder
    PATH: searchPath.split(delimiter).filter(isAbsolute).join(delimiter),
    HOME: home,
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    // none at all, whatever the repository's settings allow
    GIT_ALLOW_PROTOCOL: '',
  };
  return (folder, args, { signal, input, maxBytes = MAX_BYTES, onOutput }) => {
    if (searchPath === '' || !hasOwnRepository(folder)) return Promise.resolve(null);
    const options = { cwd: folder, env, signal, windowsHide: true } as const;
    return new Promise((resolve) => {
      const end = (exitCode: unknown, stdout: string) =>
        resolve(typeof exitCode === 'number' ? { exitCode, stdout } : null);
      const start = () => {
        if (onOutput === undefined)
          return execFile('git', [...safe, ...args], { ...options, maxBuffer: maxBytes }, (error, stdout) =>
            end(error === null ? 0 : error.code, stdout),
          );
        const child = spawn('git', [...safe, ...args], { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
        child.stdout.on('data', onOutput);
        return child.on('error', () => end(null, '')).on('close', (exitCode) => end(exitCode, ''));
      };
      const { stdin } = start();
      stdin?.on('error', () => undefined); // it may end without reading
      stdin?.end(input ?? '');
    });
  };
}
