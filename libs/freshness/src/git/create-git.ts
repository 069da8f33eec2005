import { spawn } from 'node:child_process';
import { delimiter, isAbsolute } from 'node:path';
import { hasOwnRepository } from '@claude-mem/host-adapters';

/**
 * Runs git in a folder. Resolves to null when git could not run to its end, or when the folder is not a checkout of
 * its own repository.
 */
export type RunGit = (
  folder: string,
  args: readonly string[],
  /**
   * `maxBytes`: maximum size of the output; larger output counts as a failure. @default 256 KiB
   * `onOutput`: receives the output in parts without a limit; `stdout` is then empty.
   */
  options: { signal: AbortSignal; input?: string; maxBytes?: number; onOutput?(part: Buffer): void },
) => Promise<{ exitCode: number; stdout: string } | null>;

const MAX_BYTES = 256 * 1024;

/**
 * Creates a function that runs git without running any program that the repository configures, such as a hook, a
 * monitor or a transport. Git follows a `.git` file that names the repository of another project. A folder with such
 * a file is refused.
 * @param options.searchPath PATH in which git is searched. With '', git is never run.
 * @param options.home HOME of the git process
 */
export function createGit({ searchPath, home }: { searchPath: string; home: string }): RunGit {
  const safe = ['-c core.fsmonitor=false', '-c core.hooksPath=/dev/null', '--no-pager'].flatMap((option) =>
    option.split(' '),
  );
  const env = {
    // A relative folder in PATH would be a folder of the repository.
    PATH: searchPath.split(delimiter).filter(isAbsolute).join(delimiter),
    HOME: home,
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    // No protocol is allowed, regardless of the settings of the repository.
    GIT_ALLOW_PROTOCOL: '',
  };
  return (folder, args, { signal, input, maxBytes = MAX_BYTES, onOutput }) => {
    if (searchPath === '' || !hasOwnRepository(folder)) return Promise.resolve(null);
    return new Promise<Awaited<ReturnType<RunGit>>>((resolve) => {
      const child = spawn('git', [...safe, ...args], {
        cwd: folder,
        env,
        signal,
        windowsHide: true,
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      const parts: Buffer[] = [];
      let size = 0;
      const collect = (part: Buffer) => {
        size += part.length;
        if (size > maxBytes) child.kill();
        else parts.push(part);
      };
      child.stdout.on('data', onOutput ?? collect);
      child.on('error', () => resolve(null));
      child.on('close', (exitCode) =>
        resolve(
          exitCode === null || size > maxBytes ? null : { exitCode, stdout: Buffer.concat(parts).toString() },
        ),
      );
      child.stdin.on('error', () => undefined); // Git may end before it reads its input.
      child.stdin.end(input ?? '');
      // The system rejects a file name of more than 128 KiB as an argument.
    }).catch(() => null);
  };
}
