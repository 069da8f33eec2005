#!/usr/bin/env node
// npm links a command during the install only if its file exists. In a clone, dist/ is built after the install.
import { existsSync } from 'node:fs';

const program = new URL('../dist/claude-mem.js', import.meta.url);
if (existsSync(program)) {
  await import(program);
} else {
  console.error(
    'claude-mem is not built. Run "npm start" in the clone, or "npx nx build @claude-mem/hooks-cli".',
  );
  process.exitCode = 1;
}
