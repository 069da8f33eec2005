import { estimateTokens, type ObservedToolUse } from '@claude-mem/core';
import { condenseToolUse, type CondensedToolUse } from './condense-tool-use.js';
import { divideTokens, fitEscaped } from './fit-text.js';
import { escapeMarkup, inAttribute } from './markup.js';

/** With less than this, a tool use tells nothing and is only counted. */
const MIN_TOOL_USE_TOKENS = 40;
const LEFT_OUT_TOKENS = 16;

interface MeasuredToolUse extends CondensedToolUse {
  /** Of input and response, escaped. */
  needs: readonly [number, number];
  /** Of everything else. */
  frameTokens: number;
}

/** All tool uses within the budget; where there is no room for a little of each, those in the middle are only counted. */
export function writeToolUses(toolUses: readonly ObservedToolUse[], budget: number): string {
  const uses = toolUses.map((use) => measure(condenseToolUse(use)));
  const least = uses.map((use) => use.frameTokens + Math.min(needOf(use), MIN_TOOL_USE_TOKENS));
  let kept = uses.length;
  let sum = sumOf(least);
  while (kept > 0 && sum + (kept < uses.length ? LEFT_OUT_TOKENS : 0) > budget) {
    kept -= 1;
    const [dropped = 0] = least.splice(Math.ceil(kept / 2), 1);
    sum -= dropped;
  }
  const leftOut = uses.length - kept;
  const first = uses.slice(0, Math.ceil(kept / 2));
  const shown = [...first, ...uses.slice(uses.length - Math.floor(kept / 2))];
  const frames = sumOf(shown.map(({ frameTokens }) => frameTokens)) + (leftOut > 0 ? LEFT_OUT_TOKENS : 0);
  const shares = divideTokens(shown.map(needOf), budget - frames);
  const texts = shown.map((use, index) => writeToolUse(use, divideTokens(use.needs, shares[index] ?? 0)));
  if (leftOut > 0) texts.splice(first.length, 0, `<left_out tool_uses="${leftOut}"/>\n`);
  return texts.join('');
}

function measure(use: CondensedToolUse): MeasuredToolUse {
  const needs = [
    estimateTokens(escapeMarkup(use.input)),
    estimateTokens(escapeMarkup(use.response)),
  ] as const;
  return { ...use, needs, frameTokens: estimateTokens(writeToolUse(use, [0, 0])) + 1 };
}

function writeToolUse(use: CondensedToolUse, [forInput = 0, forResponse = 0]: readonly number[]): string {
  const by = use.agent === null ? '' : ` agent="${inAttribute(use.agent)}"`;
  const input = `<input>${fitEscaped(use.input, forInput)}</input>`;
  const response = `<response>${fitEscaped(use.response, forResponse)}</response>`;
  return `<tool_use name="${inAttribute(use.name)}" outcome="${use.outcome}"${by}>${input}${response}</tool_use>\n`;
}

const needOf = ({ needs: [input, response] }: MeasuredToolUse) => input + response;
const sumOf = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
