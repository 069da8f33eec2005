import type { JsonValue, PromptSubmitted, ToolUsed } from '@claude-mem/core';
import { expect, it } from 'vitest';
import { limitEvent } from './limit-event.js';

const base = {
  host: 'claude-code',
  contentSessionId: 's-1',
  cwd: null,
  projectDir: null,
  promptId: null,
  agentId: null,
  agentType: null,
} as const;
const prompt = (text: string): PromptSubmitted => ({ ...base, kind: 'prompt', text });
const toolUse = (response: JsonValue): ToolUsed => ({
  ...base,
  kind: 'tool-use',
  toolName: 'Bash',
  toolUseId: 't-1',
  input: { command: 'x' },
  response,
  outcome: 'succeeded',
  error: null,
  isInterrupt: false,
  durationMs: null,
});

it('keeps events of ordinary size unchanged', () => {
  const event = toolUse({ stdout: 'a'.repeat(200_000), list: [1, true, null, { deep: ['x'] }] });
  expect(limitEvent(event)).toEqual(event);
});

it('keeps the beginning and the end of a huge text', () => {
  const { text } = limitEvent(prompt(`first ${'x'.repeat(5_000_000)} last`));
  expect(text.length).toBeLessThan(300_000);
  expect(text).toMatch(/^first .* last$/s);
});

it('K23: drops the end of a text when a private block may extend into it', () => {
  const filler = 'x '.repeat(200_000);
  const { text } = limitEvent(prompt(`first ${filler}<PRIVATE>${filler}zeta9</PRIVATE> last`));
  expect(text).toMatch(/^first /);
  expect(text).not.toContain('zeta9');
});

it('B060: limits the total size of a value', () => {
  const { response } = limitEvent(toolUse(Array.from({ length: 50_000 }, () => 'y'.repeat(1_000))));
  expect(JSON.stringify(response).length).toBeLessThan(2_500_000);
});
