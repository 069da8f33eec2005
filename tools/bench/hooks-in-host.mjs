// Measures sessions of a real Claude Code with and without hooks, in a network namespace that has only a loopback
// interface.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { workspacePaths } from '@claude-mem/testing';
import { CLIENTS, REAL } from '../clients/install.mjs';
import { ms, p50, row, skippedRow } from './figures.mjs';
import { runMeasurements } from './samples.mjs';

const PAIRS = 5;
const TIMEOUT_MS = 30 * 60_000;
const SESSION = path.join(workspacePaths.root, 'tools', 'bench', 'host-session.mjs');
const IN_OWN_NETWORK = ['-n', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"'];

export async function benchHooksInHost({ report, scale }) {
  const clients = Object.entries(CLIENTS)
    .map(([name, { program }]) => ({ name, file: path.join(REAL, 'node_modules', name, ...program) }))
    .filter(({ file }) => existsSync(file));
  const reason = reasonToSkip(clients);
  if (reason !== null) return [skippedRow('sessions of a real host, with and without hooks', reason)];
  return runMeasurements(
    clients.map(({ name, file }) => [
      name,
      () => {
        report(`sessions of ${name}`);
        return rowsOf(name, playSessions(file, scale(PAIRS)));
      },
    ]),
  );
}

function reasonToSkip(clients) {
  if (clients.length === 0) return 'no real client is installed. Run "npm run test:clients -- --install"';
  const isAble = spawnSync('unshare', [...IN_OWN_NETWORK, 'true']).status === 0;
  return isAble ? null : 'a network namespace needs Linux, root, and the commands unshare and ip';
}

function playSessions(file, pairs) {
  const command = file.endsWith('.js') ? [process.execPath, file] : [file];
  const program = [process.execPath, '--import', 'tsx', SESSION, String(pairs), ...command];
  const run = spawnSync('unshare', [...IN_OWN_NETWORK, ...program], {
    cwd: workspacePaths.root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    timeout: TIMEOUT_MS,
  });
  if (run.error) throw run.error;
  if (run.status !== 0) throw new Error(`the session of ${file} failed: ${run.stderr}`);
  return JSON.parse(run.stdout);
}

function rowsOf(name, { calls, pairs, missed }) {
  const bare = pairs.map((pair) => pair.bare);
  const hooked = pairs.map((pair) => pair.hooked);
  const median = (sessions, value) => p50(sessions.map(value));
  // The load of the machine changes between pairs, so sessions are compared within their pair.
  const more = (value) => p50(pairs.map((pair) => value(pair.hooked) - value(pair.bare)));
  const seconds = (value) => `${(value / 1_000).toFixed(2)} s`;
  const described = (sessions) =>
    `${seconds(median(sessions, ({ whole: complete }) => complete))} in all, ${seconds(median(sessions, ({ turn }) => turn))} for the calls`;
  const processor = `${ms(more(({ host }) => host) / calls)} host and hooks, ${ms(median(hooked, ({ worker }) => worker) / calls)} worker`;
  return [
    row(`${name}, ${calls} tool calls, no hooks`, described(bare)),
    row(`${name}, ${calls} tool calls, our hooks and MCP server`, described(hooked)),
    row(`${name}, more for each call`, ms(more(({ turn }) => turn) / calls)),
    row(`${name}, more processor time in all / ${calls}`, processor),
    ...(missed === '' ? [] : [row(`${name}, missed samples`, missed)]),
  ];
}
