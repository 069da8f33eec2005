import { join } from 'node:path';
import { writeFileAtomically } from '@claude-mem/core/write-file';
import { readIfFile } from './read-if-file.js';

/** File of the data directory that tells hooks where the worker's program is, when none is beside them. */
export const WORKER_PATH_FILE = 'worker.path';
const NODE_PATH_FILE = 'node.path';
/** Environment variable with the CLAUDE_MEM_DATA_DIR that the launcher replaced with its own folder. Empty when it was not set. */
export const REQUESTED_DATA_DIR = 'CLAUDE_MEM_REQUESTED_DATA_DIR';

export interface InstalledPrograms {
  node: string;
  /** claude-mem.js; null when it is not installed. */
  command: string | null;
  /** main.js of the worker; null when it is not known. */
  worker: string | null;
}

/**
 * Writes down where the programs are, so that hooks find them from a host with another PATH, and makes the launcher: the
 * command at a place that stays the same. Nothing is written that is there already.
 */
export function rememberPrograms(
  { dataDir, launcher }: { dataDir: string; launcher: string },
  { node, command, worker }: InstalledPrograms,
): void {
  if (command !== null) {
    const program = [node, command].map(quoted).join(' ');
    const variables = `${REQUESTED_DATA_DIR}="\${CLAUDE_MEM_DATA_DIR-}" CLAUDE_MEM_DATA_DIR=${quoted(dataDir)}`;
    remember(launcher, `#!/bin/sh\n${variables} exec ${program} "$@"`, 0o700);
  }
  remember(join(dataDir, NODE_PATH_FILE), node);
  if (worker !== null) remember(join(dataDir, WORKER_PATH_FILE), worker);
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function remember(file: string, line: string, mode = 0o600): void {
  const text = `${line}\n`;
  if (readIfFile(file) !== text) writeFileAtomically(file, text, { mode, replaceLink: true });
}
