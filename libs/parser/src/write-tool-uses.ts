import { isEvidenceOnly, toSingleLine, truncate, type ObservedToolUse } from '@claude-mem/core';
import { condenseToolUse, type CondensedToolUse } from './condense-tool-use.js';
import { divideTokens, fitEscaped } from './fit-text.js';
import { escapeText, inAttribute } from './markup.js';
import type { Allowance } from './verbosity.js';
import { tokensInRequest } from './tokens-in-request.js';

/** With less than this, a tool use tells nothing and is only counted. */
const MIN_TOOL_USE_TOKENS = 30;
const QUESTION_TOKENS = 160;
const LEFT_OUT_TOKENS = 16;
const GROUP_TOKENS = 6;
const LOOKUP_LENGTH = 80;
const LOOKUP_TOKENS = 24;
/** Of the room, the most for a list of what was only looked at. */
const LOOKUP_SHARE = 0.3;
/** What the user said, what was changed, what failed and what cured it tell more than the rest. */
const WEIGHT = { words: 3, failure: 2, edit: 2, cure: 2, other: 1, lookup: 1 };

type Texts = Map<CondensedToolUse, string>;

/**
 * The tool uses in their order, each as long as its kind deserves, and of those that only look one line; what has no room
 * is counted. Where looking was all there was, it is told like any other work.
 */
export function writeToolUses(
  toolUses: readonly ObservedToolUse[],
  projectRoot: string | null,
  allowance: Allowance,
  room: number,
): string {
  const isOnlyLooking = toolUses.every(isEvidenceOnly);
  const uses = toolUses.map((use) => condenseToolUse(use, projectRoot));
  const others = isOnlyLooking ? uses : uses.filter(({ kind }) => kind !== 'lookup');
  const lookups = uses.length - others.length;
  const each = isOnlyLooking ? allowance.toolUse / 2 : allowance.toolUse;

  const lines = lookups === 0 ? new Map<CondensedToolUse, string>() : writeLookups(uses, Math.min(room * LOOKUP_SHARE, lookups * allowance.lookup + LOOKUP_TOKENS)); // prettier-ignore
  const spent = tokensOfLookups(uses, lines);
  const texts = writeOthers(others, Math.min(room - spent, allowance.base + others.length * each));
  return join(uses, lines, texts);
}

/** `Read src/a.ts`, as many as there is room for. */
function writeLookups(uses: readonly CondensedToolUse[], budget: number): Texts {
  const lines: Texts = new Map();
  let left = budget;
  for (const use of uses) {
    if (use.kind !== 'lookup') continue;
    const asked = toSingleLine(`${use.name} ${use.input.split('\n', 2).join(' ')}`);
    const line = escapeText(truncate(asked, LOOKUP_LENGTH)) + (use.outcome === 'failed' ? ' (failed)' : '');
    const tokens = tokensInRequest(line) + 1;
    if (tokens > left) break;
    left -= tokens;
    lines.set(use, line);
  }
  return lines;
}

/** With the elements around them. */
function tokensOfLookups(uses: readonly CondensedToolUse[], lines: Texts): number {
  let tokens = 0;
  uses.forEach((use, index) => {
    const line = lines.get(use);
    if (line === undefined) return;
    const before = uses[index - 1];
    tokens += tokensInRequest(line) + 1 + (before && lines.has(before) ? 0 : GROUP_TOKENS);
  });
  return tokens;
}

function writeOthers(uses: readonly CondensedToolUse[], budget: number): Texts {
  const measured = uses.map(measure);
  const least = measured.map(({ needs, frameTokens }) => frameTokens + Math.min(sumOf(needs), MIN_TOOL_USE_TOKENS)); // prettier-ignore
  let kept = measured.length;
  let sum = sumOf(least);
  while (kept > 0 && sum + LEFT_OUT_TOKENS > budget) {
    kept -= 1;
    const [dropped = 0] = least.splice(Math.ceil(kept / 2), 1);
    sum -= dropped;
  }
  const first = Math.ceil(kept / 2);
  const shown = [...measured.slice(0, first), ...measured.slice(measured.length - (kept - first))];
  const frames = sumOf(shown.map(({ frameTokens }) => frameTokens)) + LEFT_OUT_TOKENS;
  const shares = divideTokens(
    shown.map(({ needs }) => sumOf(needs)),
    budget - frames,
    weightsOf(shown.map(({ use }) => use)),
  );
  return new Map(
    shown.map(({ use, needs }, index) => [use, writeToolUse(use, divideTokens(needs, shares[index] ?? 0))]),
  );
}

/** A success of a tool right after its failures is what cured them. */
function weightsOf(uses: readonly CondensedToolUse[]): readonly number[] {
  const failing = new Set<string>();
  return uses.map(({ kind, name }) => {
    if (kind === 'failure') failing.add(name);
    const isCure = kind === 'other' && failing.delete(name);
    return isCure ? WEIGHT.cure : WEIGHT[kind];
  });
}

function measure(use: CondensedToolUse) {
  const input = tokensInRequest(escapeText(use.input));
  const response = tokensInRequest(escapeText(use.response));
  // what the user was asked matters less than the answer
  const needs = [use.kind === 'words' ? Math.min(input, QUESTION_TOKENS) : input, response] as const;
  return { use, needs, frameTokens: tokensInRequest(writeToolUse(use, [0, 0], true)) };
}

function writeToolUse(
  use: CondensedToolUse,
  [forInput = 0, forResponse = 0]: readonly number[],
  hasResult = false,
): string {
  const outcome = use.outcome === 'succeeded' ? '' : ` outcome="${use.outcome}"`;
  const by = use.agent === null ? '' : ` agent="${inAttribute(use.agent)}"`;
  const response = fitEscaped(use.response, forResponse);
  const result = response === '' && !hasResult ? '' : `<result>${response}</result>`;
  return `<tool_use name="${inAttribute(use.name)}"${outcome}${by}>${fitEscaped(use.input, forInput)}${result}</tool_use>\n`;
}

function join(uses: readonly CondensedToolUse[], lines: Texts, texts: Texts): string {
  const parts: string[] = [];
  let group: string[] = [];
  const endGroup = () => {
    if (group.length > 0) parts.push(`<looked>${group.join('; ')}</looked>\n`);
    group = [];
  };
  const leftOut = uses.length - lines.size - texts.size;
  let isCounted = leftOut === 0;
  for (const use of uses) {
    const line = lines.get(use);
    if (line !== undefined) group.push(line);
    else endGroup();
    if (line !== undefined) continue;
    const text = texts.get(use);
    if (text !== undefined) parts.push(text);
    else if (!isCounted) parts.push(`<left_out tool_uses="${leftOut}"/>\n`);
    isCounted ||= text === undefined;
  }
  endGroup();
  return parts.join('');
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
