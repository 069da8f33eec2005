import { toSingleLine, truncate, type ObservedToolUse } from '@claude-mem/core';
import { echoedExitCode, ownsOutput, returnsExitCode, showsPass } from './check-outcome.js';
import {
  CHECKS,
  commandName,
  folderOption,
  kindOf,
  programOf,
  targetsOf,
  type CommandKind,
} from './command-kind.js';
import { errorLineIn, isSlip } from './error-line.js';
import { isCut } from './is-cut.js';
import { fieldOf, outputOf, textOf } from './json-fields.js';
import { parseShell, type SimpleCommand } from './parse-shell.js';
import { isScratch } from './project-paths.js';
import { countsIn, reportsFailure } from './result-counts.js';
import { changeFolder } from './shell-steps.js';

/** One command line that ran. */
export interface CommandRun {
  /** Index of its tool use in the batch. */
  at: number;
  /** As it may be shown: one line, without `cd`, pipes to `tail` and here-documents. Of a check only its own call. */
  shown: string;
  /** The whole command line, bounded. */
  line: string;
  kind: CommandKind;
  /** Program and script, such as `npm run lint`. */
  name: string;
  /** Equal for runs that check the same thing: kind, folder, name and targets. */
  key: string;
  /** The folder in which it ran; null when it is not known. */
  folder: string | null;
  /** Equal for runs of the same check, whatever their targets. */
  program: string;
  /** Files and filters that limit the check. */
  targets: readonly string[];
  /** `unknown`: neither the exit code of the shell nor the output shows the result of this command. */
  outcome: 'passed' | 'failed' | 'interrupted' | 'unknown';
  exitCode: number | null;
  /** First real error line, with code and place where it has them. */
  error: string | null;
  /** What it counted, such as `478 tests passed`. */
  counts: string | null;
  output: string;
  /** Why the agent ran it, in its words. */
  purpose: string | null;
  /** The command ran on temporary files or in another project, so its result does not apply to this project. */
  isScratch: boolean;
  /** Its failure is only a slip of the agent's shell handling. */
  isSlip: boolean;
  /** It ran while the changes were stashed away, so it does not prove them. */
  isStashed: boolean;
  /** The changes are still stashed away after it. */
  leavesStash: boolean;
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

/** Whether a tool runs command lines. */
export function isShellTool(toolName: string): boolean {
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

export interface RunContext {
  isInProject: (folder: string) => boolean;
  /** Earlier runs left the changes stashed away. */
  isStashed: boolean;
}

export function readCommandRun(use: ObservedToolUse, at: number, context: RunContext): CommandRun | null {
  const line = commandLineOf(use);
  if (line === null) return null;
  const parsed = parseShell(line);
  const commands = parsed.length > 0 ? parsed : [{ ...NO_COMMAND, words: [line] }];
  const output = [use.error ?? '', outputOf(use.response)].filter(Boolean).join('\n');
  const kinds = commands.map(kindOf);
  const kind = mainKind(kinds);
  const index = kinds.lastIndexOf(kind);
  const main = commands[index]!;
  const exitCode = exitCodeOf(use, output);
  const outcome = outcomeOf(use, { commands, index, kind, exitCode, output });
  const purpose = textOf(use.input, 'description');
  const call = callAt(commands, index, use.cwd);
  return {
    ...call,
    at,
    shown: CHECKS.has(kind) ? shownCall(main) : shownCommand(line),
    line: line.slice(0, 8_000),
    outcome,
    exitCode,
    error: outcome === 'passed' || outcome === 'unknown' ? null : errorLineIn(output),
    counts:
      CHECKS.has(kind) && ownsOutput(commands, index)
        ? countsIn(output, {
            isPartial: isCut(output) || commands.slice(index + 1).some(dropsLines),
            isTest: kind === 'test',
          })
        : null,
    output,
    purpose: purpose === null ? null : truncate(toSingleLine(purpose), 120),
    isScratch: runsInScratch(commands) || call.folder === null || !context.isInProject(call.folder),
    isSlip:
      outcome === 'failed' &&
      (kind === 'look' ||
        isSlip(CHECKS.has(kind) ? output.slice(0, output.length > 800 ? 120 : 800) : output)),
    isStashed: CHECKS.has(kind) && isStashedAfter(commands.slice(0, index), context.isStashed),
    leavesStash: isStashedAfter(commands, context.isStashed),
  };
}

/** Lists the other checks in the command line of a run that passed according to its exit code, such as `lint` in `lint && test`. */
export function otherChecks(
  use: ObservedToolUse,
  run: CommandRun,
  { isStashed }: Pick<RunContext, 'isStashed'>,
): CommandRun[] {
  if (use.outcome === 'failed' || run.exitCode !== 0 || use.isInterrupt || isInBackground(use)) return [];
  const commands = parseShell(commandLineOf(use) ?? '');
  return commands.flatMap((command, index): CommandRun[] => {
    const call = callAt(commands, index, use.cwd);
    const shown = shownCall(command);
    if (!CHECKS.has(call.kind) || shown === run.shown || call.folder !== run.folder) return [];
    if (!returnsExitCode(commands, index)) return [];
    return [
      {
        ...run,
        ...call,
        shown,
        line: shown,
        outcome: 'passed',
        error: null,
        counts: null,
        output: '',
        isSlip: false,
        isStashed: isStashedAfter(commands.slice(0, index), isStashed),
      },
    ];
  });
}

/** The parts of a run that the call of one command determines. */
function callAt(commands: readonly SimpleCommand[], index: number, cwd: string | null) {
  const command = commands[index]!;
  const kind = kindOf(command);
  const folder = folderOf(commands.slice(0, index + 1), cwd);
  const targets = targetsOf(command);
  const program = programOf(command);
  const key = [kind, folder, program, ...targets].join(' ');
  return { kind, name: commandName(command), key, folder, program, targets };
}

const isInBackground = (use: ObservedToolUse): boolean =>
  fieldOf(use.input, 'run_in_background', 'is_background') === true ||
  fieldOf(use.response, 'backgroundTaskId') !== undefined;

const NO_COMMAND: SimpleCommand = {
  words: [],
  assignments: [],
  writesTo: [],
  heredoc: null,
  after: '',
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

/** The folder in which the last of the commands runs; null when it cannot be known. */
function folderOf(commands: readonly SimpleCommand[], cwd: string | null): string | null {
  let folder: string | null = cwd ?? '.';
  for (const { words } of commands) {
    const isAtRoot = words[1]?.includes('git rev-parse --show-toplevel') === true;
    if ((words[0] === 'cd' || words[0] === 'pushd') && !isAtRoot) folder = changeFolder(folder, words[1]);
  }
  const option = folderOption(commands.at(-1)!);
  return option === null || folder === null ? folder : changeFolder(folder, option);
}

/** True when no exit code reports a failure, so the output decides. */
export const succeeded = ({ outcome }: CommandRun): boolean => outcome === 'passed' || outcome === 'unknown';

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

interface Run {
  commands: readonly SimpleCommand[];
  /** Index of the command that the run is about. */
  index: number;
  kind: CommandKind;
  exitCode: number | null;
  output: string;
}

/** A pipe, `||`, `;` or the background hides the exit code of a check: then its own output has to show the result. */
function outcomeOf(
  use: ObservedToolUse,
  { commands, index, kind, exitCode, output }: Run,
): CommandRun['outcome'] {
  if (use.isInterrupt || fieldOf(use.response, 'interrupted') === true) return 'interrupted';
  const isFailure = use.outcome === 'failed' || (exitCode !== null && exitCode !== 0);
  const isCheck = CHECKS.has(kind);
  if (!isCheck && (isFailure || kind !== 'run')) return isFailure ? 'failed' : 'passed';
  const isBackground = isInBackground(use);
  const echoed = echoedExitCode(commands, index, output);
  if (echoed !== null && echoed !== 0) return 'failed';
  const isOwnCode = echoed === 0 || (!isBackground && returnsExitCode(commands, index));
  if (!isCheck) return isOwnCode ? 'passed' : 'unknown';
  const isOnlyTest =
    kind === 'test' && commands.filter((command) => CHECKS.has(kindOf(command))).length === 1;
  const isToldFailed = reportsFailure(output, {
    showsPass: isOnlyTest && showsPass(commands[index]!, output),
  });
  if (isFailure) return isToldFailed || isOwnCode ? 'failed' : 'unknown';
  if (isOwnCode) return isToldFailed ? 'unknown' : 'passed';
  if (!ownsOutput(commands, index)) return 'unknown';
  if (isToldFailed) return 'failed';
  return !isBackground && showsPass(commands[index]!, output) ? 'passed' : 'unknown';
}

const dropsLines = ({ words: [program] }: SimpleCommand) =>
  /^(?:tail|head|e?grep|rg|sed|awk)$/.test(program ?? '');

export function shownCall({ words }: SimpleCommand): string {
  const quoted = words.map((word) => (/[\s"'|&;<>()$]/.test(word) ? JSON.stringify(word) : word));
  return truncate(toSingleLine(quoted.join(' ')), 100);
}

/** Bounded to one line that still can be typed again. */
function shownCommand(line: string): string {
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
      words.slice(0, 8).some((word) => isScratch(word)) &&
      (words[0] === 'cd' || kindOf({ words }) === 'run'),
  );
}
