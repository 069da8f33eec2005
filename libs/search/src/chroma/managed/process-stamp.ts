import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Identifies one run of a process: process ids are reused, start times are not. */
export interface ProcessStamp {
  pid: number;
  /** Null when the system does not report it. */
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
    // The program name is in brackets and may contain any character. The state is the first field after it, the start
    // time the twentieth.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    return fields[0] === 'Z' ? ENDED : fields[19]!;
  } catch {
    return null;
  }
}
