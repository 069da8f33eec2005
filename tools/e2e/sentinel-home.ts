import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Name of the variable that tells tests which home is meant to stay untouched. */
export const SENTINEL = 'CLAUDE_MEM_SENTINEL_HOME';

const SETTINGS = '{ "theme": "dark" }\n';
const DEFAULT_PORT = 37_777;

/**
 * Runs around all tests: they get a home that is not the person's, and the run fails when anything in it was changed or
 * the default port was opened. The first project of a run makes it, the others find it.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[SENTINEL]) return undefined;
  const home = mkdtempSync(path.join(tmpdir(), 'cm-sentinel-'));
  mkdirSync(path.join(home, '.claude'));
  writeFileSync(path.join(home, '.claude', 'settings.json'), SETTINGS);
  const before = process.env['HOME'];
  process.env['HOME'] = process.env[SENTINEL] = home;
  const wasTaken = await isPortTaken();
  let isTakenNow = false;
  const watch = setInterval(() => void isPortTaken().then((taken) => (isTakenNow ||= taken)), 500);
  watch.unref();
  return async () => {
    clearInterval(watch);
    process.env['HOME'] = before;
    const files = readdirSync(home, { recursive: true }).map(String).toSorted();
    const settings = readFileSync(path.join(home, '.claude', 'settings.json'), 'utf8');
    rmSync(home, { recursive: true, force: true });
    const isAsBefore = files.join() === ['.claude', path.join('.claude', 'settings.json')].join();
    if (!isAsBefore || settings !== SETTINGS)
      fail(`the tests changed the home they run in: ${files.join(', ')}`);
    if (isTakenNow && !wasTaken) fail(`a test listened on the default port ${DEFAULT_PORT}`);
  };
}

/** The error alone is only printed: the run has its verdict by then. */
function fail(reason: string): never {
  process.exitCode = 1;
  throw new Error(reason);
}

function isPortTaken(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: DEFAULT_PORT });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
