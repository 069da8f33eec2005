import { toSingleLine } from '@claude-mem/core';
import { outputLines } from './output-lines.js';

/**
 * Returns the counts of a check, such as `478 tests passed`, `2 failed, 10 passed` or `0 issues`. Returns null when the
 * output contains no known count.
 * @param options.isPartial true when lines of the output are missing, so only a printed total counts
 * @param options.isTest true when counts of problems belong to another check in the same output
 */
export function readCounts(output: string, { isPartial = false, isTest = false } = {}): string | null {
  const text = outputLines(output.slice(-20_000)).join('\n');
  for (const read of isTest ? TEST_READERS : READERS) {
    const found = isPartial && read === countLines ? null : read(text);
    if (found !== null) return toSingleLine(found);
  }
  return null;
}

type Reader = (text: string) => string | null;

const formatTests = (passed: number, failed: number, skipped = 0) =>
  [
    failed > 0 ? `${failed} failed` : '',
    `${passed} ${passed === 1 ? 'test' : 'tests'} passed`,
    skipped > 0 ? `${skipped} skipped` : '',
  ]
    .filter(Boolean)
    .join(', ');

const lastMatch = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].at(-1);
const parseNumber = (text: string | undefined) => Number((text ?? '0').replaceAll(',', ''));
const sum = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].reduce((total, match) => total + parseNumber(match[1]), 0);

/** Go prints one line for each test and package, without a total. */
function countLines(text: string): string | null {
  const failed = [...text.matchAll(/^[ \t]*--- FAIL: (\S+)/gm)].map((match) => match[1]);
  const packages = [...text.matchAll(/^ok[ \t]+\S+/gm)].length;
  if (failed.length > 0) return `${failed.length} failed: ${failed.slice(0, 3).join(', ')}`;
  const passed = [...text.matchAll(/^[ \t]*--- PASS: (\S+)/gm)].map((match) => match[1]);
  if (passed.length > 0)
    return passed.length > 3 ? formatTests(passed.length, 0) : `${passed.join(', ')} passed`;
  return packages > 0 ? `${packages} ${packages === 1 ? 'package' : 'packages'} ok` : null;
}

const TEST_READERS: readonly Reader[] = [
  // Jest and Vitest
  (text) => {
    const line = lastMatch(text, /^[ \t]*Tests:?[ \t]+(.*\b\d+ (?:passed|failed).*)$/gm)?.[1];
    if (line === undefined) return null;
    const count = (word: string) => parseNumber(new RegExp(`\\b(\\d+) ${word}`).exec(line)?.[1]);
    return formatTests(count('passed'), count('failed'), count('skipped'));
  },
  // Bun
  (text) =>
    /^[ \t]*\d+ pass[ \t]*$/m.test(text)
      ? formatTests(sum(text, /^[ \t]*(\d+) pass[ \t]*$/gm), sum(text, /^[ \t]*(\d+) fail[ \t]*$/gm))
      : null,
  // pytest
  (text) => {
    const line = lastMatch(
      text,
      /^=*[ \t]*((?:\d+ \w+, )*\d+ (?:passed|failed|errors?)[^=\n]*?) in [\d.:]+s?/gm,
    )?.[1];
    if (line === undefined) return null;
    const count = (word: string) => parseNumber(new RegExp(`\\b(\\d+) ${word}`).exec(line)?.[1]);
    return formatTests(count('passed'), count('failed') + count('error'), count('skipped'));
  },
  // Cargo
  (text) =>
    /^test result: /m.test(text)
      ? formatTests(
          sum(text, /^test result: \w+\. (\d+) passed/gm),
          sum(text, /^test result: .*?; (\d+) failed/gm),
        )
      : null,
  // Maven, .NET, RSpec, PHPUnit, Mocha, Node.js and TAP
  (text) => {
    const match = lastMatch(text, /Tests run: (\d+), Failures: (\d+), Errors: (\d+)/g);
    if (!match) return null;
    const failed = parseNumber(match[2]) + parseNumber(match[3]);
    return formatTests(parseNumber(match[1]) - failed, failed);
  },
  (text) => {
    const match = lastMatch(text, /Failed:\s*(\d+), Passed:\s*(\d+)/g);
    return match ? formatTests(parseNumber(match[2]), parseNumber(match[1])) : null;
  },
  (text) => {
    const match = lastMatch(text, /\b(\d+) examples?, (\d+) failures?/g);
    return match ? formatTests(parseNumber(match[1]) - parseNumber(match[2]), parseNumber(match[2])) : null;
  },
  (text) => {
    const match = lastMatch(text, /^OK \((\d+) tests?, \d+ assertions?\)/gm);
    return match ? formatTests(parseNumber(match[1]), 0) : null;
  },
  (text) => {
    const match = lastMatch(text, /^[ \t]*(\d+) passing\b/gm);
    return match
      ? formatTests(parseNumber(match[1]), parseNumber(lastMatch(text, /^[ \t]*(\d+) failing\b/gm)?.[1]))
      : null;
  },
  (text) => {
    const match = lastMatch(text, /^(?:#|ℹ) pass (\d+)/gm);
    return match
      ? formatTests(parseNumber(match[1]), parseNumber(lastMatch(text, /^(?:#|ℹ) fail (\d+)/gm)?.[1]))
      : null;
  },
  countLines,
];

const READERS: readonly Reader[] = [
  ...TEST_READERS,
  // Linters and compilers
  (text) =>
    lastMatch(text, /\b(\d+ (?:problems?|issues?)(?: \(\d+ errors?, \d+ warnings?\))?)(?=[.:\s]|$)/gm)?.[1] ??
    null,
  (text) => lastMatch(text, /\bFound (\d+ errors?)\b/g)?.[1] ?? null,
  (text) =>
    /All checks passed|No fixes applied|no issues found|✔ No ESLint warnings/i.test(text)
      ? 'no problems'
      : null,
];

const FAILURES: readonly RegExp[] = [
  /^\s*--- FAIL: |^\s*FAIL\s|^FAILED |^FAIL$/,
  /^\s*Test(?:s| Suites| Files):?\s+\d+ failed|^\s*[1-9]\d* fail(?:ing|ed)?\s*$|^(?:#|ℹ) fail(?:ed|ures)?:? [1-9]|^\s*not ok \d/,
  /^\s*(?:Errors\s+)?[1-9]\d* errors?\s*$/,
  /^test result: FAILED|^={3}.*\b[1-9]\d* failed\b|^FAILURES!|\b(?:Failures|Errors): [1-9]|\b\d+ examples?, [1-9]\d* failures?/,
  /^npm (?:ERR!|error) |^make(?:\[\d+\])?: \*\*\*|^error\[E\d+\]: |\bBUILD FAIL(?:ED|URE)\b/,
  /\berror TS\d+:|^✖ [1-9]\d* problems?(?! \(0 errors)|\bFound [1-9]\d* errors?\b/,
];
/** Programs that the tests start can print this line too. */
const ERROR_MESSAGE = /^error: /;

/**
 * Returns true when the output reports a failed check, because a pipe can hide its exit code.
 * @param options.reportsPass true when the output contains test counts without a failure, so error messages above the
 * counts belong to the tests
 */
export function reportsFailure(output: string, { reportsPass = false } = {}): boolean {
  const lines = outputLines(output);
  if (lines.some((line) => FAILURES.some((pattern) => pattern.test(line)))) return true;
  const message = lines.findLastIndex((line) => ERROR_MESSAGE.test(line));
  return message !== -1 && !(reportsPass && lines.slice(message + 1).some(isCount));
}

const isCount = (line: string) => TEST_READERS.some((read) => read(line) !== null);
