import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CheckContext } from './check.js';
import { portCheck, workerCheck } from './worker.js';

const PROBLEM = 'Port 37777 is in use by another program.';

it('reports a port in use only in the port check', async () => {
  const health = {
    ready: true,
    pid: 1,
    notices: [PROBLEM],
    problems: [{ code: 'port-taken', severity: 'warning', message: PROBLEM, action: 'Take another port.' }],
    observer: { problem: null },
    tcp: { isListening: false, port: 37777, problem: PROBLEM },
  };
  const loaded = { paths: { database: join(tmpdir(), 'none.db') }, settings: { workerPort: 37777 } };
  const context = { health, loaded } as unknown as CheckContext;
  expect(await workerCheck.run(context)).toMatchObject({ state: 'ok' });
  expect(await portCheck.run(context)).toMatchObject({
    state: 'warn',
    detail: PROBLEM,
    fix: 'Take another port.',
  });
});

it('prints the actions that the worker suggests, or the notices when the worker is older', async () => {
  const locked = {
    code: 'folder-not-locked',
    severity: 'warning',
    message: 'Not locked.',
    action: 'Move it.',
  };
  const failing = {
    code: 'capture-failing',
    severity: 'error',
    message: 'Not stored.',
    action: 'Make room, then run: claude-mem restart',
  };
  const run = (health: object) =>
    workerCheck.run({ health: { ready: true, notices: ['Old.'], ...health } } as unknown as CheckContext);
  expect(await run({ problems: [locked] })).toEqual({
    state: 'warn',
    detail: 'Not locked.',
    fix: 'Move it.',
  });
  expect(await run({ problems: [failing, locked] })).toEqual({
    state: 'fail',
    detail: 'Not stored. Not locked.',
    fix: 'Make room, then run: claude-mem restart. Move it.',
  });
  expect(await run({})).toMatchObject({ state: 'warn', detail: 'Old.' });
});
