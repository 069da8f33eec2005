import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** One run of a process: numbers are used again, moments of start are not. */
export interface ProcessStamp {
  pid: number;
  /** Null where the system does not tell. */
  startedAt: string | null;
}

/** Null when no such process runs. */
export function stampOf(pid: number): ProcessStamp | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null;
  }
  return { pid, startedAt: startOf(pid) };
}

export function isRunning(stamp: ProcessStamp): boolean {
  const now = stampOf(stamp.pid);
  return now !== null && now.startedAt !== ENDED && now.startedAt === stamp.startedAt;
}

const ENDED = 'ended';

function startOf(pid: number): string | null {
  if (process.platform === 'win32') return null;
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
        encoding: 'utf8',
        windowsHide: true,
      }).trim();
    // the name of the program is in brackets and may hold anything; state is the first field behind it, start the twentieth
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    return fields[0] === 'Z' ? ENDED : fields[19]!;
  } catch {
    return null;
  }
}
