import { toSingleLine, truncate } from '@claude-mem/core';

const LINE_LIMIT = 2_000;
const ESCAPES = new RegExp(String.raw`\u001b\[[0-9;?]*[A-Za-z]`, 'g');

/**
 * Weights of line patterns. The first matching pattern determines the weight of a line. The line with the highest
 * weight is the error; on a tie, the first such line.
 */
const PATTERNS: readonly (readonly [number, RegExp])[] = [
  [0, /\b(?:INFO|DEBUG|TRACE)\b|\blevel=(?:info|debug|trace)\b|\bsuccessfully\b/],
  [
    0,
    /^(?:exit code \d+|error: (?:task failed|script ".*" exited|recipe .* failed|process completed)|.*\bERROR task failed|make: \*\*\*|npm (?:ERR!|error) (?:code|errno|path|command|lifecycle|workspace|location|a complete log)|husky - |error command failed|\s*at\s|.*\b0 (?:errors?|failed|failures)\b|.*no errors?\b|.*\berrors? found: 0)/i,
  ],
  // These lines report only that a step failed.
  [
    1,
    /^[\s>✗✖×❌⨯*!]*(?:error: |elifecycle\s+)?(?:(?:the )?(?:build|compilation|deployment)\b.{0,20}\b(?:failed|errors?)\b.{0,40}$|failed to (?:compile|build)\b.{0,30}$|(?:error during build|errors?|what went wrong)\s*[:.]?\s*$|failure: |command failed\b|(?:command|process|script|task)\b.*\bexit(?:ed)?\b.*\d+\W*$)/i,
  ],
  [2, /^\s*(?:Execution failed for task |> Compilation failed; see )/],
  [9, /^[\w@./\\-]+\.\w{1,6}[:(]\d+(?:[:,]\d+)?\)?:?\s.*\b(?:error|TS\d{3,5}|E\d{3,4}|[A-Z]{1,4}\d{3,4})\b/],
  [9, /^\s*error\[E\d+\]: /],
  [8, /^\s*[\w@./\\-]+\.\w{1,6}[:(]\d+(?:[:,]\d+)?\)?:\s+[^\s:#]/],
  [8, /^[\s>⨯[]*(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception)\b(?: \[\w+\])?(?::|$)/],
  [7, /^\s*(?:E\s{2,}|AssertionError|Assertion failed|panic:|thread '.*' panicked|Uncaught |Unhandled )/],
  [7, /^\s*(?:--- FAIL:|FAILED\s|FAIL[:\s]\s*\S|not ok \d|✗|✖|×|●\s)\s*\S/],
  [7, /(?<![\w.])(?:[a-z][\w.]*\.)?[A-Z]\w*(?:Error|Exception): \S|^\s*Type error: \S/],
  [7, /^\s*error: (?!aborting|could not compile|test failed|task failed|process didn't exit|script)/],
  [6, /^\s*(?:fatal:|error:|ERROR[:\s]|Error:|\[error\]|ERR!)/i],
  [
    5,
    /\b(?:error TS\d+|cannot find|is not defined|is not assignable|undefined reference|does not exist|permission denied|no such file|not found|failed to|unexpected|refused|timed? ?out|denied|invalid)\b/i,
  ],
  [
    3,
    /\b(?:error|failed|failure|fails|exception|错误|失败|エラー|失敗|Fehler|fehlgeschlagen|erreur|échec|ошибка|error de)\b/i,
  ],
];

/**
 * Returns the line of an output that best describes the error. Lines with a position or an error code are preferred.
 * Returns null when no line describes an error.
 */
export function findErrorLine(output: string): string | null {
  let best: { line: string; weight: number } | null = null;
  const lines = output.replace(ESCAPES, '').split('\n').slice(0, LINE_LIMIT);
  lines.forEach((line, index) => {
    if (line.trim() === '' || line.length > 1_000) return;
    const weight = getWeight(line);
    if (weight > (best?.weight ?? 0)) best = { line: appendPosition(line, lines, index), weight };
  });
  const found = best as { line: string } | null;
  if (found === null) return null;
  return truncate(toSingleLine(found.line.replace(/^\s*\[([\w.]*(?:Error|Exception): .*)\]\s*$/, '$1')), 240);
}

const getWeight = (line: string): number => PATTERNS.find(([, pattern]) => pattern.test(line))?.[0] ?? 0;

/** Returns true when an error line names the failed step but no cause. */
export function reportsOnlyFailure(line: string): boolean {
  return [1, 2].includes(getWeight(line));
}

const NAMED_ERROR = /^\s*(?:[\w.]+\.)?(?:[A-Z]\w*)?(?:Error|Exception)\b/;
const SCRIPT_FRAME = /^\s*(?:at|❯)\s(?:.*[\s(])?([^\s()]+\.(?:[cm]?[jt]sx?|vue|svelte):\d+)(?::\d+)?\)?\s*$/;
/** Number of lines searched for a stack frame. A diff and the frames of libraries can precede the frame. */
const MAX_LINES_TO_FRAME = 30;

/** Appends the position that Rust, Python and JavaScript print on another line. */
function appendPosition(line: string, lines: readonly string[], index: number): string {
  if (/^\s*[×✖●]\s/.test(line)) {
    const above = lines.slice(Math.max(0, index - 4), index).reverse();
    const position = above
      .map((earlier) => /^\s*(?:at\s+)?((?:\.?[\w@-]+\/)+[\w@.-]+\.\w{1,6}(?::\d+)?)\b/.exec(earlier)?.[1])
      .find(Boolean);
    return position === undefined ? line : `${position}: ${line.trim()}`;
  }
  if (/^\s*error(?:\[E\d+\])?:/.test(line)) {
    const position = lines
      .slice(index + 1, index + 3)
      .map((next) => /^\s*-->\s*(\S+)/.exec(next)?.[1])
      .find(Boolean);
    return position === undefined ? line : `${line} (${position})`;
  }
  if (NAMED_ERROR.test(line)) {
    const above = lines.slice(Math.max(0, index - 12), index).reverse();
    const position = above.map((earlier) => /^\s*File "([^"]+)", line (\d+)/.exec(earlier)).find(Boolean);
    const found = position
      ? `${position[1]!}:${position[2]!}`
      : findScriptPosition(lines.slice(index + 1, index + MAX_LINES_TO_FRAME));
    return found === undefined ? line : `${line} (${found.split(/[\\/]/).slice(-2).join('/')})`;
  }
  return line;
}

/** Finds the position in the first frame outside libraries, before the next error. */
function findScriptPosition(lines: readonly string[]): string | undefined {
  const end = lines.findIndex((line) => NAMED_ERROR.test(line));
  return lines
    .slice(0, end === -1 ? undefined : end)
    .map((line) => SCRIPT_FRAME.exec(line)?.[1])
    .find((position) => position !== undefined && !/[\\/]node_modules[\\/]/.test(`/${position}`));
}

const USAGE_ERRORS = [
  /<tool_use_error>/,
  /File has not been read yet|has been (?:unexpectedly )?modified|String to replace not found|matches of the string to replace|No changes to make|InputValidationError|Unknown skill|No such tool available|exceeds maximum allowed (?:tokens|size)|EISDIR|File does not exist|Path does not exist|Cancelled: parallel tool call|Unknown tool|requested permissions? to|Permission to use/,
  /parse error near|syntax error near unexpected token|unexpected EOF while looking for|command not found|no matches found:|unknown file attribute|bad substitution|event not found|unrecognized option|illegal option|invalid option|Usage: /i,
  /cannot find main module|go\.mod file not found|could not (?:find|read) (?:`?Cargo\.toml|package\.json)|ENOENT: no such file or directory, open '[^']*package\.json|Missing script:|not a git repository|No such file or directory|can't open file|No rule to make target|No package\.json|unknown (?:command|flag|shorthand flag)/i,
];

/**
 * Returns true for failures caused by a wrong call, such as a quoting error, a wrong folder or an edit of an unread
 * file. They contain no knowledge about the project.
 */
export function isUsageError(text: string): boolean {
  const head = text.slice(0, 1_500);
  return USAGE_ERRORS.some((pattern) => pattern.test(head));
}
