import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { CallUsage } from '@claude-mem/core';
import { openStorage } from '@claude-mem/storage';
import { runCli } from '../cli.js';

/** A home of its own in which commands run within this process; nobody's worker is there. */
export interface TestHome extends Disposable {
  home: string;
  dataDir: string;
  env: Record<string, string>;
  run(argv: readonly string[], input?: string): Promise<InsideRun>;
  /** The same where nobody says anything on stdin, and nobody closes it. */
  leaveOpen(argv: readonly string[]): Promise<InsideRun>;
  /** The same with a person at the terminal who types this. */
  type(argv: readonly string[], keys: string): Promise<InsideRun>;
}

interface InsideRun {
  exit: number;
  stdout: string;
  stderr: string;
}

/** @param ownFolder where the program's files are; the sources by default */
export function createTestHome(ownFolder = join(import.meta.dirname, '..')): TestHome {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'cm-inside-')));
  const home = join(root, 'home');
  const dataDir = join(root, 'data');
  mkdirSync(home);
  const env: Record<string, string> = { HOME: home, PATH: '', CLAUDE_MEM_DATA_DIR: dataDir };
  const runWith = async (
    argv: readonly string[],
    stdin: PassThrough & { isTTY?: true },
  ): Promise<InsideRun> => {
    const stdout = Object.assign(new PassThrough(), { isTTY: stdin.isTTY ?? false });
    const stderr = new PassThrough();
    const exit = await runCli({ argv, env, home, cwd: home, ownFolder, stdin, stdout, stderr });
    const textOf = (stream: PassThrough) => String(stream.read() ?? '');
    return { exit, stdout: textOf(stdout), stderr: textOf(stderr) };
  };
  return {
    home,
    dataDir,
    env,
    run(argv, input = '') {
      const stdin = new PassThrough();
      stdin.end(input);
      return runWith(argv, stdin);
    },
    leaveOpen: (argv) => runWith(argv, new PassThrough()),
    type(argv, keys) {
      const stdin = Object.assign(new PassThrough(), { isTTY: true as const });
      stdin.write(keys);
      return runWith(argv, stdin);
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

export interface SpentCall {
  session: string;
  provider: string;
  model: string | null;
  at: number;
  usage: CallUsage;
}

const NO_LIMITS = { dayCalls: 0, dayTokens: 0, dayUsd: 0, sessionTokens: 0 };

/** Books calls in the database of a data directory, as an observer does. */
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
    if (decision.kind !== 'reserved') throw new Error('the call was not let through');
    await storage.store.settleUsage({ callId: decision.callId, usage, now: at });
  }
}
