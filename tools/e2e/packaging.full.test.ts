import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { createTempHome, runProgram, workspacePaths } from '@claude-mem/testing';
import { expect, it } from 'vitest';

const { root } = workspacePaths;

it('npm pack builds a library that was not built yet', async () => {
  await using home = await createTempHome();
  const copy = path.join(home.root, 'unbuilt');
  const libraries = ['core', 'lexical-index'];
  for (const name of libraries)
    cpSync(path.join(root, 'libs', name), path.join(copy, 'libs', name), {
      recursive: true,
      filter: (file) => !/\/(dist|out-tsc)$|\.test\.ts$/.test(file),
    });
  for (const name of ['package.json', 'tsconfig.base.json'])
    cpSync(path.join(root, name), path.join(copy, name));
  const modules = path.join(copy, 'node_modules');
  mkdirSync(path.join(modules, '@claude-mem'), { recursive: true });
  for (const name of readdirSync(path.join(root, 'node_modules')))
    if (name !== '@claude-mem') symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
  for (const name of libraries)
    symlinkSync(path.join(copy, 'libs', name), path.join(modules, '@claude-mem', name));
  const npm = await runProgram(
    'npm',
    ['pack', '--json', '--dry-run', '--workspace', '@claude-mem/lexical-index'],
    {
      cwd: copy,
      env: home.env,
      timeoutMs: 120_000,
    },
  );
  expect(npm.exit, npm.stderr).toBe(0);
  const [{ files } = { files: [] }] = JSON.parse(npm.stdout) as { files: { path: string }[] }[];
  expect(files.map((file) => file.path)).toContain('dist/index.js');
}, 150_000);
