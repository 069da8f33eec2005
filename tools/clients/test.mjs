// npm run test:clients: runs real Claude Code programs with the claude-code observer and the plugin, against a fake
// vendor and without a network. Arguments go to Vitest. --install installs the programs first. --record stores the
// payloads of the hooks in tools/e2e/__fixtures__ for `npm test`.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { installAgentSdkIfNeeded, root, run, step } from '../workspace.mjs';
import { CLIENTS, HOST_CLIENTS, installClients, PLUGIN_CLIENTS, REAL } from './install.mjs';

const INSTALLS = ['--install', '--install-hosts'];

try {
  const args = process.argv.slice(2).filter((arg) => ![...INSTALLS, '--record'].includes(arg));
  const hasHosts = process.argv.includes('--install-hosts') || programsOf(HOST_CLIENTS).length > 0;
  // All packages are named, because npm removes the others.
  if (process.argv.some((arg) => INSTALLS.includes(arg)))
    await installClients({ ...PLUGIN_CLIENTS, ...(hasHosts ? HOST_CLIENTS : {}) });
  await installAgentSdkIfNeeded();
  const reason = await reasonToSkip();
  if (reason === null) {
    await step('Building the plugin', () => run('npx', ['nx', 'build', '@claude-mem/claude-code-plugin']));
    await runTests(args);
  } else console.log(`skipped: ${reason}`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function reasonToSkip() {
  if (programsOf(CLIENTS).length === 0)
    return 'no real client is installed here: npm run test:clients -- --install';
  if (!existsSync(path.join(root, 'tools/clients/node_modules/@anthropic-ai/claude-agent-sdk')))
    return 'the agent SDK is not installed: npm ci --prefix tools/clients';
  const canIsolate = await run('unshare', ['-n', 'sh', '-c', 'ip link set lo up']).then(
    () => true,
    () => false,
  );
  return canIsolate ? null : 'a network of its own needs Linux, root, and the commands unshare and ip';
}

/** Returns the names and paths of the installed clients. */
function programsOf(clients) {
  return Object.entries(clients)
    .map(([name, { program }]) => [name, path.join(REAL, 'node_modules', name, ...program)])
    .filter(([, file]) => existsSync(file));
}

async function runTests(args) {
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  // Real programs need seconds, so the timeout is longer than in tests with fakes.
  const options = ['--testTimeout=120000', 'tools/clients/', ...args];
  const command = ['ip link set lo up && exec "$0" "$@"', process.execPath, vitest, 'run', ...options];
  const asJson = (clients) => JSON.stringify(Object.fromEntries(programsOf(clients)));
  const env = {
    CLAUDE_MEM_CLIENTS: asJson(CLIENTS),
    CLAUDE_MEM_PLUGIN_CLIENTS: asJson(PLUGIN_CLIENTS),
    CLAUDE_MEM_HOST_CLIENTS: asJson(HOST_CLIENTS),
    ...(process.argv.includes('--record') && { CLAUDE_MEM_RECORD: '1' }),
  };
  await run('unshare', ['-n', 'sh', '-c', ...command], { show: true, env });
}
