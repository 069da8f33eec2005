import { messageOf } from '@claude-mem/core';
import { loadDriver } from '@claude-mem/storage/driver';
import { spawnQuiet } from '../spawn-quiet.js';
import { fail, ok, warn, type Check } from './check.js';

const isSupportedNode = (version: string) => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
};

export const nodeCheck: Check = {
  title: 'node',
  run() {
    const { node } = process.versions;
    const where = `${node} (${process.execPath})`;
    return isSupportedNode(node) ? ok(where) : fail(where, 'Install Node 20.19 or newer, or 22.12 or newer.');
  },
};

export const driverCheck: Check = {
  title: 'SQLite module',
  run() {
    try {
      return ok(`${loadDriver().name} loads`);
    } catch (error) {
      const reason = messageOf(error).split('\n')[0] ?? 'unknown';
      return fail(reason, 'Run "npm rebuild better-sqlite3" in the installation folder of claude-mem.');
    }
  },
};

export const curlCheck: Check = {
  title: 'curl',
  async run() {
    const text = await readOutput('curl', ['-q', '--version']);
    const slower = 'Install curl 7.40 or newer: hooks work without it, but take 30 ms longer.';
    if (text === null) return warn('not found', slower);
    if (!/\bUnixSockets\b/i.test(text)) return warn('does not support Unix sockets', slower);
    return ok(text.split(' ').slice(0, 2).join(' '));
  },
};

/** Resolves with null when the program is not installed. */
function readOutput(command: string, args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    let text = '';
    const child = spawnQuiet(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.once('error', () => resolve(null));
    child.once('close', () => resolve(text));
  });
}
