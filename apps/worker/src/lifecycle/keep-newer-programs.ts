import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { keepPrograms, keptVersion, type InstalledPrograms } from '@claude-mem/worker-protocol/local';
import type { Logger } from '@claude-mem/core';
import { isNewerVersion } from './is-newer-version.js';

/**
 * Where hosts run programs that are kept in the data directory, those become this worker's when it is newer: the plugin's own
 * start brings the other hosts up to date.
 */
export async function keepNewerPrograms({
  programs,
  version,
  dataDir,
  log,
}: {
  programs: InstalledPrograms | undefined;
  version: string;
  dataDir: string;
  log: Logger;
}): Promise<void> {
  if (!programs?.command || !programs.worker) return;
  const worker = dirname(dirname(programs.worker));
  const mcpServer = join(dirname(worker), 'mcp-server');
  try {
    const kept = await keptVersion(dataDir);
    if (kept === null || !isNewerVersion(version, kept) || !existsSync(join(mcpServer, 'dist'))) return;
    const hooksCli = dirname(dirname(programs.command));
    await keepPrograms(dataDir, { 'hooks-cli': hooksCli, worker, 'mcp-server': mcpServer });
    log.info({ from: kept, to: version }, 'The programs that hosts run are brought up to date');
  } catch (error) {
    log.warn({ error }, 'The programs that hosts run cannot be brought up to date');
  }
}
