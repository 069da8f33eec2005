import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { waitFor } from './poll.js';

/** One running process as /proc tells it. */
export interface ProcessInfo {
  pid: number;
  parentPid: number;
  /** One letter: R running, S sleeping, Z ended but not collected by its parent. */
  state: string;
  command: string;
}

/**
 * Every process that was started with this data directory in its environment, or that works in a folder below it, as
 * an observer's child does. Linux only; elsewhere empty.
 */
export function processesOf(dataDir: string): readonly ProcessInfo[] {
  const wanted = `CLAUDE_MEM_DATA_DIR=${dataDir}`;
  return allProcesses().filter(
    ({ pid }) => environmentOf(pid).includes(wanted) || folderOf(pid).startsWith(`${dataDir}${path.sep}`),
  );
}

/** The children of a process and theirs. Linux only; elsewhere empty. */
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

/** Ends, with SIGKILL, every process that was started for this data directory. */
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
  // the name in brackets may itself hold brackets and spaces
  const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (!state) return null;
  const command = readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
  return { pid, parentPid: Number(parent), state, command };
}

const environmentOf = (pid: number) => readOrEmpty(`/proc/${pid}/environ`).split('\0');

const folderOf = (pid: number) => readOrEmpty(`/proc/${pid}/cwd`, readlinkSync);

/** A process may end between two reads: then there is nothing to read. */
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
