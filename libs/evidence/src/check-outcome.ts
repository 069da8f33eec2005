import { CUT_OUTPUT_NOTE } from '@claude-mem/core';
import { kindOf } from './command-kind.js';
import { isCut } from './is-cut.js';
import { outputLines } from './output-lines.js';
import type { SimpleCommand } from './parse-shell.js';
import { countsIn } from './result-counts.js';

/** True when exit code 0 of the command line proves that the command at `index` ran and succeeded. */
export function returnsExitCode(commands: readonly SimpleCommand[], index: number): boolean {
  const earlier = commands.slice(0, index);
  if (earlier.some(({ words }) => words[0] === 'exit' || words[0] === 'return')) return false;
  const options = earlier.flatMap(({ words }) => (words[0] === 'set' ? words.slice(1) : []));
  const stopsAtFailure = options.some((word) => /^-[a-z]*e|^errexit$/.test(word));
  let start = index;
  while (commands[start]?.after === '|') start -= 1;
  if (commands[start]?.after === '||' || commands[index]?.hidesExitCode) return false;
  let isInPipe = true;
  for (const { after, hidesExitCode } of commands.slice(index + 1)) {
    if (hidesExitCode || after === '||' || (after === ';' && !stopsAtFailure)) return false;
    isInPipe &&= after === '|';
    if (isInPipe && !options.includes('pipefail')) return false;
  }
  return true;
}

/** The exit code that an `echo` with `$?` printed directly after the command at `index`. */
export function echoedExitCode(
  commands: readonly SimpleCommand[],
  index: number,
  output: string,
): number | null {
  const next = commands[index + 1];
  if (next?.after !== ';' || !isPlainEcho(next) || commands[index]?.hidesExitCode) return null;
  const text = next.words.slice(1).join(' ');
  if (!text.includes('$?')) return null;
  const escaped = text.split('$?').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^${escaped.join('(\\d{1,3})')}$`);
  const codes = new Set(outputLines(output).flatMap((line) => pattern.exec(line)?.[1] ?? []));
  return codes.size === 1 ? Number([...codes][0]) : null;
}

/** True when no other command of the line can have printed a result or have hidden a part of it. */
export function ownsOutput(commands: readonly SimpleCommand[], index: number): boolean {
  const main = commands[index]!;
  let isInPipe = true;
  return commands.every((command, at) => {
    if (at === index) return true;
    if (at > index) isInPipe &&= command.after === '|';
    if (at > index && isInPipe) return passesResult(command, kindOf(main) === 'test');
    return (
      isQuiet(command) ||
      (at < index
        ? /^(?:typecheck|lint|build|format|test)$/.test(kindOf(command))
        : readsFileOf(command, main))
    );
  });
}

/** True when the output of a check shows that the check passed. */
export function showsPass(main: SimpleCommand, output: string): boolean {
  if (output.includes(CUT_OUTPUT_NOTE)) return false;
  const counts = countsIn(output, { isPartial: isCut(output), isTest: kindOf(main) === 'test' });
  if (counts !== null)
    return !/^0 tests passed|\b[1-9]\d* (?:failed|errors?|problems?|issues?)\b/.test(counts);
  const isSilentWhenPassed = /^(?:typecheck|lint)$/.test(kindOf(main)) && main.writesTo.length === 0;
  return isSilentWhenPassed && outputLines(output).every((line) => /^\s*$|^[>$] /.test(line));
}

const QUIET = new Set(
  'cd pushd popd export set unset sleep mkdir rm touch mv cp chmod kill true false : wait'.split(' '),
);

const isQuiet = (command: SimpleCommand) =>
  command.words.length === 0 ||
  QUIET.has(command.words[0]!) ||
  isPlainEcho(command) ||
  (command.words[0] === 'git' &&
    /^(?:add|commit|stash|checkout|switch|restore)$/.test(command.words[1] ?? ''));

/** The command line contains the printed text, and the text does not resemble a result. */
function isPlainEcho({ words: [program, ...args] }: SimpleCommand): boolean {
  if (program !== 'echo' || args[0]?.startsWith('-')) return false;
  return !args.some((arg) => /[`\\]|\$[A-Za-z_{(]/.test(arg)) && countsIn(args.join(' ')) === null;
}

const operandsOf = ([, ...args]: readonly string[]) =>
  args.filter((arg) => !arg.startsWith('-') && !/^\+?\d+$/.test(arg));

/** Matches a pipe filter that keeps the result of a check in the output. */
function passesResult({ words }: SimpleCommand, isTest: boolean): boolean {
  const operands = operandsOf(words);
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
      return isTest && operands.length === 1 && showsFailures(words);
    default:
      return false;
  }
}

const showsFailures = (words: readonly string[]) =>
  /fail|error/i.test(words.join(' ')) && !words.some((word) => /^-[a-z]*[vqc]|^--invert/.test(word));

/** Prints the file that the check wrote its output to. */
const readsFileOf = ({ words, after }: SimpleCommand, main: SimpleCommand) =>
  after !== '|' &&
  (words[0] === 'tail' || words[0] === 'cat') &&
  operandsOf(words).length === 1 &&
  main.writesTo.includes(operandsOf(words)[0]!);
