// npm test: installs when needed, builds what the tests run as real programs, then runs every test.
// Arguments go to Vitest: npm test -- libs/queue
import path from 'node:path';
import { checkNode, installAgentSdkIfNeeded, installIfNeeded, root, run, step } from './workspace.mjs';

checkNode();
try {
  await installIfNeeded();
  await installAgentSdkIfNeeded();
  await step('Building', () => run('npx', ['nx', 'run-many', '-t', 'build']));
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const env = { CLAUDE_MEM_TESTS_ARE_BUILT: '1', CLAUDE_MEM_SCREENS: '0' };
  await run(process.execPath, [vitest, 'run', ...process.argv.slice(2)], { env, show: true });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
