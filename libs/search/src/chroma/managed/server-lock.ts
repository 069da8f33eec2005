import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '@claude-mem/core';
import { writeFileAtomically } from '@claude-mem/core/write-file';
import { isRunning, stampOf, type ProcessStamp } from './process-stamp.js';

/** The owner of the server of a folder. */
interface ServerLockContent {
  /** The process that started the server. */
  owner: ProcessStamp;
  /** Null while the server starts. */
  server: (ProcessStamp & { port: number }) | null;
}

export type ServerLock =
  | { kind: 'ours'; writeServer(server: ServerLockContent['server']): void; release(): void }
  /** Null while the lock is being written. */
  | { kind: 'held'; content: ServerLockContent | null };

/**
 * Acquires the lock of a folder, or returns its owner. Two servers in one folder damage the index, so a lock is valid
 * until its owner and its server have exited. Locks have numbers and the highest one is valid. A stale lock is
 * superseded and never replaced, so that of two processes that find it at the same time only one succeeds.
 */
export function takeServerLock(folder: string): ServerLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (;;) {
    const highest = Math.max(0, ...numbersIn(folder));
    if (highest > 0) {
      const held = readLock(fileOf(folder, highest));
      if (held === 'gone') continue;
      if (held !== 'dead') return { kind: 'held', content: held };
    }
    const number = highest + 1;
    const file = fileOf(folder, number);
    const owner = stampOf(process.pid)!;
    try {
      writeFileSync(file, JSON.stringify({ owner, server: null }), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      continue;
    }
    if (Math.max(...numbersIn(folder)) > number) {
      rmSync(file, { force: true });
      continue;
    }
    for (const older of numbersIn(folder)) if (older < number) rmSync(fileOf(folder, older), { force: true });
    return {
      kind: 'ours',
      writeServer: (server) => writeFileAtomically(file, JSON.stringify({ owner, server })),
      release: () => rmSync(file, { force: true }),
    };
  }
}

const fileOf = (folder: string, number: number) => path.join(folder, `server.${number}.lock`);

function numbersIn(folder: string): number[] {
  return readdirSync(folder).flatMap((name) => {
    const number = /^server\.(\d{1,9})\.lock$/.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
}

/** A lock is written right after it is created. A lock that is still unreadable after this time was left by a crash. */
const WRITTEN_WITHIN_MS = 5000;

function readLock(file: string): ServerLockContent | null | 'dead' | 'gone' {
  let text: string;
  let age: number;
  try {
    text = readFileSync(file, 'utf8');
    age = Date.now() - statSync(file).mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'gone';
    throw error;
  }
  const content = parse(text);
  if (content === null) return age < WRITTEN_WITHIN_MS ? null : 'dead';
  const isHeld = isRunning(content.owner) || (content.server !== null && isRunning(content.server));
  return isHeld ? content : 'dead';
}

function parse(text: string): ServerLockContent | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(value) || !isStamp(value['owner'])) return null;
  const server = value['server'];
  if (server === null) return { owner: value['owner'], server: null };
  if (!isStamp(server) || !isRecord(server) || !Number.isInteger(server['port'])) return null;
  return { owner: value['owner'], server: { ...server, port: server['port'] as number } };
}

function isStamp(value: unknown): value is ProcessStamp {
  if (!isRecord(value)) return false;
  const { pid, startedAt } = value;
  return (
    Number.isInteger(pid) && (pid as number) > 0 && (startedAt === null || typeof startedAt === 'string')
  );
}
