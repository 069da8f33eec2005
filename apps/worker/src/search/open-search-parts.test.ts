import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noopLogger, systemClock } from '@claude-mem/core';
import { loadSettings } from '@claude-mem/settings';
import { openStorage, StorageError } from '@claude-mem/storage';
import { expect, it } from 'vitest';
import type { WorkerLog } from '../log/create-log.js';
import { openSearchParts } from './open-search-parts.js';

const log: WorkerLog = { ...noopLogger, isDebug: false, with: () => log };

it('searches where nothing can be written, such as on a full disk', async () => {
  const home = mkdtempSync(join(tmpdir(), 'cm-parts-'));
  try {
    const { settings, paths } = loadSettings({ env: { CLAUDE_MEM_DATA_DIR: home }, home });
    await using storage = await openStorage({ file: paths.database, backupsDir: paths.backupsDir });
    await storage.store.importObservations(
      [
        {
          ...{
            uid: 'u-1',
            project: '/shop',
            session: null,
            promptNumber: 0,
            createdAtEpoch: 1,
            type: 'bugfix',
          },
          ...{ title: 'The webhook is signed', subtitle: null, narrative: null, facts: [], concepts: [] },
          ...{ filesRead: [], filesModified: [] },
        },
      ],
      { now: 1 },
    );
    const useTarget = async () => {
      throw new StorageError('storage/write-failed', 'the disk is full');
    };
    const full = { ...storage, vectors: { ...storage.vectors, useTarget } };
    const parts = await openSearchParts({ paths, settings, storage: full, clock: systemClock, log });
    const { items } = await (await parts.memory()).search({ query: 'webhook' });
    expect(items).toHaveLength(1);
    expect(parts.sync).not.toBeNull();
    await parts.close();
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
