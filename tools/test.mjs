// npm test: installs when needed, builds the programs that tests run, then runs the tests.
// npm run test:full (--full): the same with the long tests and large sizes, then the tests with real clients.
// Other arguments go to Vitest: npm test -- libs/queue
import path from 'node:path';
import { checkNode, installAgentSdkIfNeeded, installIfNeeded, root, run, step } from './workspace.mjs';

const isFull = process.argv.includes('--full');
const vitestArguments = process.argv.slice(2).filter((argument) => argument !== '--full');

checkNode();
try {
  await installIfNeeded();
  await installAgentSdkIfNeeded();
  await step('Building', () => run('npx', ['nx', 'run-many', '-t', 'build']));
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const env = {
    CLAUDE_MEM_TESTS_ARE_BUILT: '1',
    CLAUDE_MEM_SCREENS: '0',
    CLAUDE_MEM_FULL_TESTS: isFull ? '1' : '0',
  };
  const tests = run(process.execPath, [vitest, 'run', ...vitestArguments], { env, show: true });
  if (isFull) await tests.catch(reportFailure);
  else await tests;
  const clients = path.join(root, 'tools', 'clients', 'test.mjs');
  if (isFull) await run(process.execPath, [clients, '--install', '--install-hosts'], { show: true });
} catch (error) {
  reportFailure(error);
}

function reportFailure(error) {
  console.error(error.message);
  process.exitCode = 1;
}
