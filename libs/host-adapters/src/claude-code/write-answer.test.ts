import { describe, expect, it } from 'vitest';
import { CLAUDE_CODE_EVENTS } from './events.js';
import { writeClaudeCodeAnswer as write } from './write-answer.js';

interface Answer {
  hookSpecificOutput: { hookEventName: string; additionalContext: string };
  systemMessage?: string;
}
const parse = (text: string) => JSON.parse(text) as Answer;
const WITH_CONTEXT = ['SessionStart', 'UserPromptSubmit', 'FileRead', 'ToolResult', 'ToolFailure'];
const rest = CLAUDE_CODE_EVENTS.filter((event) => !WITH_CONTEXT.includes(event));

describe('writeClaudeCodeAnswer', () => {
  it.each(rest)('B017, B019: writes nothing for %s, even with context and a notice', (event) => {
    expect(write(event, { context: 'NEXT: delete branch', notice: 'NEXT: delete branch' })).toBe('');
  });

  it('B017: writes nothing for an unknown event', () => {
    for (const event of ['', 'Nope', '__proto__', 'constructor'])
      expect(write(event, { context: 'x' })).toBe('');
  });

  it.each(['SessionStart', 'UserPromptSubmit'])(
    'B020, B021: writes one JSON document in the format of %s',
    (event) => {
      expect(parse(write(event, {}))).toEqual({
        hookSpecificOutput: { hookEventName: event, additionalContext: '' },
      });
      const text = write(event, { context: 'a\nb "c" \u0000 \ud800', notice: 'two\nlines \u001b[31mred' });
      expect(text).not.toContain('\n');
      expect(Object.keys(parse(text)).sort()).toEqual(['hookSpecificOutput', 'systemMessage']);
      expect(parse(text).systemMessage).toBe('two lines [31mred');
    },
  );

  it.each([
    ['FileRead', 'PostToolUse'],
    ['ToolResult', 'PostToolUse'],
    ['ToolFailure', 'PostToolUseFailure'],
  ])('B017, B022: writes context or nothing for %s, and never a decision', (event, hookEventName) => {
    expect(write(event, {})).toBe('');
    expect(write(event, { notice: 'for the person' })).toBe('');
    expect(JSON.parse(write(event, { context: 'known' }))).toEqual({
      hookSpecificOutput: { hookEventName, additionalContext: 'known' },
    });
  });

  it('B022: never writes a field that stops, blocks or continues the host', () => {
    for (const event of CLAUDE_CODE_EVENTS) {
      expect(write(event, { context: 'x', notice: 'y' })).not.toMatch(
        /"(decision|permissionDecision|updatedInput|continue|stopReason|suppressOutput)"/,
      );
    }
  });

  it('B023: truncates context to 10,000 characters after a complete line, and keeps its closing tag', () => {
    const lines = Array.from({ length: 200 }, (_, n) => `| #${n} | ${'🦊é'.repeat(100)} |`);
    const context = `<claude-mem-context>\n${lines.join('\n')}\n</claude-mem-context>`;
    const { additionalContext } = parse(write('SessionStart', { context })).hookSpecificOutput;
    expect(additionalContext.length).toBeLessThanOrEqual(10_000);
    expect(additionalContext.length).toBeGreaterThan(9500);
    const [first, ...kept] = additionalContext.split('\n');
    expect(first).toBe('<claude-mem-context>');
    expect(kept.pop()).toBe('</claude-mem-context>');
    expect(kept).toEqual(lines.slice(0, kept.length));
  });

  it('B023: keeps exactly 10,000 characters, and never splits a surrogate pair', () => {
    const of = (context: string) =>
      parse(write('SessionStart', { context })).hookSpecificOutput.additionalContext;
    expect(of('x'.repeat(10_000))).toHaveLength(10_000);
    expect(of('x'.repeat(10_001))).toHaveLength(10_000);
    const foxes = of(`x${'🦊'.repeat(6000)}`);
    expect(foxes).toHaveLength(9999);
    expect(foxes.isWellFormed()).toBe(true);
  });
});
