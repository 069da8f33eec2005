/**
 * What the child of a managed server runs: `node -e <this> <parent pid> <bindings> <arguments…>`. A string, because it must be
 * there however this library is bundled. The package's own program is not used: it takes no folder of its own and fails
 * on Windows. The server holds the main thread, so another one watches the parent, which may be killed without a word.
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

/** Exit code when the bindings cannot be loaded on this machine: trying again is of no use. */
export const CANNOT_LOAD = 3;
