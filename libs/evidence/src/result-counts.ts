import { toSingleLine } from '@claude-mem/core';
import { outputLines } from './output-lines.js';

/**
 * What a check counted, in few words: `478 tests passed`, `2 failed, 10 passed`, `0 issues`. Null when the output
 * counts nothing that we can read. `isPartial`: lines of the output are missing, so that only a sum that the check printed counts.
 * `isTest`: a count of problems belongs to another check that printed into the same output.
 */
export function countsIn(output: string, { isPartial = false, isTest = false } = {}): string | null {
  const text = outputLines(output.slice(-20_000)).join('\n');
  for (const read of isTest ? TEST_READERS : READERS) {
    const found = isPartial && read === countLines ? null : read(text);
    if (found !== null) return toSingleLine(found);
  }
  return null;
}

type Reader = (text: string) => string | null;

const tests = (passed: number, failed: number, skipped = 0) =>
  [
    failed > 0 ? `${failed} failed` : '',
    `${passed} ${passed === 1 ? 'test' : 'tests'} passed`,
    skipped > 0 ? `${skipped} skipped` : '',
  ]
    .filter(Boolean)
    .join(', ');

const last = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].at(-1);
const number = (text: string | undefined) => Number((text ?? '0').replaceAll(',', ''));
const sum = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].reduce((total, match) => total + number(match[1]), 0);

/** Go prints a line for each test and package and no sum. */
function countLines(text: string): string | null {
  const failed = [...text.matchAll(/^[ \t]*--- FAIL: (\S+)/gm)].map((match) => match[1]);
  const packages = [...text.matchAll(/^ok[ \t]+\S+/gm)].length;
  if (failed.length > 0) return `${failed.length} failed: ${failed.slice(0, 3).join(', ')}`;
  const passed = [...text.matchAll(/^[ \t]*--- PASS: (\S+)/gm)].map((match) => match[1]);
  if (passed.length > 0) return passed.length > 3 ? tests(passed.length, 0) : `${passed.join(', ')} passed`;
  return packages > 0 ? `${packages} ${packages === 1 ? 'package' : 'packages'} ok` : null;
}

const TEST_READERS: readonly Reader[] = [
  // jest and vitest
  (text) => {
    const line = last(text, /^[ \t]*Tests:?[ \t]+(.*\b\d+ (?:passed|failed).*)$/gm)?.[1];
    if (line === undefined) return null;
    const count = (word: string) => number(new RegExp(`\\b(\\d+) ${word}`).exec(line)?.[1]);
    return tests(count('passed'), count('failed'), count('skipped'));
  },
  // bun
  (text) =>
    /^[ \t]*\d+ pass[ \t]*$/m.test(text)
      ? tests(sum(text, /^[ \t]*(\d+) pass[ \t]*$/gm), sum(text, /^[ \t]*(\d+) fail[ \t]*$/gm))
      : null,
  // pytest
  (text) => {
    const line = last(
      text,
      /^=*[ \t]*((?:\d+ \w+, )*\d+ (?:passed|failed|errors?)[^=\n]*?) in [\d.:]+s?/gm,
    )?.[1];
    if (line === undefined) return null;
    const count = (word: string) => number(new RegExp(`\\b(\\d+) ${word}`).exec(line)?.[1]);
    return tests(count('passed'), count('failed') + count('error'), count('skipped'));
  },
  // cargo
  (text) =>
    /^test result: /m.test(text)
      ? tests(sum(text, /^test result: \w+\. (\d+) passed/gm), sum(text, /^test result: .*?; (\d+) failed/gm))
      : null,
  // maven, dotnet, rspec, phpunit, mocha, node, tap
  (text) => {
    const match = last(text, /Tests run: (\d+), Failures: (\d+), Errors: (\d+)/g);
    if (!match) return null;
    const failed = number(match[2]) + number(match[3]);
    return tests(number(match[1]) - failed, failed);
  },
  (text) => {
    const match = last(text, /Failed:\s*(\d+), Passed:\s*(\d+)/g);
    return match ? tests(number(match[2]), number(match[1])) : null;
  },
  (text) => {
    const match = last(text, /\b(\d+) examples?, (\d+) failures?/g);
    return match ? tests(number(match[1]) - number(match[2]), number(match[2])) : null;
  },
  (text) => {
    const match = last(text, /^OK \((\d+) tests?, \d+ assertions?\)/gm);
    return match ? tests(number(match[1]), 0) : null;
  },
  (text) => {
    const match = last(text, /^[ \t]*(\d+) passing\b/gm);
    return match ? tests(number(match[1]), number(last(text, /^[ \t]*(\d+) failing\b/gm)?.[1])) : null;
  },
  (text) => {
    const match = last(text, /^(?:#|ℹ) pass (\d+)/gm);
    return match ? tests(number(match[1]), number(last(text, /^(?:#|ℹ) fail (\d+)/gm)?.[1])) : null;
  },
  countLines,
];

const READERS: readonly Reader[] = [
  ...TEST_READERS,
  // linters and compilers
  (text) =>
    last(text, /\b(\d+ (?:problems?|issues?)(?: \(\d+ errors?, \d+ warnings?\))?)(?=[.:\s]|$)/gm)?.[1] ??
    null,
  (text) => last(text, /\bFound (\d+ errors?)\b/g)?.[1] ?? null,
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
/** Programs that the tests start can print this too. */
const MESSAGE = /^error: /;

/**
 * True when the output itself reports that a check failed, although a pipe may have hidden its exit code. `showsPass`: the output contains
 * the counts of tests without a failure, so that error messages above the counts belong to the tests.
 */
export function reportsFailure(output: string, { showsPass = false } = {}): boolean {
  const lines = outputLines(output);
  if (lines.some((line) => FAILURES.some((pattern) => pattern.test(line)))) return true;
  const message = lines.findLastIndex((line) => MESSAGE.test(line));
  return message !== -1 && !(showsPass && lines.slice(message + 1).some(isCount));
}

const isCount = (line: string) => TEST_READERS.some((read) => read(line) !== null);
