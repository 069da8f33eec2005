import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createTempHome, runProgram, workspacePaths } from '@claude-mem/testing';
import { expect, it } from 'vitest';

const { root } = workspacePaths;

it('lint:packages fails and names the exports that point to missing files', async () => {
  await using home = await createTempHome();
  const copy = path.join(home.root, 'storage');
  for (const name of ['package.json', 'README.md', 'dist'])
    cpSync(path.join(root, 'libs', 'storage', name), path.join(copy, name), { recursive: true });
  const manifest = path.join(copy, 'package.json');
  const text = readFileSync(manifest, 'utf8')
    .replace('./dist/database/driver.d.ts', './dist/missing.d.ts')
    .replace('./dist/index.js', './dist/missing.js');
  writeFileSync(manifest, text);
  const check = await runProgram(process.execPath, [path.join(root, 'tools', 'check-packages.mjs'), copy], {
    cwd: root,
    env: home.env,
    timeoutMs: 60_000,
  });
  expect(check.exit).toBe(1);
  expect(check.stderr).toContain('publint error: pkg.exports["./driver"].types is ./dist/missing.d.ts');
  expect(check.stderr).toContain('publint error: pkg.exports["."].default is ./dist/missing.js');
  expect(check.stderr).toMatch(/attw Resolved through fallback condition: .*"entrypoint":"\.\/driver"/);
}, 90_000);
