import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  keepPrograms,
  keptVersion,
  rememberPrograms,
  type InstalledPrograms,
} from '@claude-mem/worker-protocol/local';
import type { Logger } from '@claude-mem/core';
import type { DataPaths } from '@claude-mem/settings';
import { isNewerVersion } from './is-newer-version.js';

/**
 * Writes the paths of the programs. Replaces the programs in the data directory, which hosts run, with the programs of this worker when
 * it is newer. An update of the plugin thereby updates the other hosts.
 */
export async function syncPrograms({
  programs,
  version,
  paths,
  log,
}: {
  programs: InstalledPrograms | undefined;
  version: string;
  paths: DataPaths;
  log: Logger;
}): Promise<void> {
  try {
    if (programs) rememberPrograms(paths, programs);
  } catch (error) {
    log.warn({ error }, 'The paths of the programs cannot be written');
  }
  if (!programs?.command || !programs.worker) return;
  const worker = dirname(dirname(programs.worker));
  const mcpServer = join(dirname(worker), 'mcp-server');
  try {
    const current = await keptVersion(paths.dataDir);
    if (current === null || !isNewerVersion(version, current) || !existsSync(join(mcpServer, 'dist'))) return;
    const hooksCli = dirname(dirname(programs.command));
    await keepPrograms(paths.dataDir, { 'hooks-cli': hooksCli, worker, 'mcp-server': mcpServer });
    log.info({ from: current, to: version }, 'The programs that hosts run were updated');
  } catch (error) {
    log.warn({ error }, 'The programs that hosts run cannot be updated');
  }
}
