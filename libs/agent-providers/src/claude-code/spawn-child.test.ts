import { isProcessAlive } from '@claude-mem/core/is-process-alive';
import { expect, it } from 'vitest';
import { spawnChild } from './spawn-child.js';

const start = (script: string) =>
  spawnChild({ command: 'node', args: ['-e', script], env: { PATH: process.env['PATH'] } });

const STUBBORN = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('ready')`;
const ready = (child: ReturnType<typeof start>) =>
  new Promise<void>((resolve) => child.process.stdout.once('data', () => resolve()));

it('sends no signal when the child exits at the end of its input', async () => {
  const child = start(`process.stdin.resume(); process.stdin.on('end', () => process.exit(3))`);
  await child.close(10_000);
  expect(child.end()).toMatchObject({ code: 3, signal: null });
});

it('B024: kills a child that ignores the end of its input and SIGTERM after the grace time', async () => {
  const child = start(STUBBORN);
  await ready(child);
  await child.close(100);
  expect(child.end()).toMatchObject({ code: null, signal: 'SIGKILL' });
  expect(isProcessAlive(child.process.pid!)).toBe(false);
});

it('B024: sends SIGTERM before SIGKILL when a child is stopped', async () => {
  const polite = start(
    `process.on('SIGTERM', () => process.exit(5)); setInterval(() => {}, 1000); console.log('ready')`,
  );
  const stubborn = start(STUBBORN);
  await Promise.all([ready(polite), ready(stubborn)]);
  await Promise.all([polite.stop(10_000), stubborn.stop(50)]);
  expect(polite.end()).toMatchObject({ code: 5 });
  expect(stubborn.end()).toMatchObject({ signal: 'SIGKILL' });
});

it('does not wait for a grandchild that holds the pipes', async () => {
  const child = start(
    `require('child_process').spawn('sleep', ['20'], { stdio: 'inherit', detached: true }).unref(); process.exit(0)`,
  );
  await child.gone;
  expect(child.end()).toMatchObject({ code: 0 });
});

it.each(['stop', 'close'] as const)(
  'B024: stops the processes that the child has started: %s',
  async (how) => {
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
  },
);

it('resolves at once when the program cannot be started', async () => {
  const child = spawnChild({ command: '/nowhere/claude', args: [], env: {} });
  expect(await child.gone).toMatchObject({ code: null, error: { code: 'ENOENT' } });
  await child.close(1);
});

it('stores the first lines of standard error only', async () => {
  const child = start(`console.error('error: unknown option'); console.error('x'.repeat(100000))`);
  await child.gone;
  expect(child.errorOutput()).toMatch(/^error: unknown option\n/);
  expect(child.errorOutput().length).toBeLessThanOrEqual(4_000);
});
