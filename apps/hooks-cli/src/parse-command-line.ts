import { parseArgs } from 'node:util';
import { CliError } from './cli-error.js';
import { closestWord } from './closest-word.js';
import type { Command, CommandOption, OptionValues } from './command.js';

/** Options of every command, allowed before and after its name. */
export const GLOBAL_OPTIONS: Readonly<Record<string, CommandOption>> = {
  'data-dir': { type: 'string', value: 'DIR', summary: 'Data directory of the memory' },
  help: { type: 'boolean', short: 'h', summary: 'Show help' },
  version: { type: 'boolean', short: 'v', summary: 'Show the version' },
};

export interface CommandLine {
  /** Null when the command line names no command. */
  command: Command | null;
  operands: readonly string[];
  options: OptionValues;
}

/** @throws CliError `cli/usage`, with a suggestion when a known word is similar */
export function parseCommandLine(argv: readonly string[], commands: readonly Command[]): CommandLine {
  const nameAt = commandIndex(argv);
  const name = argv[nameAt];
  const command = name === undefined ? null : findCommand(name, commands);
  const known = { ...GLOBAL_OPTIONS, ...command?.options };
  const rest = argv.filter((_, index) => index !== nameAt);
  const { positionals, values } = parse(rest, known, command);
  if (command) checkCount(command, positionals, values);
  return { command, operands: positionals, options: values };
}

/** Index of the first word that is neither an option nor the value of one. */
function commandIndex(argv: readonly string[]): number {
  const index = argv.findIndex((word, at) => !word.startsWith('-') && argv[at - 1] !== '--data-dir');
  return index < 0 ? argv.length : index;
}

function findCommand(name: string, commands: readonly Command[]): Command {
  const found = commands.find((command) => command.name === name);
  if (found) return found;
  const names = commands.map((command) => command.name);
  throw usage(`Unknown command "${name}".${suggest(closestWord(name, names))}`, null);
}

function parse(args: string[], known: Readonly<Record<string, CommandOption>>, command: Command | null) {
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { type, short }]) => [name, { type, ...(short && { short }) }]),
  );
  const lists: Record<string, string> = {};
  const seen = new Set<string>();
  for (const { name, rawName, value } of optionTokens(args, options)) {
    const option = known[name];
    if (option) {
      if ((option.isList || option.isLines) && value !== undefined)
        lists[name] =
          lists[name] === undefined ? value : `${lists[name]}${option.isLines ? '\n' : ','}${value}`;
      else if (option.type === 'string' && seen.has(name))
        throw usage(`${rawName} can be given only once.`, command);
      seen.add(name);
      continue;
    }
    const closest = closestWord(name, Object.keys(known));
    throw usage(`Unknown option ${rawName}.${suggest(closest && `--${closest}`)}`, command);
  }
  try {
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true });
    return { positionals, values: { ...values, ...lists } };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [, name] = /^Option '.*--([\w-]+).*' argument is ambiguous/.exec(error.message) ?? [];
    if (name !== undefined)
      throw usage(
        `--${name} needs a value. A value that begins with "-" needs "=": --${name}=VALUE.`,
        command,
      );
    throw usage(`${error.message.split('. ')[0]?.replace(/\.$/, '')}.`, command);
  }
}

function optionTokens(args: string[], options: Record<string, { type: 'string' | 'boolean' }>) {
  const { tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });
  return tokens.filter((token) => token.kind === 'option');
}

function checkCount(command: Command, operands: readonly string[], options: OptionValues): void {
  if (options['help'] || options['version']) return;
  const { min, max } = command.operandCount ?? { min: 0, max: 0 };
  if (operands.length < min) throw usage(`${command.name} needs ${command.operands}.`, command);
  if (operands.length > max) throw usage(`${command.name} does not take "${operands[max]}".`, command);
}

function usage(message: string, command: Command | null): CliError {
  const help = command ? `claude-mem ${command.name} --help` : 'claude-mem help';
  return new CliError('cli/usage', `${message} See: ${help}`);
}

const suggest = (word: string | null) => (word ? ` Did you mean "${word}"?` : '');
