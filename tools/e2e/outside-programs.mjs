// Accesses the database of a running worker from other programs, with the sqlite3 module of Python.
import { execFile } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { workersOf } from './after-a-kill.mjs';

const run = promisify(execFile);
const READ = `
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=5)
connection.execute('SELECT count(*) FROM sqlite_schema').fetchone()
connection.close()`;
const COPY = `
import sqlite3, sys
source, target = sqlite3.connect(sys.argv[1], timeout=5), sqlite3.connect(sys.argv[2])
source.backup(target)
target.close()
source.close()`;

/** Opens and closes the database at random times until the session ends. Returns how often. */
export async function readAtRandom({ home, random, session }) {
  const file = path.join(home.dataDir, 'claude-mem.db');
  let reads = 0;
  while (!session.isOver) {
    await pause(random() * 100);
    if (!existsSync(file)) continue;
    await run('python3', ['-c', READ, file]);
    reads += 1;
  }
  return reads;
}

/**
 * Replaces the database by a complete copy at a random time. Stops the workers before, so that the copy contains
 * every stored event. Returns the number of replacements, which is 0 if there was no database.
 */
export async function replaceAtRandom({ home, random, within, session }) {
  const file = path.join(home.dataDir, 'claude-mem.db');
  const started = performance.now();
  const moment = random() * within;
  while (performance.now() - started < moment && !session.isOver) await pause(5);
  if (!existsSync(file)) return 0;
  const stopped = new Set();
  const stopWorkers = () => {
    const running = workersOf(home).filter(({ pid }) => !stopped.has(pid));
    for (const { pid } of running) send(pid, 'SIGSTOP');
    for (const { pid } of running) stopped.add(pid);
    return running.length;
  };
  stopWorkers();
  try {
    // The copy is repeated if a hook has started a worker meanwhile, which may have stored more events.
    do {
      rmSync(`${file}.copy`, { force: true });
      await run('python3', ['-c', COPY, file, `${file}.copy`]);
    } while (stopWorkers() > 0);
    renameSync(`${file}.copy`, file);
    for (const side of ['-wal', '-shm']) rmSync(file + side, { force: true });
  } finally {
    for (const pid of stopped) send(pid, 'SIGCONT');
  }
  return 1;
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
