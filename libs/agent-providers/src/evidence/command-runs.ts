import { toSingleLine, truncate, type ObservedToolUse } from '@claude-mem/core';
import { CHECKS, commandKey, kindOf, type CommandKind } from './command-kind.js';
import { errorLineIn, isSlip } from './error-line.js';
import { fieldOf, outputOf, textOf } from './json-fields.js';
import { parseShell, type SimpleCommand } from './parse-shell.js';
import { isScratch } from './project-paths.js';
import { countsIn, saysFailure } from './result-counts.js';

/** One command line that ran. */
export interface CommandRun {
  /** Index of its tool use in the batch. */
  at: number;
  /** As it may be shown: one line, without `cd`, pipes to `tail` and here-documents. Of a check only its own call. */
  shown: string;
  /** The whole command line, bounded. */
  line: string;
  kind: CommandKind;
  /** Equal for runs that check the same thing. */
  key: string;
  outcome: 'passed' | 'failed' | 'interrupted';
  exitCode: number | null;
  /** First real error line, with code and place where it has them. */
  error: string | null;
  /** What it counted, such as `478 tests passed`. */
  counts: string | null;
  output: string;
  /** Why the agent ran it, in its words. */
  purpose: string | null;
  /** It ran in or on temporary files: it says nothing about the project. */
  isScratch: boolean;
  /** Its failure is only a slip of the agent's shell handling. */
  isSlip: boolean;
  /** It ran while the changes were stashed away, so it does not prove them. */
  isStashed: boolean;
}

const SHELL = new Set([
  'bash',
  'shell',
  'shellcommand',
  'localshell',
  'execcommand',
  'containerexec',
  'runshellcommand',
  'runterminalcmd',
  'powershell',
  'runcommand',
  'terminal',
]);

function isShellTool(toolName: string): boolean {
  return SHELL.has(toolName.toLowerCase().replace(/[^a-z]/g, ''));
}

/** The command line of a shell tool use; null for other tools. */
export function commandLineOf(use: ObservedToolUse): string | null {
  if (!isShellTool(use.toolName)) return null;
  const command = fieldOf(use.input, 'command', 'cmd', 'script');
  if (Array.isArray(command)) {
    const words = (command as readonly unknown[]).filter((word) => typeof word === 'string');
    return /^(?:ba|z)?sh$/.test(words[0] ?? '') ? (words.at(-1) ?? '') : words.join(' ');
  }
  return typeof command === 'string'
    ? command.slice(0, 40_000)
    : typeof use.input === 'string'
      ? use.input
      : null;
}

export function readCommandRun(use: ObservedToolUse, at: number): CommandRun | null {
  const line = commandLineOf(use);
  if (line === null) return null;
  const commands = parseShell(line);
  const output = [use.error ?? '', outputOf(use.response)].filter(Boolean).join('\n');
  const kinds = commands.map(kindOf);
  const kind = mainKind(kinds);
  const main = commands[kinds.lastIndexOf(kind)] ?? {
    words: [line],
    assignments: [],
    writesTo: [],
    heredoc: null,
    after: '' as const,
  };
  const exitCode = exitCodeOf(use, output);
  const isPiped = commands[commands.indexOf(main) + 1]?.after === '|';
  const outcome = outcomeOf(use, exitCode, CHECKS.has(kind) && isPiped && saysFailure(output));
  const purpose = textOf(use.input, 'description');
  return {
    at,
    shown: CHECKS.has(kind) ? shownCall(main) : shownCommand(line),
    line: line.slice(0, 8_000),
    kind,
    key: commandKey(main),
    outcome,
    exitCode,
    error: outcome === 'passed' ? null : errorLineIn(output),
    counts: CHECKS.has(kind) ? countsIn(output) : null,
    output,
    purpose: purpose === null ? null : truncate(toSingleLine(purpose), 120),
    isScratch: runsInScratch(commands),
    isSlip:
      outcome === 'failed' &&
      (kind === 'look' ||
        isSlip(CHECKS.has(kind) ? output.slice(0, output.length > 800 ? 120 : 800) : output)),
    isStashed:
      commands.some(
        ({ words }) => words[0] === 'git' && words[1] === 'stash' && (words[2] ?? 'push') === 'push',
      ) && CHECKS.has(kind),
  };
}

const ORDER: readonly CommandKind[] = [
  'test',
  'typecheck',
  'lint',
  'build',
  'commit',
  'run',
  'format',
  'look',
];

function mainKind(kinds: readonly CommandKind[]): CommandKind {
  return ORDER.find((kind) => kinds.includes(kind)) ?? 'look';
}

function exitCodeOf(use: ObservedToolUse, output: string): number | null {
  const field = fieldOf(use.response, 'exitCode', 'exit_code', 'returnCode');
  if (typeof field === 'number') return field;
  const written =
    /^(?:Error: )?Exit code:? (\d+)/im.exec(output.slice(0, 400))?.[1] ??
    /"exit_code":\s*(\d+)/.exec(output.slice(-400))?.[1];
  if (written !== undefined) return Number(written);
  return use.outcome === 'succeeded' ? 0 : null;
}

/** A pipe hides the exit code of a check: then its output has to say it. */
function outcomeOf(
  use: ObservedToolUse,
  exitCode: number | null,
  saysItFailed: boolean,
): CommandRun['outcome'] {
  if (use.isInterrupt || fieldOf(use.response, 'interrupted') === true) return 'interrupted';
  if (use.outcome === 'failed' || (exitCode !== null && exitCode !== 0)) return 'failed';
  return saysItFailed ? 'failed' : 'passed';
}

function shownCall({ words }: SimpleCommand): string {
  const quoted = words.map((word) => (/[\s"'|&;<>()$]/.test(word) ? JSON.stringify(word) : word));
  return truncate(toSingleLine(quoted.join(' ')), 100);
}

/** Bounded to one line that still can be typed again. */
function shownCommand(line: string): string {
  const short = line
    .split('\n', 1)[0]!
    .slice(0, 1_000)
    .replace(/^\s*cd\s+(?:"[^"]*"|'[^']*'|\S+)\s*(?:&&|;)\s*/, '')
    .replace(/\s*2>&1/g, '')
    .replace(/\s*\|\s*(?:tail|head)\b[^|&;]*/g, '')
    .replace(/\s*<<-?\s*['"]?\w+['"]?.*$/, ' …');
  return truncate(toSingleLine(short), 120);
}

function runsInScratch(commands: readonly SimpleCommand[]): boolean {
  return commands.some(
    ({ words }) =>
      words[0] !== 'rm' &&
      words.slice(0, 8).some((word) => isScratch(word)) &&
      (words[0] === 'cd' ||
        kindOf({ words, assignments: [], writesTo: [], heredoc: null, after: '' }) === 'run'),
  );
}
