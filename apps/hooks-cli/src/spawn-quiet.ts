import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';

/** Starts a process without a console window and without a shell. The only function that starts processes. */
export function spawnQuiet(
  command: string,
  args: readonly string[],
  options: Omit<SpawnOptions, 'shell' | 'windowsHide'>,
): ChildProcess {
  return spawn(command, args, { ...options, shell: false, windowsHide: true });
}
