import { expect, it } from 'vitest';
import { readCodexEvent } from './read-event.js';

const read = (event: string, payload: object, env = {}, own = {}) =>
  readCodexEvent({ event, payload: { session_id: 's', cwd: '/repos/shop', ...payload }, env }, own);

it('B117: uses turn_id as the prompt id of every Codex event in the turn', () => {
  for (const event of ['UserPromptSubmit', 'PostToolUse', 'Stop'])
    expect(read(event, { turn_id: 't1', prompt: 'x' })).toMatchObject({
      event: { host: 'codex', promptId: 't1', cwd: '/repos/shop' },
    });
});

it('S03: ignores the project folder of another host in the environment', () => {
  expect(read('SessionStart', { source: 'startup' }, { projectDir: '/repos/victim' })).toMatchObject({
    event: { cwd: '/repos/shop', projectDir: null },
  });
});

it.each([
  ['3 passed\n', 'succeeded', null],
  ['Exit code: 0\nOutput:\nSuccess', 'succeeded', null],
  ['Exit code: 1\nOutput:\nno', 'failed', 'Exit code: 1\nOutput:\nno'],
])('B119: reads the Codex tool response %j with the outcome %s', (tool_response, outcome, error) => {
  const use = { tool_name: 'Bash', tool_input: { command: 'x' }, tool_response, tool_use_id: 'c1' };
  expect(read('PostToolUse', use)).toMatchObject({ event: { response: tool_response, outcome, error } });
});

it('B152: ignores the end of a Codex sub-agent', () => {
  expect(read('Stop', { agent_id: 'a1' })).toMatchObject({ kind: 'ignored' });
  expect(read('Stop', { last_assistant_message: 'done' })).toMatchObject({
    event: { kind: 'turn-end', lastAssistantMessage: 'done' },
  });
});

it('B120: uses a placeholder when the Codex prompt is empty', () => {
  expect(read('UserPromptSubmit', { prompt: ' ' })).toMatchObject({ event: { text: '[no text]' } });
});

it.each(['/home/ada/.claude-mem/settings.json', '../.claude-mem/x', 'session-memory/summary.md'])(
  'B102: skips a patch that touches %s',
  (file) => {
    const dataDir = '/home/ada/.claude-mem';
    const patch = (name: string) => ({
      tool_name: 'apply_patch',
      cwd: '/home/ada/shop',
      tool_input: {
        command: `*** Begin Patch\n*** Add File: a.ts\n+x\n*** Update File: ${name}\n*** End Patch`,
      },
    });
    expect(read('PostToolUse', patch(file), {}, { dataDir })).toMatchObject({ kind: 'ignored' });
    expect(read('PostToolUse', patch('b.ts'), {}, { dataDir })).toMatchObject({ kind: 'event' });
  },
);
