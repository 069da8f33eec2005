import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { ClaudeMemError } from '@claude-mem/core';
import { currentFolder } from '@claude-mem/host-adapters';
import { serveMcp } from './serve-mcp.js';
import { withDataDir } from './with-data-dir.js';

process.umask(0o077);

// other output on stdout would break the protocol
const write = process.stdout.write.bind(process.stdout);
const output = new Writable({
  write: (chunk: Buffer, _encoding, done) => void write(chunk, (error) => done(error)),
});
// every response that waits for a slow reader adds a listener
output.setMaxListeners(0);
process.stdout.write = process.stderr.write.bind(process.stderr);
process.stdout.on('error', () => process.exit(0));
process.stderr.on('error', () => undefined);

const ending = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => ending.abort());

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string;
};
const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { 'data-dir': { type: 'string' } },
  strict: false,
});
const home = homedir();
const folders = { home, cwd: currentFolder({ env: process.env, home }) };
try {
  await serveMcp({
    env: withDataDir(process.env, values['data-dir'], folders),
    ...folders,
    version,
    input: process.stdin,
    output,
    signal: ending.signal,
  });
  process.exit(0);
} catch (error) {
  // the client shows stderr to the user
  if (!ClaudeMemError.isInstance(error)) throw error;
  process.stderr.write(`claude-mem: ${error.message}\n`, () => process.exit(1));
}
