import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { waitFor } from './poll.js';

/** A running process as listed in /proc. */
export interface ProcessInfo {
  pid: number;
  parentPid: number;
  /** R: running. S: sleeping. Z: ended, but its parent has not read the exit code. */
  state: string;
  command: string;
}

/**
 * Returns all processes with this data folder in their environment, and those that run in a folder below it, such as
 * child processes of the observer. Works only on Linux; returns an empty list elsewhere.
 */
export function processesOf(dataDir: string): readonly ProcessInfo[] {
  const wanted = `CLAUDE_MEM_DATA_DIR=${dataDir}`;
  return allProcesses().filter(
    ({ pid }) => environmentOf(pid).includes(wanted) || folderOf(pid).startsWith(`${dataDir}${path.sep}`),
  );
}

/** Returns all descendants of a process. Works only on Linux; returns an empty list elsewhere. */
export function descendantsOf(pid: number): readonly ProcessInfo[] {
  const all = allProcesses();
  const found: ProcessInfo[] = [];
  const search = (parent: number) => {
    for (const child of all.filter(({ parentPid }) => parentPid === parent)) {
      found.push(child);
      search(child.pid);
    }
  };
  search(pid);
  return found;
}

/** Ends every process of this data folder with SIGKILL. */
export async function killLeftovers(dataDir: string): Promise<void> {
  await waitFor(
    () => {
      const left = processesOf(dataDir);
      for (const { pid } of left) kill(pid);
      return left.length === 0;
    },
    { what: `the processes of ${dataDir} to end` },
  );
}

function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function allProcesses(): readonly ProcessInfo[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => infoOf(Number(name)) ?? []);
}

function infoOf(pid: number): ProcessInfo | null {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  // The program name in parentheses can contain parentheses and spaces.
  const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (!state) return null;
  const command = readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
  return { pid, parentPid: Number(parent), state, command };
}

const environmentOf = (pid: number) => readOrEmpty(`/proc/${pid}/environ`).split('\0');

const folderOf = (pid: number) => readOrEmpty(`/proc/${pid}/cwd`, readlinkSync);

/** Returns an empty string when the process has ended meanwhile. */
function readOrEmpty(
  file: string,
  read: (file: string) => string = (name) => readFileSync(name, 'utf8'),
): string {
  try {
    return read(file);
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return '';
    throw error;
  }
}
