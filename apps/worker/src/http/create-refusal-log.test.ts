import { createFixedClock } from '@claude-mem/core/testing';
import { expect, it } from 'vitest';
import { createRefusalLog } from './create-refusal-log.js';

it('S07: logs one refused request per error code and minute, with the number of further ones', async () => {
  const clock = createFixedClock(0);
  const lines: object[] = [];
  const onRefused = createRefusalLog({ log: { warn: (fields) => lines.push(fields) }, clock });
  const refuse = (code: 'worker/forbidden' | 'worker/unauthorized', path: string) =>
    onRefused({ code, method: 'GET', path });
  for (let request = 0; request < 1_000; request += 1) refuse('worker/forbidden', `/${request}`);
  refuse('worker/unauthorized', '/x');
  await clock.advance(60_000);
  refuse('worker/forbidden', '/later');
  refuse('worker/unauthorized', '/later');
  expect(lines).toEqual([
    { code: 'worker/forbidden', method: 'GET', path: '/0' },
    { code: 'worker/unauthorized', method: 'GET', path: '/x' },
    { code: 'worker/forbidden', method: 'GET', path: '/later', notLogged: 999 },
    { code: 'worker/unauthorized', method: 'GET', path: '/later' },
  ]);
});
