import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { ClaudeMemError } from '@claude-mem/core';
import { realPathOf } from '@claude-mem/host-adapters';
import { dataPaths, expandPath, loadSettings } from '@claude-mem/settings';
import { createLocalWorkerLink, REQUESTED_DATA_DIR } from '@claude-mem/worker-protocol/local';
import { CliError } from './cli-error.js';
import type { CommandContext } from './command.js';
import { isContextHook } from './commands/context.js';
import { COMMANDS } from './commands/index.js';
import { EXIT, exitCodeOf, type ExitCode } from './exit-codes.js';
import { findVersionMismatch } from './find-version-mismatch.js';
import { parseCommandLine } from './parse-command-line.js';
import { renderCommandHelp, renderOverview } from './render-help.js';
import { createTerminal } from './terminal.js';

export interface CliOptions {
  argv: readonly string[];
  env: CommandContext['env'];
  home: string;
  cwd: string;
  ownFolder: string;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable;
  stderr: Writable;
  /** Creates the connection to the worker of a data directory. @default createLocalWorkerLink */
  connect?: typeof createLocalWorkerLink;
}

/** Runs one command line. Prints expected errors and returns their exit code; throws only unexpected errors. */
export async function runCli(options: CliOptions): Promise<ExitCode> {
  const terminal = createTerminal(options);
  // hosts treat other exit codes as failures, so a hook exits with 0 even when its arguments are invalid
  const isHook = isHookCall(options.argv) && options.stdin.isTTY !== true;
  let reportVersions = async (): Promise<void> => undefined;
  try {
    const { command, operands, options: values } = parseCommandLine(options.argv, COMMANDS);
    const version = readVersion(options.ownFolder);
    if (values['version']) terminal.print(version);
    else if (command === null || values['help'])
      terminal.print(command ? renderCommandHelp(command) : renderOverview(COMMANDS));
    if (values['version'] || values['help']) return EXIT.done;
    if (command === null) return EXIT.usage;
    const { home, cwd } = options;
    if (values['data-dir'] === undefined && !isHook) requireSameDataDir(options);
    const env = environmentFor(options, values['data-dir']);
    const isEnvironmentTrusted = command.trustsEnvironment === true;
    const loaded = loadSettings({ env, home, cwd, isEnvironmentTrusted });
    const worker = (options.connect ?? createLocalWorkerLink)(loaded.paths);
    reportVersions = async () => {
      const reason = await findVersionMismatch({ worker, version });
      if (reason !== null) terminal.warn(`Possible reason: ${reason}`);
    };
    return await command.run({
      ...options,
      env,
      operands,
      options: values,
      terminal,
      version,
      loaded,
      worker,
    });
  } catch (error) {
    if (isHook) return EXIT.done;
    if (isSystemError(error)) {
      const fix = isFull(error) ? 'Free disk space' : 'Make the folder writable';
      terminal.warn(`${error.message}. ${fix}, or use another --data-dir.`);
      return EXIT.failed;
    }
    if (!ClaudeMemError.isInstance(error)) throw error;
    terminal.warn(error.message);
    if (error.code.startsWith('worker-client/') && error.code !== 'worker-client/away')
      await reportVersions();
    return exitCodeOf(error);
  }
}

/** Whether the error comes from the file system and not from a bug. */
const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && ('path' in error || isFull(error));

/** These errors occur when an open file is written, so they have no path. */
const isFull = (error: object) =>
  'code' in error && ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(error.code));

const HOOK_NAMES = new Set(['hook', 'new', 'save', 'summary']);

function isHookCall(argv: readonly string[]): boolean {
  const name = argv.find((word) => !word.startsWith('-')) ?? '';
  return HOOK_NAMES.has(name) || (name === 'context' && isContextHook(argv));
}

function environmentFor({ env, home, cwd }: CliOptions, dataDir: string | boolean | undefined) {
  if (typeof dataDir !== 'string') return env;
  const requested = /^~(?:$|[/\\])/.test(dataDir) ? expandPath(dataDir, home) : resolve(cwd, dataDir);
  return { ...env, CLAUDE_MEM_DATA_DIR: requested };
}

/** @throws CliError when the launcher of one data directory runs with CLAUDE_MEM_DATA_DIR of another */
function requireSameDataDir({ env, home }: CliOptions): void {
  const [requested, own] = [env[REQUESTED_DATA_DIR]?.trim(), env['CLAUDE_MEM_DATA_DIR']];
  if (!requested || !own) return;
  const { dataDir, launcher } = dataPaths(expandPath(requested, home));
  if (realPathOf(dataDir) === realPathOf(own)) return;
  throw new CliError(
    'cli/usage',
    `This command belongs to the data folder ${own}, but CLAUDE_MEM_DATA_DIR is ${requested}. Add --data-dir ${dataDir}, or run ${launcher}.`,
  );
}

function readVersion(ownFolder: string): string {
  const manifest = JSON.parse(readFileSync(join(ownFolder, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}
