import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Examination } from './check.js';
import { portCheck, workerCheck } from './worker.js';

const PROBLEM = 'Port 37777 is taken by another program.';

it('tells of a port that is taken once', async () => {
  const health = {
    ready: true,
    pid: 1,
    notices: [PROBLEM],
    observer: { problem: null },
    tcp: { isListening: false, port: 37777, problem: PROBLEM },
  };
  const loaded = { paths: { database: join(tmpdir(), 'none.db') }, settings: { workerPort: 37777 } };
  const examination = { health, loaded } as unknown as Examination;
  expect(await workerCheck.run(examination)).toMatchObject({ state: 'ok' });
  expect(await portCheck.run(examination)).toMatchObject({ state: 'warn', detail: PROBLEM });
});
