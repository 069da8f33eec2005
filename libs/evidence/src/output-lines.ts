const LINE_LENGTH = 1_000;
const ESCAPES = new RegExp(String.raw`\u001b\[[0-9;?]*[A-Za-z]`, 'g');

/**
 * Lines of an output without terminal colours, each cut to 1,000 characters. Match patterns line by line: a pattern that
 * can run over line ends, or backtrack in a long line, takes seconds on a hostile output.
 */
export function outputLines(output: string): string[] {
  return output
    .replace(ESCAPES, '')
    .split(/\r\n|[\r\n]/)
    .map((line) => line.slice(0, LINE_LENGTH));
}
