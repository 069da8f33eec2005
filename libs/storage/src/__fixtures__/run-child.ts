import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { bundleProgram } from '@claude-mem/core/testing';
import type { TestFolder } from './open-test-storage.js';

export interface Child extends AsyncDisposable {
  process: ChildProcess;
  /** Lines it wrote so far. */
  lines: readonly string[];
  /** Resolves once it wrote a line that matches. */
  said(pattern: RegExp): Promise<string>;
  /** Lets a child that is ready go on. */
  go(): void;
  /** Resolves to its exit code (null after a signal), and everything it wrote to stderr. */
  ended: Promise<{ code: number | null; stderr: string }>;
}

/** Bundled once per process, because the children of a test start many times. */
let bundle: string | null = null;

function bundleChild(): string {
  if (bundle) return bundle;
  const folder = path.join(import.meta.dirname, '../../out-tsc/children');
  mkdirSync(folder, { recursive: true });
  const outfile = path.join(folder, `storage-child-${process.pid}.mjs`);
  bundleProgram(path.join(import.meta.dirname, 'storage-child.mts'), outfile, [
    'better-sqlite3',
    'better-sqlite3-n22',
    'drizzle-orm',
  ]);
  process.once('exit', () => rmSync(outfile, { force: true }));
  bundle = outfile;
  return outfile;
}

/** Starts another process on the same database. It is killed when it is disposed of. */
export function runChild(command: string, place: TestFolder, argument = ''): Child {
  const child = spawn(process.execPath, [bundleChild(), command, place.file, place.backupsDir, argument], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const waiting: { pattern: RegExp; resolve: (line: string) => void; reject: (error: Error) => void }[] = [];
  let stderr = '';
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    for (const { pattern, resolve } of waiting) if (pattern.test(line)) resolve(line);
  });
  const ended = once(child, 'close').then(([code]) => {
    for (const { pattern, reject } of waiting)
      reject(new Error(`ended without saying ${pattern}: ${stderr}`));
    return { code: code as number | null, stderr };
  });
  return {
    process: child,
    lines,
    said: (pattern) =>
      new Promise((resolve, reject) => {
        const found = lines.find((line) => pattern.test(line));
        if (found !== undefined) resolve(found);
        else waiting.push({ pattern, resolve, reject });
      }),
    go: () => void child.stdin.write('go\n'),
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
