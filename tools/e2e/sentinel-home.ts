import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Name of the variable with the home folder that tests must not change. */
export const SENTINEL = 'CLAUDE_MEM_SENTINEL_HOME';

const SETTINGS = '{ "theme": "dark" }\n';
const DEFAULT_PORT = 37_777;

/**
 * Global setup of the tests. Provides an empty home, and fails the run if a test changes that home or connects to the
 * default port of the worker.
 */
export async function setup(): Promise<() => Promise<void>> {
  const home = mkdtempSync(path.join(tmpdir(), 'cm-sentinel-'));
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
  mkdirSync(path.join(home, '.claude'));
  writeFileSync(path.join(home, '.claude', 'settings.json'), SETTINGS);
  const before = process.env['HOME'];
  process.env['HOME'] = process.env[SENTINEL] = home;
  let connections = 0;
  const server = await holdDefaultPort(() => (connections += 1));
  return async () => {
    server?.close();
    process.env['HOME'] = before;
    const files = readdirSync(home, { recursive: true }).map(String).toSorted();
    const settings = readFileSync(path.join(home, '.claude', 'settings.json'), 'utf8');
    const isAsBefore = files.join() === ['.claude', path.join('.claude', 'settings.json')].join();
    if (!isAsBefore || settings !== SETTINGS) fail(`the tests changed their home: ${files.join(', ')}`);
    if (connections > 0) fail(`a test connected to the default port ${DEFAULT_PORT}`);
  };
}

/** Sets the exit code, because an error in the teardown alone is only printed. */
function fail(reason: string): never {
  process.exitCode = 1;
  throw new Error(reason);
}

/**
 * Occupies the default port, so that no test can use it and the system cannot assign it.
 * @returns null when another program, such as the worker of the developer, uses the port
 */
function holdDefaultPort(onConnection: () => void): Promise<Server | null> {
  const server = createServer((socket) => {
    onConnection();
    socket.destroy();
  });
  return new Promise((resolve) => {
    server.once('error', () => resolve(null));
    server.listen(DEFAULT_PORT, '127.0.0.1', () => resolve(server.unref()));
  });
}
