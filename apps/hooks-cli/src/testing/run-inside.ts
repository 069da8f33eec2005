import { copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import type { CallUsage } from '@claude-mem/core';
import { openStorage } from '@claude-mem/storage';
import { runCli, type CliOptions } from '../cli.js';
import { BUILT_PROGRAM } from './installed-program.js';

/** A temporary home in which commands run in this process. No worker can be started in this home. */
export interface TestHome extends Disposable {
  root: string;
  home: string;
  /** The folder in which commands run. */
  project: string;
  dataDir: string;
  env: Record<string, string>;
  run(argv: readonly string[], input?: string): Promise<InsideRun>;
  /** Replaces the connection to the worker for later commands. */
  connectWith(connect: CliOptions['connect']): void;
  /** Runs a command with a stdin that stays open and empty. */
  leaveOpen(argv: readonly string[]): Promise<InsideRun>;
  /** Runs a command in a terminal in which the user types these keys. */
  type(argv: readonly string[], keys: string): Promise<InsideRun>;
}

/** A home in which commands run in this process and start the built worker. Disposal stops the worker. */
export interface ProgramHome extends AsyncDisposable {
  root: string;
  home: string;
  /** The folder in which commands run. */
  project: string;
  dataDir: string;
  env: Record<string, string>;
  run(...argv: string[]): Promise<InsideRun>;
  runWithInput(input: string, ...argv: string[]): Promise<InsideRun>;
  /** Runs a command in a terminal in which the user types these keys. */
  type(argv: readonly string[], keys: string): Promise<InsideRun>;
}

interface InsideRun {
  exit: number;
  stdout: string;
  stderr: string;
}

/**
 * Creates a temporary home.
 * @param ownFolder folder of the program's files. @default an empty folder, so that no worker is found
 * @param folder where commands run, relative to the home. @default work
 */
export function createTestHome(ownFolder?: string, folder = 'work'): TestHome {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'cm-inside-')));
  const home = join(root, 'home');
  const cwd = join(home, folder);
  const dataDir = join(root, 'data');
  const ownDist = join(root, 'hooks-cli', 'dist');
  for (const needed of [cwd, ownDist]) mkdirSync(needed, { recursive: true });
  copyFileSync(join(import.meta.dirname, '../../package.json'), join(ownDist, '..', 'package.json'));
  const env: Record<string, string> = { HOME: home, PATH: '', CLAUDE_MEM_DATA_DIR: dataDir };
  let connect: CliOptions['connect'];
  const runWith = async (
    argv: readonly string[],
    stdin: PassThrough & { isTTY?: true },
  ): Promise<InsideRun> => {
    const [stdout, stderr] = [createOutput(stdin.isTTY), createOutput(stdin.isTTY)];
    const exit = await runCli({
      argv,
      env: { ...env },
      home: env['HOME'] ?? home,
      cwd,
      ownFolder: ownFolder ?? ownDist,
      stdin,
      stdout: stdout.stream,
      stderr: stderr.stream,
      ...(connect && { connect }),
    });
    return { exit, stdout: stdout.text(), stderr: stderr.text() };
  };
  return {
    root,
    home,
    project: cwd,
    dataDir,
    env,
    run(argv, input = '') {
      const stdin = new PassThrough();
      stdin.end(input);
      return runWith(argv, stdin);
    },
    connectWith: (other) => void (connect = other),
    leaveOpen: (argv) => runWith(argv, new PassThrough()),
    type(argv, keys) {
      const stdin = Object.assign(new PassThrough(), { isTTY: true as const });
      stdin.write(keys);
      return runWith(argv, stdin);
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/**
 * Creates a home in which commands start the built worker. Semantic search is off.
 * @param ownFolder folder of the program's files
 */
export function createProgramHome(ownFolder = BUILT_PROGRAM): ProgramHome {
  const folder = join('work', 'demo');
  const test = createTestHome(ownFolder, folder);
  Object.assign(test.env, {
    PATH: process.env['PATH'] ?? '',
    CLAUDE_MEM_WORKER_PORT: '0',
    CLAUDE_MEM_EMBEDDER: 'none',
  });
  const { root, home, dataDir, env } = test;
  return {
    root,
    home,
    project: join(home, folder),
    dataDir,
    env,
    run: (...argv) => test.run(argv),
    type: (argv, keys) => test.type(argv, keys),
    runWithInput: (input, ...argv) => test.run(argv, input),
    async [Symbol.asyncDispose]() {
      if (existsSync(dataDir)) await test.run(['stop']);
      test[Symbol.dispose]();
    },
  };
}

function createOutput(isTTY = false) {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY }), text: () => Buffer.concat(chunks).toString() };
}

export interface SpentCall {
  session: string;
  provider: string;
  model: string | null;
  at: number;
  usage: CallUsage;
}

const NO_LIMITS = { dayCalls: 0, dayTokens: 0, dayUsd: 0, sessionTokens: 0 };

/** Stores model calls in the database of a data directory, as an observer does. */
export async function spend(dataDir: string, calls: readonly SpentCall[]): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  await using storage = await openStorage({
    file: join(dataDir, 'claude-mem.db'),
    backupsDir: join(dataDir, 'backups'),
  });
  for (const { session, provider, model, at, usage } of calls) {
    const [captured] = await storage.store.capture([
      {
        kind: 'session-start',
        host: 'claude-code',
        contentSessionId: session,
        source: 'startup',
        cwd: null,
        projectDir: null,
        promptId: null,
        agentId: null,
        agentType: null,
        dedupeKey: `start-${session}-${at}`,
        occurredAtEpoch: at,
        project: null,
        filterReason: null,
      },
    ]);
    const sessionId = captured?.sessionId ?? 0;
    const decision = await storage.store.reserveUsage({
      sessionId,
      provider,
      model,
      estimate: usage,
      limits: NO_LIMITS,
      now: at,
    });
    if (decision.kind !== 'reserved') throw new Error('the call was not reserved');
    await storage.store.settleUsage({ callId: decision.callId, usage, now: at });
  }
}
