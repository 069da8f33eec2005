import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { noopLogger, systemClock } from '@claude-mem/core';
import { startManagedServer, type ManagedServer } from '../managed/start-managed-server.js';

const installed = path.resolve(
  import.meta.dirname,
  '../../../../../tools/chroma-server/node_modules/chromadb-js-bindings-linux-x64-gnu',
);

/** Bindings that run on this machine; null where they are not installed (see tools/chroma-server). */
export const realBindings = existsSync(installed) ? installed : null;

/** Why tests of a real server are left out, for the title of a skipped one. */
export const NO_BINDINGS = 'no Chroma server is installed here: npm ci --prefix tools/chroma-server';

export function temporaryFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'claude-mem-chroma-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** A running server with a folder of its own. */
export async function startRealServer(): Promise<{ url: string } & AsyncDisposable> {
  const { folder, remove } = temporaryFolder();
  const server: ManagedServer = startManagedServer(
    { dataDir: folder, bindings: realBindings! },
    { logger: noopLogger, clock: systemClock },
  );
  return {
    url: await server.address(),
    async [Symbol.asyncDispose]() {
      await server.close();
      remove();
    },
  };
}
