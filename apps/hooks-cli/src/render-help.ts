import type { Command, CommandOption } from './command.js';
import { GLOBAL_OPTIONS } from './parse-command-line.js';
import { EXIT } from './exit-codes.js';

/** Renders the help page that lists every command. */
export function renderOverview(commands: readonly Command[]): string {
  return [
    'claude-mem: a memory for coding agents',
    '',
    'Usage: claude-mem COMMAND [OPTIONS]',
    '',
    ...formatColumns(commands.map(({ name, summary }) => [name, summary])),
    '',
    'Global options',
    ...optionLines(GLOBAL_OPTIONS),
    '',
    `Exit codes: ${EXIT.done} done, ${EXIT.failed} failed, ${EXIT.usage} invalid usage, ${EXIT.workerNotRunning} worker not running`,
  ].join('\n');
}

export function renderCommandHelp(command: Command): string {
  const { name, summary, operands, options = {}, details = [] } = command;
  const hasOptions = Object.keys(options).length > 0;
  return [
    summary,
    '',
    `Usage: claude-mem ${[name, operands, hasOptions ? '[OPTIONS]' : ''].filter(Boolean).join(' ')}`,
    ...(details.length > 0 ? ['', ...details] : []),
    ...(hasOptions ? ['', 'Options', ...optionLines(options)] : []),
  ].join('\n');
}

function optionLines(options: Readonly<Record<string, CommandOption>>): string[] {
  return formatColumns(
    Object.entries(options).map(([name, { short, value, summary }]) => [
      `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`,
      summary,
    ]),
  );
}

function formatColumns(rows: readonly (readonly [string, string])[] | string[][]): string[] {
  const width = Math.max(...rows.map(([left = '']) => left.length));
  return rows.map(([left = '', right = '']) => `  ${left.padEnd(width)}  ${right}`);
}
