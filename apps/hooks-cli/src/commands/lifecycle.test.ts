import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestHome, type TestHome } from '../testing/run-inside.js';

let home: TestHome;
beforeEach(() => {
  home = createTestHome();
  const worker = join(home.root, 'worker', 'dist', 'main.js');
  mkdirSync(dirname(worker), { recursive: true });
  writeFileSync(worker, 'console.log(`args: ${process.argv.slice(2)}.`); process.exit(7);');
});
afterEach(() => home[Symbol.dispose]());

it.each([
  [['start'], 'args: .'],
  [['restart'], 'args: .'],
  [['remember', 'Use npm'], 'args: --settings-file-only.'],
  [['reindex'], 'args: --settings-file-only.'],
])(
  'S03: starts the worker with the settings of the environment only when the user asks for a start: %j',
  async (command, printed) => {
    const { exit, stderr } = await home.run(command);
    expect(exit).not.toBe(0);
    expect(stderr).toContain(`It ended with 7 and printed:\n${printed}`);
  },
);
