import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('B038: starts processes only in one file, without a console window', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => /\.(ts|sh)$/.test(file) && !file.endsWith('.test.ts'));
  const starting = sources.filter((file) =>
    readFileSync(join(import.meta.dirname, file), 'utf8').includes('child_process'),
  );
  expect(starting.toSorted()).toEqual(['hook.sh', 'spawn-quiet.ts']);
  for (const file of starting)
    expect(readFileSync(join(import.meta.dirname, file), 'utf8')).toContain('windowsHide: true');
});
