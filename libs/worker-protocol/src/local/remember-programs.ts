import { join } from 'node:path';
import { shellQuote } from '@claude-mem/core';
import { writeFileAtomically } from '@claude-mem/core/write-file';
import { readIfFile } from './read-if-file.js';

/** The file in the data folder that contains the path of the worker program, for hooks without programs beside them. */
export const WORKER_PATH_FILE = 'worker.path';
const NODE_PATH_FILE = 'node.path';
/**
 * Environment variable with the value of CLAUDE_MEM_DATA_DIR before the launcher replaced it. Empty when it was not
 * set.
 */
export const REQUESTED_DATA_DIR = 'CLAUDE_MEM_REQUESTED_DATA_DIR';

export interface InstalledPrograms {
  node: string;
  /** Path of claude-mem.js. Null when it is not installed. */
  command: string | null;
  /** Path of main.js of the worker. Null when it is unknown. */
  worker: string | null;
}

/**
 * Stores the paths of the programs, so that hooks of a host with another PATH find them, and creates the launcher, a
 * command with a constant path. Files with the same content are not written again.
 */
export function rememberPrograms(
  { dataDir, launcher }: { dataDir: string; launcher: string },
  { node, command, worker }: InstalledPrograms,
): void {
  if (command !== null) {
    const program = [node, command].map(shellQuote).join(' ');
    const variables = `${REQUESTED_DATA_DIR}="\${CLAUDE_MEM_DATA_DIR-}" CLAUDE_MEM_DATA_DIR=${shellQuote(dataDir)}`;
    remember(launcher, `#!/bin/sh\n${variables} exec ${program} "$@"`, 0o700);
  }
  remember(join(dataDir, NODE_PATH_FILE), node);
  if (worker !== null) remember(join(dataDir, WORKER_PATH_FILE), worker);
}

function remember(file: string, line: string, mode = 0o600): void {
  const text = `${line}\n`;
  if (readIfFile(file) !== text) writeFileAtomically(file, text, { mode, replaceLink: true });
}
