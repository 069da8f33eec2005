import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';

/** The only place that starts processes: never with a console window of its own, never through a shell. */
export function spawnQuiet(
  command: string,
  args: readonly string[],
  options: Omit<SpawnOptions, 'shell' | 'windowsHide'>,
): ChildProcess {
  return spawn(command, args, { ...options, shell: false, windowsHide: true });
}
