import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createShortTimeoutLink, startFakeWorker } from './testing/fake-worker.js';
import { createTestHome } from './testing/run-inside.js';

it('reads without the worker after one request when the worker never answers', async () => {
  using home = createTestHome();
  home.connectWith(createShortTimeoutLink);
  const asked: string[] = [];
  await using _hanging = await startFakeWorker(join(home.dataDir, 'worker.sock'), ({ path }) =>
    asked.push(path),
  );
  const queue = await home.run(['queue']);
  expect(queue).toMatchObject({ exit: 0, stdout: 'The queue is empty.\n' });
  expect(queue.stderr).toMatch(
    /^Note: read without the worker\. The worker does not answer .*claude-mem restart$/m,
  );
  expect(asked).toHaveLength(1);
  const status = await home.run(['status']);
  expect(status).toMatchObject({
    exit: 3,
    stdout: expect.stringMatching(/^worker +it does not answer; claude-mem restart$/m) as string,
  });
  expect(asked).toHaveLength(2);
});

it('doctor suggests a restart when the worker never answers', async () => {
  using home = createTestHome();
  home.connectWith(createShortTimeoutLink);
  await using _hanging = await startFakeWorker(join(home.dataDir, 'worker.sock'), () => undefined);
  mkdirSync(join(home.dataDir, 'spool'));
  writeFileSync(join(home.dataDir, 'spool', 'one.json'), '');
  const { stdout } = await home.run(['doctor']);
  expect(stdout).toMatch(/^warn +worker +does not answer\n +→ Run: claude-mem restart$/m);
  expect(stdout).toMatch(/^warn +spool +1 event waiting for the worker\n +→ Run: claude-mem restart$/m);
});
