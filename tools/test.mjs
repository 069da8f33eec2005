// npm test: installs when needed, builds the programs that tests run, then runs the tests.
// npm run test:full (--full): also runs the long tests, uses large sizes, and then runs the tests with real clients.
// Other arguments go to Vitest: npm test -- libs/queue
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkNode, installAgentSdkIfNeeded, installIfNeeded, root, run, step } from './workspace.mjs';

const isFull = process.argv.includes('--full');
const vitestArguments = process.argv.slice(2).filter((argument) => argument !== '--full');

const MEMORY_FOLDER = '/dev/shm';
const NEEDED_BYTES = 4 * 1024 ** 3;

checkNode();
const temporaryFolder = createTemporaryFolder();
try {
  await installIfNeeded();
  await installAgentSdkIfNeeded();
  await step('Building', () => run('npx', ['--no', 'nx', 'run-many', '-t', 'build']));
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const env = {
    CLAUDE_MEM_TESTS_ARE_BUILT: '1',
    CLAUDE_MEM_SCREENS: '0',
    CLAUDE_MEM_FULL_TESTS: isFull ? '1' : '0',
    ...(temporaryFolder !== null && { TMPDIR: temporaryFolder }),
  };
  await run(process.execPath, [vitest, 'run', ...vitestArguments], { env, show: true }).catch(reportFailure);
  const clients = path.join(root, 'tools', 'clients', 'test.mjs');
  if (isFull) await run(process.execPath, [clients, '--install', '--install-hosts'], { show: true });
} catch (error) {
  reportFailure(error);
}

/**
 * Creates a temporary folder in memory, because tests wait for thousands of writes to the disk.
 * @returns null when the folder is missing, has less than 4 GiB free, or does not allow programs to run
 */
function createTemporaryFolder() {
  if (process.env.TMPDIR !== undefined) return null;
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    if (bavail * bsize < NEEDED_BYTES) return null;
    const folder = mkdtempSync(path.join(MEMORY_FOLDER, 'cm-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    // Ctrl-C also reaches Vitest, which ends the programs that write to the folder
    process.on('SIGINT', () => {});
    for (const signal of ['SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
    // Some tests run a program as another user.
    chmodSync(folder, 0o1777);
    const program = path.join(folder, 'program');
    writeFileSync(program, '', { mode: 0o700 });
    accessSync(program, constants.X_OK);
    return folder;
  } catch {
    return null;
  }
}

function reportFailure(error) {
  console.error(error.message);
  process.exitCode = 1;
}
