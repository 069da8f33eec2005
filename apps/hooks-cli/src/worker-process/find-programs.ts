import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { keptPrograms, type ProgramFolders } from '@claude-mem/worker-protocol/local';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command.js';
import { findMcpServer } from './find-mcp-server.js';
import { findWorkerMain } from './find-worker-main.js';

/** Paths that the installer writes to the settings of hosts. */
export interface HostPrograms {
  /** Folder of hook.sh and claude-mem.js. */
  ownFolder: string;
  /** Null when the MCP server is not installed. */
  mcpServer: string | null;
  /** Packages to copy to the data directory first. Null when the programs can run from their current folder. */
  copyFrom: ProgramFolders | null;
}

/** Folders that an update or a cleanup deletes: plugin caches of Claude Code, and caches of npx and similar tools. */
const TEMPORARY_FOLDERS =
  /[\\/](?:plugins[\\/](?:cache|marketplaces|repos)|_npx|dlx(?:-[^\\/]*)?|bunx-[^\\/]*)[\\/]/;

/** Returns the paths of this program and of the MCP server, or of their future copies in the data directory. */
export function findPrograms({
  ownFolder,
  loaded,
}: Pick<CommandContext, 'ownFolder' | 'loaded'>): HostPrograms {
  const hookScript = join(ownFolder, 'hook.sh');
  if (!existsSync(hookScript))
    throw new CliError('cli/failed', `${hookScript} is missing. Install claude-mem again.`);
  const { dataDir } = loaded.paths;
  const mcpServer = findMcpServer(ownFolder);
  const worker = findWorkerMain(ownFolder, dataDir);
  const copies = keptPrograms(dataDir);
  const isCopy = isCopyOf(ownFolder, copies['hooks-cli']);
  if (!(isCopy || TEMPORARY_FOLDERS.test(resolve(ownFolder))) || mcpServer === null || worker === null)
    return { ownFolder, mcpServer, copyFrom: null };
  return {
    ownFolder: join(copies['hooks-cli'], 'dist'),
    mcpServer: join(copies['mcp-server'], 'dist', 'mcp-server.js'),
    copyFrom: isCopy
      ? null
      : {
          'hooks-cli': dirname(ownFolder),
          worker: dirname(dirname(worker)),
          'mcp-server': dirname(dirname(mcpServer)),
        },
  };
}

/** Whether this program runs from a copy in the data directory, even if a newer copy exists. */
function isCopyOf(ownFolder: string, copyFolder: string): boolean {
  if (!existsSync(copyFolder)) return false;
  const [own, copies] = [realpathSync(dirname(ownFolder)), realpathSync(copyFolder)];
  return dirname(dirname(own)) === dirname(dirname(copies));
}
