import { homedir } from 'node:os';
import { currentFolder } from '@claude-mem/host-adapters';
import { runCli } from './cli.js';
import { EXIT } from './exit-codes.js';

process.umask(0o077);

// a reader that closes the pipe early, such as head, is no error
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed),
  );

const userContext = { env: process.env, home: homedir() };
const code = await runCli({
  ...userContext,
  argv: process.argv.slice(2),
  cwd: currentFolder(userContext),
  ownFolder: import.meta.dirname,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
}).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return EXIT.failed;
});
process.stdout.write('', () => process.exit(code));
