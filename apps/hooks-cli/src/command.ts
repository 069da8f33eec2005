import type { Readable } from 'node:stream';
import type { LoadedSettings } from '@claude-mem/settings';
import type { WorkerLink } from '@claude-mem/worker-protocol/local';
import type { ExitCode } from './exit-codes.js';
import type { Terminal } from './terminal.js';

export interface CommandOption {
  type: 'string' | 'boolean';
  /** Accepts several values, separated by commas or by repeating the option. */
  isList?: true;
  /** Accepts several values by repeating the option only, for texts that can contain commas. */
  isLines?: true;
  short?: string;
  /** Placeholder of the value in the help. */
  value?: string;
  summary: string;
}

export type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

/** Everything that a command reads from its surroundings. */
export interface CommandContext {
  operands: readonly string[];
  options: OptionValues;
  terminal: Terminal;
  stdin: Readable;
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  cwd: string;
  /** Folder of the files of this program. */
  ownFolder: string;
  version: string;
  loaded: LoadedSettings;
  worker: WorkerLink;
}

export interface Command {
  name: string;
  summary: string;
  /** Placeholders of the operands in the help. */
  operands?: string;
  /** Allowed number of operands. @default none */
  operandCount?: { min: number; max: number };
  options?: Readonly<Record<string, CommandOption>>;
  /** Accepts security-relevant settings (programs, addresses, keys) from the environment. @default false */
  trustsEnvironment?: true;
  /** Lines of the help below the usage. */
  details?: readonly string[];
  run(context: CommandContext): Promise<ExitCode>;
}
