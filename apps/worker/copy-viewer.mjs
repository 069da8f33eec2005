// Part of the build: the viewer lies beside the worker that serves it.
import { cpSync, renameSync, rmSync } from 'node:fs';

const clear = (folder) => rmSync(folder, { recursive: true, force: true });

for (const left of ['dist/viewer.new', 'dist/viewer.old']) clear(left);
cpSync('../viewer/dist', 'dist/viewer.new', { recursive: true });
// a worker that runs must not meet half of it
try {
  renameSync('dist/viewer', 'dist/viewer.old');
} catch (error) {
  if (error.code !== 'ENOENT') throw error;
}
renameSync('dist/viewer.new', 'dist/viewer');
clear('dist/viewer.old');
