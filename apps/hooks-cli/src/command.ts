import type { Readable } from 'node:stream';
import type { LoadedSettings } from '@claude-mem/settings';
import type { WorkerLink } from '@claude-mem/worker-protocol/local';
import type { ExitCode } from './exit-codes.js';
import type { Terminal } from './terminal.js';

export interface CommandOption {
  type: 'string' | 'boolean';
  /** Takes several values: with commas, or given several times, which is the same. */
  isList?: true;
  /** Given several times, each is a line: for texts that may have commas. */
  isLines?: true;
  short?: string;
  /** Placeholder of the value in the help. */
  value?: string;
  summary: string;
}

export type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

/** What a command works with: all of it is handed in, nothing is looked up. */
export interface CommandContext {
  operands: readonly string[];
  options: OptionValues;
  terminal: Terminal;
  stdin: Readable;
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  cwd: string;
  /** Where this program's files are. */
  ownFolder: string;
  version: string;
  loaded: LoadedSettings;
  worker: WorkerLink;
}

/** One word of the command line. */
export interface Command {
  name: string;
  summary: string;
  /** What follows the name, for the help. */
  operands?: string;
  /** How many operands there may be. @default none */
  operandCount?: { min: number; max: number };
  options?: Readonly<Record<string, CommandOption>>;
  /** Settings that decide which program runs, where data is sent, or with which key may come from the environment. @default false */
  trustsEnvironment?: true;
  /** Lines below the usage. */
  details?: readonly string[];
  run(context: CommandContext): Promise<ExitCode>;
}
