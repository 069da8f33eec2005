// What our hooks cost a session of a real Claude Code: beside one with none, pairs in turn, in a network that has nothing
// but the loopback interface.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { workspacePaths } from '@claude-mem/testing';
import { CLIENTS, REAL } from '../clients/install.mjs';
import { ms, p50, row } from './figures.mjs';

const PAIRS = 5;
const SESSION = path.join(workspacePaths.root, 'tools', 'bench', 'host-session.mjs');
const IN_OWN_NETWORK = ['-n', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"'];

export function benchHooksInHost({ say }) {
  const clients = Object.entries(CLIENTS)
    .map(([name, { program }]) => ({ name, file: path.join(REAL, 'node_modules', name, ...program) }))
    .filter(({ file }) => existsSync(file));
  const reason = reasonToSkip(clients);
  if (reason !== null)
    return [row('a session of a real host, with and without hooks', `not measured: ${reason}`)];
  return clients.flatMap(({ name, file }) => {
    say(`sessions of ${name}`);
    return rowsOf(name, playSessions(file));
  });
}

function reasonToSkip(clients) {
  if (clients.length === 0) return 'no real client is here: npm run test:clients -- --install';
  const isAble = spawnSync('unshare', [...IN_OWN_NETWORK, 'true']).status === 0;
  return isAble ? null : 'a network of its own needs Linux, root, and the commands unshare and ip';
}

function playSessions(file) {
  const command = file.endsWith('.js') ? [process.execPath, file] : [file];
  const program = [process.execPath, '--import', 'tsx', SESSION, String(PAIRS), ...command];
  const run = spawnSync('unshare', [...IN_OWN_NETWORK, ...program], {
    cwd: workspacePaths.root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (run.status !== 0) throw new Error(`the session of ${file} failed: ${run.stderr}`);
  return JSON.parse(run.stdout);
}

function rowsOf(name, { calls, bare, hooked }) {
  const of = (sessions, value) => p50(sessions.map(value));
  // pair by pair, since what else the machine does changes from minute to minute
  const more = (value) => p50(hooked.map((session, pair) => value(session) - value(bare[pair])));
  const seconds = (value) => `${(value / 1_000).toFixed(2)} s`;
  const described = (sessions) =>
    `${seconds(of(sessions, ({ whole }) => whole))} in all, ${seconds(of(sessions, ({ turn }) => turn))} for the calls`;
  const processor = `${ms(more(({ host }) => host) / calls)} host and hooks, ${ms(of(hooked, ({ worker }) => worker) / calls)} worker`;
  return [
    row(`${name}, ${calls} tool calls, no hooks`, described(bare)),
    row(`${name}, ${calls} tool calls, our hooks and MCP server`, described(hooked)),
    row(`${name}, more for each call`, ms(more(({ turn }) => turn) / calls)),
    row(`${name}, more processor time in all / ${calls}`, processor),
  ];
}
