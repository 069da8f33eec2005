import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '@claude-mem/settings';
import type { Health } from '@claude-mem/worker-protocol';
import { createLocalWorkerLink, WORKER_PATH_FILE } from '@claude-mem/worker-protocol/local';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createShortTimeoutLink, startFakeWorker } from '../testing/fake-worker.js';
import { startAndWait } from './start-and-wait.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cm-start-'));
});
afterEach(() => rmSync(home, { recursive: true }));

it('suggests a restart when another worker accepts connections and never answers', async () => {
  const env = { HOME: home, CLAUDE_MEM_DATA_DIR: home };
  const loaded = loadSettings({ env, home });
  const main = join(home, 'worker.js');
  // a worker exits with 0 when another one holds the lock
  writeFileSync(main, 'process.exit(0);');
  writeFileSync(join(home, WORKER_PATH_FILE), `${main}\n`);
  await using _hanging = await startFakeWorker(loaded.paths.socket, () => undefined);
  const worker = createShortTimeoutLink(loaded.paths);
  expect(await startAndWait({ loaded, worker, env, ownFolder: home }, { silentMs: 200 })).toEqual({
    kind: 'failed',
    reason: 'It does not answer. Run: claude-mem restart',
  });
});

it('starts another worker when the running one ends before it is ready', async () => {
  const env = { HOME: home, CLAUDE_MEM_DATA_DIR: home };
  const loaded = loadSettings({ env, home });
  const main = join(home, 'worker.js');
  writeFileSync(main, 'console.log("the new one"); process.exit(7);');
  writeFileSync(join(home, WORKER_PATH_FILE), `${main}\n`);
  const link = createLocalWorkerLink(loaded.paths);
  const starting: Health = {
    status: 'starting',
    live: true,
    ready: false,
    version: '0.1.0',
    pid: 1,
    uptimeMs: 1,
    queue: null,
    storage: {},
    notices: [],
  };
  const looks = [() => Promise.resolve(starting)];
  const within = (timeoutMs: number) => {
    const client = link.within(timeoutMs);
    return { ...client, health: () => looks.shift()?.() ?? client.health() };
  };
  const started = await startAndWait({ loaded, worker: { ...link, within }, env, ownFolder: home });
  expect(started).toEqual({ kind: 'failed', reason: 'It ended with 7 and printed:\nthe new one' });
});

it('R07: passes the certificate authorities of the environment to the worker under the name of the setting', async () => {
  const env = { HOME: home, CLAUDE_MEM_DATA_DIR: home, NODE_EXTRA_CA_CERTS: '/etc/company.pem' };
  const loaded = loadSettings({ env, home });
  const main = join(home, 'worker.js');
  writeFileSync(main, 'console.log(process.env.CLAUDE_MEM_CA_FILE); process.exit(7);');
  writeFileSync(join(home, WORKER_PATH_FILE), `${main}\n`);
  const worker = createLocalWorkerLink(loaded.paths);
  expect(await startAndWait({ loaded, worker, env, ownFolder: home }, { usesEnvironment: true })).toEqual({
    kind: 'failed',
    reason: 'It ended with 7 and printed:\n/etc/company.pem',
  });
});

it.each([
  ['a command needs a worker', undefined, 'args: --settings-file-only.'],
  ['the user starts the worker', true, 'node of the environment\nargs: .'],
])(
  'S03, S04: lets the worker use the settings and the Node of the environment only on request: %s',
  async (_, usesEnvironment, printed) => {
    const node = join(home, 'node');
    const script = `#!/bin/sh\necho node of the environment\nexec '${process.execPath}' "$@"\n`;
    writeFileSync(node, script, { mode: 0o755 });
    const env = { HOME: home, CLAUDE_MEM_DATA_DIR: home, CLAUDE_MEM_NODE: node };
    const loaded = loadSettings({ env, home });
    const main = join(home, 'worker.js');
    writeFileSync(main, 'console.log(`args: ${process.argv.slice(2)}.`); process.exit(7);');
    writeFileSync(join(home, WORKER_PATH_FILE), `${main}\n`);
    const worker = createLocalWorkerLink(loaded.paths);
    const options = usesEnvironment === undefined ? {} : { usesEnvironment };
    expect(await startAndWait({ loaded, worker, env, ownFolder: home }, options)).toEqual({
      kind: 'failed',
      reason: `It ended with 7 and printed:\n${printed}`,
    });
  },
);
