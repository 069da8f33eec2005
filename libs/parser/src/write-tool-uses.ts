import { isEvidenceOnly, toSingleLine, truncate, type ObservedToolUse } from '@claude-mem/core';
import { condenseToolUse, type CondensedToolUse } from './condense-tool-use.js';
import { divideTokens, fitEscaped } from './fit-text.js';
import { escapeText, escapeAttribute } from './markup.js';
import type { Allowance } from './verbosity.js';
import { tokensInRequest } from './tokens-in-request.js';

/** With fewer tokens, a tool use is only counted. */
const MIN_TOOL_USE_TOKENS = 30;
const QUESTION_TOKENS = 160;
const SKIPPED_TOKENS = 16;
const GROUP_TOKENS = 6;
const LOOKUP_LENGTH = 80;
const LOOKUP_TOKENS = 24;
/** Maximum share of the tokens for the list of lookups. */
const LOOKUP_SHARE = 0.3;
/** Weights of tool uses. Answers of the user, edits, failures and their fixes get more tokens. */
const WEIGHT = { words: 3, failure: 2, edit: 2, cure: 2, other: 1, lookup: 1 };

type Texts = Map<CondensedToolUse, string>;

/**
 * Formats the tool uses in their order. Their length depends on their kind, and lookups get one line. Tool uses that do
 * not fit are counted. In a turn with only lookups, they are formatted like other tool uses.
 */
export function writeToolUses(
  toolUses: readonly ObservedToolUse[],
  projectRoot: string | null,
  allowance: Allowance,
  room: number,
): string {
  const hasOnlyLookups = toolUses.every(isEvidenceOnly);
  const uses = toolUses.map((use) => condenseToolUse(use, projectRoot));
  const nonLookups = hasOnlyLookups ? uses : uses.filter(({ kind }) => kind !== 'lookup');
  const lookups = uses.length - nonLookups.length;
  const tokensPerUse = hasOnlyLookups ? allowance.toolUse / 2 : allowance.toolUse;

  const lines = lookups === 0 ? new Map<CondensedToolUse, string>() : writeLookups(uses, Math.min(room * LOOKUP_SHARE, lookups * allowance.lookup + LOOKUP_TOKENS)); // prettier-ignore
  const lookupTokens = countLookupTokens(uses, lines);
  const texts = writeNonLookups(
    nonLookups,
    Math.min(room - lookupTokens, allowance.base + nonLookups.length * tokensPerUse),
  );
  return join(uses, lines, texts);
}

/** Formats as many lookups as fit, such as `Read src/a.ts`. */
function writeLookups(uses: readonly CondensedToolUse[], budget: number): Texts {
  const lines: Texts = new Map();
  let remaining = budget;
  for (const use of uses) {
    if (use.kind !== 'lookup') continue;
    const description = toSingleLine(`${use.name} ${use.input.split('\n', 2).join(' ')}`);
    const line =
      escapeText(truncate(description, LOOKUP_LENGTH)) + (use.outcome === 'failed' ? ' (failed)' : '');
    const tokens = tokensInRequest(line) + 1;
    if (tokens > remaining) break;
    remaining -= tokens;
    lines.set(use, line);
  }
  return lines;
}

/** Returns the tokens of the lookups, including the elements around them. */
function countLookupTokens(uses: readonly CondensedToolUse[], lines: Texts): number {
  let tokens = 0;
  uses.forEach((use, index) => {
    const line = lines.get(use);
    if (line === undefined) return;
    const before = uses[index - 1];
    tokens += tokensInRequest(line) + 1 + (before && lines.has(before) ? 0 : GROUP_TOKENS);
  });
  return tokens;
}

function writeNonLookups(uses: readonly CondensedToolUse[], budget: number): Texts {
  const measuredUses = uses.map(measure);
  const minTokens = measuredUses.map(({ needs, frameTokens }) => frameTokens + Math.min(sumAll(needs), MIN_TOOL_USE_TOKENS)); // prettier-ignore
  let included = measuredUses.length;
  let sum = sumAll(minTokens);
  while (included > 0 && sum + SKIPPED_TOKENS > budget) {
    included -= 1;
    const [skipped = 0] = minTokens.splice(Math.ceil(included / 2), 1);
    sum -= skipped;
  }
  const headCount = Math.ceil(included / 2);
  const includedUses = [
    ...measuredUses.slice(0, headCount),
    ...measuredUses.slice(measuredUses.length - (included - headCount)),
  ];
  const frames = sumAll(includedUses.map(({ frameTokens }) => frameTokens)) + SKIPPED_TOKENS;
  const shares = divideTokens(
    includedUses.map(({ needs }) => sumAll(needs)),
    budget - frames,
    getWeights(includedUses.map(({ use }) => use)),
  );
  return new Map(
    includedUses.map(({ use, needs }, index) => [
      use,
      writeToolUse(use, divideTokens(needs, shares[index] ?? 0)),
    ]),
  );
}

/** A success of a tool directly after its failures is treated as the fix. */
function getWeights(uses: readonly CondensedToolUse[]): readonly number[] {
  const failing = new Set<string>();
  return uses.map(({ kind, name }) => {
    if (kind === 'failure') failing.add(name);
    const isFix = kind === 'other' && failing.delete(name);
    return isFix ? WEIGHT.cure : WEIGHT[kind];
  });
}

function measure(use: CondensedToolUse) {
  const input = tokensInRequest(escapeText(use.input));
  const response = tokensInRequest(escapeText(use.response));
  // The question for the user matters less than the answer.
  const needs = [use.kind === 'words' ? Math.min(input, QUESTION_TOKENS) : input, response] as const;
  return { use, needs, frameTokens: tokensInRequest(writeToolUse(use, [0, 0], true)) };
}

function writeToolUse(
  use: CondensedToolUse,
  [forInput = 0, forResponse = 0]: readonly number[],
  hasResult = false,
): string {
  const outcome = use.outcome === 'succeeded' ? '' : ` outcome="${use.outcome}"`;
  const by = use.agent === null ? '' : ` agent="${escapeAttribute(use.agent)}"`;
  const response = fitEscaped(use.response, forResponse);
  const result = response === '' && !hasResult ? '' : `<result>${response}</result>`;
  return `<tool_use name="${escapeAttribute(use.name)}"${outcome}${by}>${fitEscaped(use.input, forInput)}${result}</tool_use>\n`;
}

function join(uses: readonly CondensedToolUse[], lines: Texts, texts: Texts): string {
  const parts: string[] = [];
  let group: string[] = [];
  const endGroup = () => {
    if (group.length > 0) parts.push(`<looked>${group.join('; ')}</looked>\n`);
    group = [];
  };
  const skippedCount = uses.length - lines.size - texts.size;
  let isCounted = skippedCount === 0;
  for (const use of uses) {
    const line = lines.get(use);
    if (line !== undefined) group.push(line);
    else endGroup();
    if (line !== undefined) continue;
    const text = texts.get(use);
    if (text !== undefined) parts.push(text);
    else if (!isCounted) parts.push(`<left_out tool_uses="${skippedCount}"/>\n`);
    isCounted ||= text === undefined;
  }
  endGroup();
  return parts.join('');
}

const sumAll = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
