import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { noopLogger } from '@claude-mem/core';
import { expect, it } from 'vitest';
import { createTestHome, send } from '../testing/start-test-worker.js';
import { createViewer } from './create-viewer.js';

const log = noopLogger;

it('calls onOpened when a browser requests the page, but not for assets or when the viewer is not installed', async () => {
  using home = createTestHome();
  mkdirSync(join(home.root, 'viewer', 'assets'), { recursive: true });
  writeFileSync(join(home.root, 'viewer', 'assets', 'a.js'), '');
  let opened = 0;
  const viewer = createViewer({
    folder: join(home.root, 'viewer'),
    onOpened: () => void (opened += 1),
    log,
  });
  const server = createServer((request, response) => viewer.answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const statusOf = async (path: string) => (await send({ host: '127.0.0.1', port }, { path })).status;
  try {
    expect([await statusOf('/'), opened]).toEqual([404, 0]);
    writeFileSync(join(home.root, 'viewer', 'index.html'), '<!doctype html>');
    expect([await statusOf('/'), opened]).toEqual([200, 1]);
    expect([await statusOf('/assets/a.js'), opened]).toEqual([200, 1]);
  } finally {
    await new Promise((resolve) => server.close(resolve));
    await viewer.close();
  }
});
