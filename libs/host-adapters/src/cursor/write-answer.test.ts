import { expect, it } from 'vitest';
import { CURSOR_EVENTS } from './events.js';
import { writeCursorAnswer as write } from './write-answer.js';

it('B021: writes a sessionStart response also when there is no context', () => {
  expect(JSON.parse(write('sessionStart', {}))).toEqual({ additional_context: '' });
  expect(JSON.parse(write('sessionStart', { context: 'a\n"b"', notice: 'n' }))).toEqual({
    additional_context: 'a\n"b"',
  });
});

it('B117: always lets a prompt continue', () => {
  expect(write('beforeSubmitPrompt', { notice: 'y' })).toBe('{"continue":true}');
  expect(write('beforeSubmitPrompt', { context: 'x' })).toBe('{"continue":true,"additional_context":"x"}');
});

it('B017, B019: writes nothing for other events, and never a field that stops or continues the host', () => {
  for (const event of [...CURSOR_EVENTS, 'Nope', '__proto__', '']) {
    const text = write(event, { context: 'NEXT', notice: 'NEXT' });
    if (!['sessionStart', 'beforeSubmitPrompt'].includes(event)) expect(text).toBe('');
    expect(text).not.toMatch(/"(permission|decision|followup_message|user_message|agent_message|env)"|false/);
  }
});

it('B023: truncates context after a complete line, and keeps its closing tag', () => {
  const lines = Array.from({ length: 200 }, (_, n) => `| #${n} | ${'🦊é'.repeat(100)} |`);
  const context = `<claude-mem-context>\n${lines.join('\n')}\n</claude-mem-context>`;
  const answer = JSON.parse(write('sessionStart', { context })) as { additional_context: string };
  expect(answer.additional_context.length).toBeLessThanOrEqual(10_000);
  const [first, ...kept] = answer.additional_context.split('\n');
  expect(first).toBe('<claude-mem-context>');
  expect(kept.pop()).toBe('</claude-mem-context>');
  expect(kept).toEqual(lines.slice(0, kept.length));
});
