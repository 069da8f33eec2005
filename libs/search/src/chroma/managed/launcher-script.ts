/**
 * The program of the child process: `node -e <this> <parent pid> <bindings> <arguments…>`. It is a string, so that it
 * exists however this library is bundled. The program of the package is not used, because it accepts no folder and
 * fails on Windows. The server blocks the main thread, so another thread watches the parent process, which may be
 * killed.
 */
export const LAUNCHER_SCRIPT = `
const { Worker } = require('node:worker_threads');
const [parent, bindings, ...argv] = process.argv.slice(1);
const watch = \`
  const { workerData: parent } = require('node:worker_threads');
  setInterval(() => {
    let isThere = process.platform === 'win32' || process.ppid === parent;
    try { process.kill(parent, 0); } catch (error) { isThere &&= error.code === 'EPERM'; }
    if (!isThere) process.kill(process.pid, 'SIGKILL');
  }, 500);
\`;
new Worker(watch, { eval: true, workerData: Number(parent) }).unref();
try {
  require(bindings).cli(['chroma', ...argv]);
} catch (error) {
  process.stderr.write('cannot be loaded: ' + error.message + '\\n', () => process.exit(3));
}
`;

/** Exit code when the bindings cannot be loaded on this machine. A retry would fail too. */
export const CANNOT_LOAD = 3;
