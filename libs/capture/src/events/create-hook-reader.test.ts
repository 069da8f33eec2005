import { expect, it } from 'vitest';
import { createHookReader } from './create-hook-reader.js';

const readHook = createHookReader({});

it.each(['claude-code', 'unknown'])('reports empty input of the host %s as empty', (host) => {
  const body = Buffer.from(`host: ${host}\nevent: Stop\n\n`);
  expect(readHook({ host, event: 'Stop', body })).toMatchObject({ kind: 'invalid', isEmpty: true });
  const broken = Buffer.from('half an ev');
  expect(readHook({ host, event: 'Stop', body: broken })).toMatchObject({ kind: 'invalid', isEmpty: false });
});
