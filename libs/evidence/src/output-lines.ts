const LINE_LENGTH = 1_000;
const ESCAPES = new RegExp(String.raw`\u001b\[[0-9;?]*[A-Za-z]`, 'g');

/**
 * Splits an output into lines without terminal colors, each truncated to 1,000 characters. Match patterns line by line:
 * a pattern that spans lines or backtracks in a long line takes seconds on a hostile output.
 */
export function outputLines(output: string): string[] {
  return output
    .replace(ESCAPES, '')
    .split(/\r\n|[\r\n]/)
    .map((line) => line.slice(0, LINE_LENGTH));
}
