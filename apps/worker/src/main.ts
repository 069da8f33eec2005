import { existsSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { clearEnvironment, SETTINGS_FILE_ONLY } from '@claude-mem/settings/settings-file-only';
import { closeInheritedFiles } from './lifecycle/close-inherited-files.js';

/** Milliseconds until a shutdown that hangs is aborted. The system then releases the lock. */
const END_WITHIN_MS = 1_800;

const { env } = process;
// Before any package reads a variable.
if (process.argv.includes(SETTINGS_FILE_ONLY)) clearEnvironment(env);
process.umask(0o077);
closeInheritedFiles();
const stop = new AbortController();
let onUncaughtError = (_error: unknown): void => {};

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
stop.signal.addEventListener('abort', () => setTimeout(() => process.exit(1), END_WITHIN_MS).unref());
process.on('unhandledRejection', (error) => onUncaughtError(error));
process.on('uncaughtException', (error) => onUncaughtError(error));
// The starting process may have exited, so nobody may read the output.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

try {
  // Imported now, because a signal during the import needs its listener.
  const [{ startWorker }, { loadSettings }, { createProviderTable }] = await Promise.all([
    import('./start-worker.js'),
    import('@claude-mem/settings'),
    import('./providers/create-provider-table.js'),
  ]);
  const home = env['HOME'] ?? homedir();
  await startWorker({
    loadSettings: () => loadSettings({ env, home }),
    home,
    tmpDir: tmpdir(),
    userId: process.getuid?.() ?? 0,
    pid: process.pid,
    version: readVersion(),
    programs: findPrograms(),
    viewerDir: findViewer(),
    searchPath: env['PATH'] ?? '',
    providers: createProviderTable({ env }),
    residentBytes: () => process.memoryUsage.rss(),
    abandon: () => process.kill(process.pid, 'SIGKILL'),
    onUncaughtError: (listener) => (onUncaughtError = listener),
    signal: stop.signal,
  });
  process.exit(0);
} catch (error) {
  process.stderr.write(`claude-mem worker: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

/** Version of the package, when run from src or from dist. */
function readVersion(): string {
  const file = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** Programs that were installed with this one: in the workspace, from npm or in a plugin. */
function findPrograms() {
  const command = fileURLToPath(new URL('../../hooks-cli/dist/claude-mem.js', import.meta.url));
  const worker = fileURLToPath(import.meta.url);
  return {
    node: process.execPath,
    command: existsSync(command) ? command : null,
    worker: worker.endsWith('.js') ? worker : null,
  };
}

/** Beside a bundle, or in the build folder of the workspace. */
function findViewer(): string | null {
  const places = ['viewer/', '../../viewer/dist/'].map((place) => new URL(place, import.meta.url));
  return places.map((place) => fileURLToPath(place)).find((place) => existsSync(place)) ?? null;
}
