import { isProcessAlive } from '@claude-mem/core/is-process-alive';
import { expect, it } from 'vitest';
import { spawnChild } from './spawn-child.js';

const start = (script: string) =>
  spawnChild({ command: 'node', args: ['-e', script], env: { PATH: process.env['PATH'] } });

const STUBBORN = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('ready')`;
const ready = (child: ReturnType<typeof start>) =>
  new Promise<void>((resolve) => child.process.stdout.once('data', () => resolve()));

it('one that ends with its input is not asked twice', async () => {
  const child = start(`process.stdin.resume(); process.stdin.on('end', () => process.exit(3))`);
  await child.close(10_000);
  expect(child.end()).toMatchObject({ code: 3, signal: null });
});

it('B024: one that ignores the end of its input and SIGTERM is killed after its grace time', async () => {
  const child = start(STUBBORN);
  await ready(child);
  await child.close(100);
  expect(child.end()).toMatchObject({ code: null, signal: 'SIGKILL' });
  expect(isProcessAlive(child.process.pid!)).toBe(false);
});

it('B024: one that is stopped is asked first and killed then', async () => {
  const polite = start(
    `process.on('SIGTERM', () => process.exit(5)); setInterval(() => {}, 1000); console.log('ready')`,
  );
  const stubborn = start(STUBBORN);
  await Promise.all([ready(polite), ready(stubborn)]);
  await Promise.all([polite.stop(10_000), stubborn.stop(50)]);
  expect(polite.end()).toMatchObject({ code: 5 });
  expect(stubborn.end()).toMatchObject({ signal: 'SIGKILL' });
});

it('a grandchild that keeps the pipes does not keep us waiting', async () => {
  const child = start(
    `require('child_process').spawn('sleep', ['20'], { stdio: 'inherit', detached: true }).unref(); process.exit(0)`,
  );
  await child.gone;
  expect(child.end()).toMatchObject({ code: 0 });
});

it.each(['stop', 'close'] as const)('B024: what it has started itself is gone with it: %s', async (how) => {
  const child = start(
    `const { pid } = require('child_process').spawn('sleep', ['300'], { stdio: 'ignore' });
     process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log(pid)`,
  );
  const pid = await new Promise<number>((resolve) =>
    child.process.stdout.once('data', (line: Buffer) => resolve(Number(line.toString()))),
  );
  expect(isProcessAlive(pid)).toBe(true);
  await child[how](50);
  await expect.poll(() => isProcessAlive(pid)).toBe(false);
});

it('one that cannot be started is over at once', async () => {
  const child = spawnChild({ command: '/nowhere/claude', args: [], env: {} });
  expect(await child.gone).toMatchObject({ code: null, error: { code: 'ENOENT' } });
  await child.close(1);
});

it('keeps the first words of its standard error, and only those', async () => {
  const child = start(`console.error('error: unknown option'); console.error('x'.repeat(100000))`);
  await child.gone;
  expect(child.said()).toMatch(/^error: unknown option\n/);
  expect(child.said().length).toBeLessThanOrEqual(4_000);
});
