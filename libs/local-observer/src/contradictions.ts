import { headAndTail, type ObservedToolUse, type ObserverBatch } from '@claude-mem/core';
import { runToEnd, isProseFile, readLookup, getText, type Steps } from '@claude-mem/evidence';
import { collectStrings } from './reported-speech.js';

/** A number with its label: `lantern 15.5.2`, `coverage: 71.6%`, `threshold 80`. */
interface Measure {
  label: string;
  value: string;
  unit: string;
}

const PART = 60_000;
const TOTAL = 20_000;
const SENTENCE = 1_000;
const LOOK_BEHIND = 48;
const NUMBER =
  /(?<![\p{L}\p{N}_.])v?(\d+(?:\.\d+)*)(?:\s?(%|(?:ms|s|[kMG]i?B)(?![\p{L}\p{N}])))?(?![\dA-Za-z_])/gu;
const LABEL =
  /(?<![\p{L}\p{N}/@.-])(\p{L}[\p{L}\p{N}_-]*)(?:\.js)?(?:\s+(?:is|was|are|at|of|to|from|now|version))*[^\p{L}\p{N}~≈<>]{0,8}$/u;
const LIMIT = '\\b(threshold|limit|budget|target|minimum|maximum|quota|cap)\\b';
const LIMIT_LABEL = new RegExp(`${LIMIT}\\W*(?:\\w+\\W+){0,2}$`, 'i');
/** Words whose numbers are positions, ids or times, and words without a meaning of their own. */
const IGNORED_LABELS =
  /^(?:lines?|l|rows?|columns?|steps?|pages?|items?|options?|phases?|parts?|sections?|prs?|issues?|tickets?|bugs?|errors?|codes?|numbers?|is|was|are|at|of|to|from|now|version|and|or|in|on|the|with|for|after|before|between|by|than|only|all|files?|tests?)$/i;
const isLabel = (word: string) => !IGNORED_LABELS.test(word);
const RELATION = new RegExp(
  `(?<not>(?:\\b(?:not|never|no longer)|n['’]t)\\s+(?:\\w+\\s+)?)?\\b(?:(?<above>exceed(?:s|ed|ing)?|above|over|(?:greater|more|higher|larger) than)|below|under|within|(?:less|lower|smaller|fewer) than)\\b(?<rest>.{0,40}?${LIMIT}.*)$`,
  'is',
);

/**
 * Creates a function that returns true when a result of the turn contradicts a sentence.
 * A sentence is contradicted when the results contain only other values of its version or measure, or when a value is
 * on the wrong side of a limit. Documents, pages and MCP tools do not count as results.
 */
export function* contradictionSteps(batch: ObserverBatch): Steps<(text: string) => boolean> {
  const results = new Map<string, Measure[]>();
  const seen = new Set<string>();
  let count = 0;
  for (const [at, use] of batch.toolUses.entries()) {
    if (count > TOTAL) break;
    yield;
    const text = `${collectStrings(use.input)}\n${collectStrings(use.response)}\n${use.error ?? ''}`;
    const measures = yield* measureSteps(headAndTail(text, PART));
    count += measures.length;
    for (const measure of measures) {
      seen.add(measure.value);
      const known = results.get(measure.label) ?? [];
      const isKnown = known.some(({ value, unit }) => value === measure.value && unit === measure.unit);
      if (measure.label !== '' && isResult(use, at) && !isKnown && known.length < 50)
        results.set(measure.label, [...known, measure]);
    }
  }
  const valuesOf = (label: string) => results.get(label) ?? [];
  return (text) => {
    const sentence = text.slice(0, SENTENCE);
    const claimed = runToEnd(measureSteps(sentence));
    return (
      claimed.some((measure) => {
        const labels = measure.unit === '%' ? wordsOf(sentence) : [measure.label];
        const known = findComparable(measure, labels.filter(isLabel).flatMap(valuesOf), seen);
        return known.length > 0 && !known.some((one) => claimed.some((own) => agrees(own.value, one.value)));
      }) || isOnWrongSide(sentence, valuesOf)
    );
  };
}

function isResult(use: ObservedToolUse, at: number): boolean {
  const path = getText(use.input, 'file_path', 'path', 'absolute_path');
  const isOutside = use.toolName.startsWith('mcp__') || readLookup(use, at) !== null;
  return use.outcome === 'succeeded' && !isOutside && (path === null || !isProseFile(path));
}

function* measureSteps(text: string): Steps<Measure[]> {
  const measures: Measure[] = [];
  for (const match of text.matchAll(NUMBER)) {
    if (measures.length % 500 === 499) yield;
    const start = Math.max(0, match.index - LOOK_BEHIND);
    const line = text.slice(start, match.index).replace(/^[\s\S]*\n/, '');
    const named = LABEL.exec(line);
    const isCut = named?.index === 0 && line.length === LOOK_BEHIND;
    const label = LIMIT_LABEL.exec(line)?.[1] ?? (isCut ? '' : (named?.[1] ?? ''));
    measures.push({ label: label.toLowerCase(), value: match[1]!, unit: match[2] ?? '' });
  }
  return measures;
}

/**
 * Returns the known values that a claimed value can contradict: versions, values of the same unit, or else the only
 * value.
 */
function findComparable(claimed: Measure, known: readonly Measure[], seen: ReadonlySet<string>): Measure[] {
  const { value, unit } = claimed;
  const versions = known.filter((one) => one.unit === '' && one.value.includes('.'));
  if (unit === '' && versions.length > 0) return versions;
  const same = known.filter((one) => one.unit === unit);
  const isBetween =
    same.some((one) => Number(one.value) <= Number(value)) &&
    same.some((one) => Number(one.value) >= Number(value));
  return isBetween || (unit === '' && (same.length > 1 || !/^\d{3,}$/.test(value) || seen.has(value)))
    ? []
    : same;
}

/** Compares with the precision of the claim: "15" agrees with 15.5.2, and "72" with 71.6. */
function agrees(claimed: string, known: string): boolean {
  const decimals = claimed.split('.')[1]?.length ?? 0;
  return (
    known === claimed ||
    known.startsWith(`${claimed}.`) ||
    claimed.startsWith(`${known}.`) ||
    Number(known).toFixed(Math.min(decimals, 10)) === claimed
  );
}

const wordsOf = (text: string) => text.toLowerCase().match(/\p{L}[\p{L}\p{N}_-]*/gu) ?? [];

function isOnWrongSide(sentence: string, valuesOf: (label: string) => readonly Measure[]): boolean {
  const relation = RELATION.exec(sentence.replace(/`[^`]*`/g, ' '));
  if (relation === null) return false;
  const { not, above, rest = '' } = relation.groups!;
  const before = sentence.slice(0, relation.index).replace(/`[^`]*`/g, ' ');
  const noun = new RegExp(LIMIT, 'i').exec(rest)![1]!.toLowerCase();
  const own = (text: string) => runToEnd(measureSteps(text)).filter(({ label }) => isLabel(label));
  const either = (claimed: Measure[], labels: readonly string[]) =>
    claimed.length > 0 ? claimed : labels.flatMap(valuesOf);
  const limits = either(own(rest), [noun]);
  const values = either(own(before), wordsOf(before));
  const pairs = values.flatMap((value) =>
    limits.flatMap((limit) =>
      value.unit === limit.unit || value.unit === '' || limit.unit === ''
        ? Number(value.value) - Number(limit.value)
        : [],
    ),
  );
  const isAbove = (above === undefined) === (not !== undefined);
  return pairs.length > 0 && pairs.every((difference) => (isAbove ? difference < 0 : difference > 0));
}
