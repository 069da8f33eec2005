import { expect, it } from 'vitest';
import { dedupeKeyOf } from '../dedupe-key.js';
import { readGeminiCliEvent } from './read-event.js';

const read = (event: string, payload: object, own = {}) =>
  readGeminiCliEvent(
    { event, payload: { session_id: 's', cwd: '/repos/shop', timestamp: 't', ...payload }, env: {} },
    own,
  );
const keyOf = (payload: object) => {
  const reading = read('AfterTool', payload);
  if (reading.kind !== 'event') throw new Error(reading.kind);
  return dedupeKeyOf(reading.event, {});
};

it.each([
  ['<hook_context>a\nb</hook_context>\n\nfix it', 'fix it'],
  ['<hook_context>a</hook_context>\n<hook_context>b</hook_context>fix it ', 'fix it'],
  ['<hook_context>a</hook_context>\n\n', '[no text]'],
  ['what is <hook_context>a</hook_context>?', 'what is <hook_context>a</hook_context>?'],
  ['<hook_context> is what?', '<hook_context> is what?'],
  ['', '[no text]'],
])('B103, B105: reads the Gemini CLI prompt %j as %j', (prompt, text) => {
  expect(read('BeforeAgent', { prompt })).toMatchObject({ event: { kind: 'prompt', text } });
});

it.each([
  [{ llmContent: 'Output: ok\nExit Code: 0', returnDisplay: '' }, 'succeeded'],
  [{ llmContent: 'one\n', returnDisplay: '' }, 'succeeded'],
  [{ llmContent: '<untrusted_context>\nOutput: no\nExit Code: 127\n</untrusted_context>' }, 'failed'],
  [{ llmContent: 'x', error: { message: 'File not found' } }, 'failed'],
  [{ llmContent: [{ text: 'Output: no\nExit Code: 1' }] }, 'failed'],
  ['plain', 'succeeded'],
])('B119: reads the Gemini CLI tool response %j with the outcome %s', (tool_response, outcome) => {
  expect(read('AfterTool', { tool_name: 'run_shell_command', tool_response })).toMatchObject({
    event: { response: tool_response, outcome },
  });
});

it('treats calls with different timestamps as two, and a call that is reported twice as one', () => {
  const call = { tool_name: 'read_file', tool_input: { file_path: 'a' }, tool_response: {} };
  expect(keyOf(call)).toBe(keyOf({ ...call }));
  expect(keyOf(call)).not.toBe(keyOf({ ...call, timestamp: 'u' }));
  expect(keyOf(call)).not.toBe(keyOf({ ...call, tool_input: { file_path: 'b' } }));
});

it('B102: ignores files in the data folder and memory tools of claude-mem', () => {
  const dataDir = '/home/ada/.claude-mem';
  for (const use of [
    { tool_name: 'read_file', tool_input: { file_path: `${dataDir}/settings.json` } },
    { tool_name: 'mcp_claude-mem_search_memory', tool_input: { query: 'x' } },
  ])
    expect(read('AfterTool', use, { dataDir })).toMatchObject({ kind: 'ignored' });
  expect(read('AfterTool', { tool_name: 'mcp_tickets_find' }, { dataDir })).toMatchObject({ kind: 'event' });
});
