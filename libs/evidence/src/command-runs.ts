import { toSingleLine, truncate, type ObservedToolUse } from '@claude-mem/core';
import { echoedExitCode, printsAllOutput, returnsExitCode, reportsPass } from './check-outcome.js';
import {
  CHECKS,
  commandName,
  findFolderOption,
  getCommandKind,
  getProgram,
  getTargets,
  type CommandKind,
} from './command-kind.js';
import { findErrorLine, isUsageError } from './error-line.js';
import { isTruncated } from './is-truncated.js';
import { getField, getOutput, getText } from './json-fields.js';
import { parseShell, type SimpleCommand } from './parse-shell.js';
import { isScratchPath } from './project-paths.js';
import { readCounts, reportsFailure } from './result-counts.js';
import { changeFolder } from './shell-steps.js';

/** One executed command line. */
export interface CommandRun {
  /** Index of the tool use in the batch. */
  at: number;
  /**
   * The command on one line, for display. A check is reduced to its own call. Other lines lose `cd`, here-documents and
   * pipes to `tail`.
   */
  displayLine: string;
  /** The command line, at most 8,000 UTF-16 code units. */
  line: string;
  kind: CommandKind;
  name: string;
  /** Equal for runs of the same check with the same kind, folder and targets. */
  key: string;
  /** The folder in which the command ran, or null when the folder is not known. */
  folder: string | null;
  /** Equal for runs of the same check with any targets. */
  program: string;
  targets: readonly string[];
  /** `unknown` means that neither the exit code of the shell nor the output shows the result. */
  outcome: 'passed' | 'failed' | 'interrupted' | 'unknown';
  exitCode: number | null;
  /** First error line that names a cause, with its code and position if the output contains them. */
  error: string | null;
  /** Counts of the check, such as `478 tests passed`. */
  counts: string | null;
  output: string;
  /** The description that the agent added to the command. */
  purpose: string | null;
  /** True when the command ran on temporary files or in another project. Its result does not apply to this project. */
  isScratch: boolean;
  /** True when the command failed because the agent called it incorrectly. */
  isUsageError: boolean;
  /** True when the command ran while the changes were stashed. Its result does not apply to the changes. */
  isStashed: boolean;
  /** True when the changes are still stashed after the command. */
  hasStashAfter: boolean;
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

/** Returns true when a tool runs command lines. */
export function isShellTool(toolName: string): boolean {
  return SHELL.has(toolName.toLowerCase().replace(/[^a-z]/g, ''));
}

/** Returns the command line of a shell tool use, or null for other tools. */
export function commandLineOf(use: ObservedToolUse): string | null {
  if (!isShellTool(use.toolName)) return null;
  const command = getField(use.input, 'command', 'cmd', 'script');
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

export interface RunContext {
  isInProject: (folder: string) => boolean;
  /** True when earlier runs left the changes stashed. */
  isStashed: boolean;
}

export function readCommandRun(use: ObservedToolUse, at: number, context: RunContext): CommandRun | null {
  const line = commandLineOf(use);
  if (line === null) return null;
  const parsed = parseShell(line);
  const commands = parsed.length > 0 ? parsed : [{ ...EMPTY_COMMAND, words: [line] }];
  const output = [use.error ?? '', getOutput(use.response)].filter(Boolean).join('\n');
  const kinds = commands.map(getCommandKind);
  const kind = selectMainKind(kinds);
  const index = kinds.lastIndexOf(kind);
  const main = commands[index]!;
  const exitCode = readExitCode(use, output);
  const outcome = resolveOutcome(use, { commands, index, kind, exitCode, output });
  const purpose = getText(use.input, 'description');
  const call = readCall(commands, index, use.cwd);
  return {
    ...call,
    at,
    displayLine: CHECKS.has(kind) ? formatCall(main) : formatCommandLine(line),
    line: line.slice(0, 8_000),
    outcome,
    exitCode,
    error: outcome === 'passed' || outcome === 'unknown' ? null : findErrorLine(output),
    counts:
      CHECKS.has(kind) && printsAllOutput(commands, index)
        ? readCounts(output, {
            isPartial: isTruncated(output) || commands.slice(index + 1).some(dropsLines),
            isTest: kind === 'test',
          })
        : null,
    output,
    purpose: purpose === null ? null : truncate(toSingleLine(purpose), 120),
    isScratch: runsInScratch(commands) || call.folder === null || !context.isInProject(call.folder),
    isUsageError:
      outcome === 'failed' &&
      (kind === 'inspect' ||
        isUsageError(CHECKS.has(kind) ? output.slice(0, output.length > 800 ? 120 : 800) : output)),
    isStashed: CHECKS.has(kind) && isStashedAfter(commands.slice(0, index), context.isStashed),
    hasStashAfter: isStashedAfter(commands, context.isStashed),
  };
}

/**
 * Lists the other checks of a command line that passed according to its exit code, such as `lint` in `lint && test`.
 */
export function otherChecks(
  use: ObservedToolUse,
  run: CommandRun,
  { isStashed }: Pick<RunContext, 'isStashed'>,
): CommandRun[] {
  if (use.outcome === 'failed' || run.exitCode !== 0 || use.isInterrupt || isInBackground(use)) return [];
  const commands = parseShell(commandLineOf(use) ?? '');
  return commands.flatMap((command, index): CommandRun[] => {
    const call = readCall(commands, index, use.cwd);
    const displayLine = formatCall(command);
    if (!CHECKS.has(call.kind) || displayLine === run.displayLine || call.folder !== run.folder) return [];
    if (!returnsExitCode(commands, index)) return [];
    return [
      {
        ...run,
        ...call,
        displayLine,
        line: displayLine,
        outcome: 'passed',
        error: null,
        counts: null,
        output: '',
        isUsageError: false,
        isStashed: isStashedAfter(commands.slice(0, index), isStashed),
      },
    ];
  });
}

function readCall(commands: readonly SimpleCommand[], index: number, cwd: string | null) {
  const command = commands[index]!;
  const kind = getCommandKind(command);
  const folder = resolveFolder(commands.slice(0, index + 1), cwd);
  const targets = getTargets(command);
  const program = getProgram(command);
  const key = [kind, folder, program, ...targets].join(' ');
  return { kind, name: commandName(command), key, folder, program, targets };
}

const isInBackground = (use: ObservedToolUse): boolean =>
  getField(use.input, 'run_in_background', 'is_background') === true ||
  getField(use.response, 'backgroundTaskId') !== undefined;

const EMPTY_COMMAND: SimpleCommand = {
  words: [],
  assignments: [],
  writesTo: [],
  heredoc: null,
  precedingOperator: '',
  hidesExitCode: false,
};

const ENDS_STASH = new Set(['pop', 'apply', 'drop', 'clear']);

function isStashedAfter(commands: readonly SimpleCommand[], before: boolean): boolean {
  return commands.reduce((isStashed, { words: [program, verb, ...args] }) => {
    if (program !== 'git' || verb !== 'stash') return isStashed;
    const action = args.find((arg) => !arg.startsWith('-')) ?? 'push';
    if (action === 'push' || action === 'save') return true;
    return ENDS_STASH.has(action) ? false : isStashed;
  }, before);
}

/** Returns the folder in which the last command runs, or null when the folder is not known. */
function resolveFolder(commands: readonly SimpleCommand[], cwd: string | null): string | null {
  let folder: string | null = cwd ?? '.';
  for (const { words } of commands) {
    const isAtRoot = words[1]?.includes('git rev-parse --show-toplevel') === true;
    if ((words[0] === 'cd' || words[0] === 'pushd') && !isAtRoot) folder = changeFolder(folder, words[1]);
  }
  const option = findFolderOption(commands.at(-1)!);
  return option === null || folder === null ? folder : changeFolder(folder, option);
}

/** Returns true when no exit code reports a failure. The result can still be unknown. */
export const succeeded = ({ outcome }: CommandRun): boolean => outcome === 'passed' || outcome === 'unknown';

const ORDER: readonly CommandKind[] = [
  'test',
  'typecheck',
  'lint',
  'build',
  'commit',
  'run',
  'format',
  'inspect',
];

function selectMainKind(kinds: readonly CommandKind[]): CommandKind {
  return ORDER.find((kind) => kinds.includes(kind)) ?? 'inspect';
}

function readExitCode(use: ObservedToolUse, output: string): number | null {
  const field = getField(use.response, 'exitCode', 'exit_code', 'returnCode');
  if (typeof field === 'number') return field;
  const printedCode =
    /^(?:Error: )?Exit code:? (\d+)/im.exec(output.slice(0, 400))?.[1] ??
    /"exit_code":\s*(\d+)/.exec(output.slice(-400))?.[1];
  if (printedCode !== undefined) return Number(printedCode);
  return use.outcome === 'succeeded' ? 0 : null;
}

interface ParsedRun {
  commands: readonly SimpleCommand[];
  /** Index of the command that determines the kind of the run. */
  index: number;
  kind: CommandKind;
  exitCode: number | null;
  output: string;
}

/** A pipe, `||`, `;` or a background call hides the exit code of a check. Its own output must then show the result. */
function resolveOutcome(
  use: ObservedToolUse,
  { commands, index, kind, exitCode, output }: ParsedRun,
): CommandRun['outcome'] {
  if (use.isInterrupt || getField(use.response, 'interrupted') === true) return 'interrupted';
  const isFailure = use.outcome === 'failed' || (exitCode !== null && exitCode !== 0);
  const isCheck = CHECKS.has(kind);
  if (!isCheck && (isFailure || kind !== 'run')) return isFailure ? 'failed' : 'passed';
  const isBackground = isInBackground(use);
  const echoed = echoedExitCode(commands, index, output);
  if (echoed !== null && echoed !== 0) return 'failed';
  const isOwnExitCode = echoed === 0 || (!isBackground && returnsExitCode(commands, index));
  if (!isCheck) return isOwnExitCode ? 'passed' : 'unknown';
  const isOnlyTest =
    kind === 'test' && commands.filter((command) => CHECKS.has(getCommandKind(command))).length === 1;
  const reportsFailed = reportsFailure(output, {
    reportsPass: isOnlyTest && reportsPass(commands[index]!, output),
  });
  if (isFailure) return reportsFailed || isOwnExitCode ? 'failed' : 'unknown';
  if (isOwnExitCode) return reportsFailed ? 'unknown' : 'passed';
  if (!printsAllOutput(commands, index)) return 'unknown';
  if (reportsFailed) return 'failed';
  return !isBackground && reportsPass(commands[index]!, output) ? 'passed' : 'unknown';
}

const dropsLines = ({ words: [program] }: SimpleCommand) =>
  /^(?:tail|head|e?grep|rg|sed|awk)$/.test(program ?? '');

export function formatCall({ words }: SimpleCommand): string {
  const quoted = words.map((word) => (/[\s"'|&;<>()$]/.test(word) ? JSON.stringify(word) : word));
  return truncate(toSingleLine(quoted.join(' ')), 100);
}

/** Formats a command line as one short line that a user can type again. */
function formatCommandLine(line: string): string {
  const short = toSingleLine(line.split('\n', 1)[0]!.slice(0, 1_000))
    .replace(/^\s*cd\s+(?:"[^"]*"|'[^']*'|\S+)\s*(?:&&|;)\s*/, '')
    .replace(/\s*2>&1/g, '')
    .replace(/\s*\|\s*(?:tail|head)\b[^|&;]*/g, '')
    .replace(/\s*<<-?\s*['"]?\w+['"]?.*$/, ' …');
  return truncate(short.trim(), 120);
}

function runsInScratch(commands: readonly SimpleCommand[]): boolean {
  return commands.some(
    ({ words }) =>
      words[0] !== 'rm' &&
      words.slice(0, 8).some((word) => isScratchPath(word)) &&
      (words[0] === 'cd' || getCommandKind({ words }) === 'run'),
  );
}
