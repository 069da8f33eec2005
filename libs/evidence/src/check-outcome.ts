import { CUT_OUTPUT_NOTE, escapeRegExp } from '@claude-mem/core';
import { getCommandKind } from './command-kind.js';
import { isTruncated } from './is-truncated.js';
import { outputLines } from './output-lines.js';
import type { SimpleCommand } from './parse-shell.js';
import { readCounts } from './result-counts.js';

/** Returns true when exit code 0 of the command line proves that the command at `index` ran and succeeded. */
export function returnsExitCode(commands: readonly SimpleCommand[], index: number): boolean {
  const earlier = commands.slice(0, index);
  if (earlier.some(({ words }) => words[0] === 'exit' || words[0] === 'return')) return false;
  const options = earlier.flatMap(({ words }) => (words[0] === 'set' ? words.slice(1) : []));
  const stopsAtFailure = options.some((word) => /^-[a-z]*e|^errexit$/.test(word));
  let start = index;
  while (commands[start]?.precedingOperator === '|') start -= 1;
  if (commands[start]?.precedingOperator === '||' || commands[index]?.hidesExitCode) return false;
  let isInPipe = true;
  for (const { precedingOperator, hidesExitCode } of commands.slice(index + 1)) {
    if (hidesExitCode || precedingOperator === '||' || (precedingOperator === ';' && !stopsAtFailure))
      return false;
    isInPipe &&= precedingOperator === '|';
    if (isInPipe && !options.includes('pipefail')) return false;
  }
  return true;
}

/** Returns the exit code that an `echo` with `$?` printed directly after the command at `index`. */
export function echoedExitCode(
  commands: readonly SimpleCommand[],
  index: number,
  output: string,
): number | null {
  const next = commands[index + 1];
  if (next?.precedingOperator !== ';' || !isPlainEcho(next) || commands[index]?.hidesExitCode) return null;
  const text = next.words.slice(1).join(' ');
  if (!text.includes('$?')) return null;
  const escaped = text.split('$?').map(escapeRegExp);
  const pattern = new RegExp(`^${escaped.join('(\\d{1,3})')}$`);
  const codes = new Set(outputLines(output).flatMap((line) => pattern.exec(line)?.[1] ?? []));
  return codes.size === 1 ? Number([...codes][0]) : null;
}

/** Returns true when no other command of the line can have printed a result or hidden a part of the result. */
export function printsAllOutput(commands: readonly SimpleCommand[], index: number): boolean {
  const main = commands[index]!;
  let isInPipe = true;
  return commands.every((command, at) => {
    if (at === index) return true;
    if (at > index) isInPipe &&= command.precedingOperator === '|';
    if (at > index && isInPipe) return preservesResult(command, getCommandKind(main) === 'test');
    return (
      printsNothing(command) ||
      (at < index
        ? /^(?:typecheck|lint|build|format|test)$/.test(getCommandKind(command))
        : readsOutputFile(command, main))
    );
  });
}

export function reportsPass(main: SimpleCommand, output: string): boolean {
  if (output.includes(CUT_OUTPUT_NOTE)) return false;
  const counts = readCounts(output, {
    isPartial: isTruncated(output),
    isTest: getCommandKind(main) === 'test',
  });
  if (counts !== null)
    return !/^0 tests passed|\b[1-9]\d* (?:failed|errors?|problems?|issues?)\b/.test(counts);
  const isSilentWhenPassed = /^(?:typecheck|lint)$/.test(getCommandKind(main)) && main.writesTo.length === 0;
  return isSilentWhenPassed && outputLines(output).every((line) => /^\s*$|^[>$] /.test(line));
}

const SILENT_PROGRAMS = new Set(
  'cd pushd popd export set unset sleep mkdir rm touch mv cp chmod kill true false : wait'.split(' '),
);

const printsNothing = (command: SimpleCommand) =>
  command.words.length === 0 ||
  SILENT_PROGRAMS.has(command.words[0]!) ||
  isPlainEcho(command) ||
  (command.words[0] === 'git' &&
    /^(?:add|commit|stash|checkout|switch|restore)$/.test(command.words[1] ?? ''));

/** Matches an `echo` whose text is part of the command line and does not resemble a check result. */
function isPlainEcho({ words: [program, ...args] }: SimpleCommand): boolean {
  if (program !== 'echo' || args[0]?.startsWith('-')) return false;
  return !args.some((arg) => /[`\\]|\$[A-Za-z_{(]/.test(arg)) && readCounts(args.join(' ')) === null;
}

const getOperands = ([, ...args]: readonly string[]) =>
  args.filter((arg) => !arg.startsWith('-') && !/^\+?\d+$/.test(arg));

/** Matches a pipe filter that keeps the result of a check in the output. */
function preservesResult({ words }: SimpleCommand, isTest: boolean): boolean {
  const operands = getOperands(words);
  switch (words[0]) {
    case 'tee':
      return true;
    case 'cat':
    case 'tail':
      return operands.length === 0;
    case 'head':
      return operands.length === 0 && !isTest;
    case 'grep':
    case 'egrep':
    case 'rg':
      return isTest && operands.length === 1 && selectsFailures(words);
    default:
      return false;
  }
}

const selectsFailures = (words: readonly string[]) =>
  /fail|error/i.test(words.join(' ')) && !words.some((word) => /^-[a-z]*[vqc]|^--invert/.test(word));

/** Matches a command that prints the file to which the check wrote its output. */
const readsOutputFile = ({ words, precedingOperator }: SimpleCommand, main: SimpleCommand) =>
  precedingOperator !== '|' &&
  (words[0] === 'tail' || words[0] === 'cat') &&
  getOperands(words).length === 1 &&
  main.writesTo.includes(getOperands(words)[0]!);
