import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { keptPrograms, type ProgramFolders } from '@claude-mem/worker-protocol/local';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command.js';
import { findMcpServer } from './find-mcp-server.js';
import { findWorkerMain } from './find-worker-main.js';

/** What hosts are told to run. */
export interface HostPrograms {
  /** Holds hook.sh and claude-mem.js. */
  ownFolder: string;
  /** Null when there is none. */
  mcpServer: string | null;
  /** What has to be kept in the data directory first, where these programs will not stay where they are. */
  keepFrom: ProgramFolders | null;
}

/** Folders that go away with an update or a clean-up: of plugins that Claude Code copied, of npx and the like. */
const PASSING = /[\\/](?:plugins[\\/](?:cache|marketplaces|repos)|_npx|dlx(?:-[^\\/]*)?|bunx-[^\\/]*)[\\/]/;

/** This program and those beside it, or where they will lie when they are kept. */
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
  const kept = keptPrograms(dataDir);
  const isKept = isBeside(ownFolder, kept['hooks-cli']);
  if (!(isKept || PASSING.test(resolve(ownFolder))) || mcpServer === null || worker === null)
    return { ownFolder, mcpServer, keepFrom: null };
  return {
    ownFolder: join(kept['hooks-cli'], 'dist'),
    mcpServer: join(kept['mcp-server'], 'dist', 'mcp-server.js'),
    keepFrom: isKept
      ? null
      : {
          'hooks-cli': dirname(ownFolder),
          worker: dirname(dirname(worker)),
          'mcp-server': dirname(dirname(mcpServer)),
        },
  };
}

/** True for this program as it was kept, also when a newer one is the current one. */
function isBeside(ownFolder: string, keptFolder: string): boolean {
  if (!existsSync(keptFolder)) return false;
  const [own, kept] = [realpathSync(dirname(ownFolder)), realpathSync(keptFolder)];
  return dirname(dirname(own)) === dirname(dirname(kept));
}
