// Writes the marketplace with the plugin: main.ts FOLDER. The other apps must be built before.
import { resolve } from 'node:path';
import { buildPlugin } from './build-plugin.js';

const [folder = 'dist'] = process.argv.slice(2);
try {
  await buildPlugin({
    workspace: resolve(import.meta.dirname, '../../..'),
    folder: resolve(folder),
    log: (line) => void process.stdout.write(`${line}\n`),
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
