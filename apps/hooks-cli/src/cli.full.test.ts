import { expect, it } from 'vitest';
import { createProgramHome } from './testing/run-inside.js';

it('stop kills a worker that does not answer, and start starts another one', async () => {
  await using home = createProgramHome();
  await home.run('start');
  const { worker } = JSON.parse((await home.run('status', '--json')).stdout) as { worker: { pid: number } };
  process.kill(worker.pid, 'SIGSTOP');
  expect(await home.run('stop')).toMatchObject({
    exit: 0,
    stdout: 'The worker is stopped; it took SIGKILL.\n',
  });
  expect(await home.run('start')).toMatchObject({ exit: 0 });
});
