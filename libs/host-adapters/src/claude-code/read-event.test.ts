import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdapterOptions, HookEnv } from '../host-adapter.js';
import { readClaudeCodeEvent } from './read-event.js';

const read = (event: string, payload: unknown, env: HookEnv = {}, options: AdapterOptions = {}) =>
  readClaudeCodeEvent({ event, payload, env }, options);
const eventOf = (event: string, payload: object, env: HookEnv = {}) => {
  const reading = read(event, { session_id: 's1', cwd: '/p', ...payload }, env);
  if (reading.kind !== 'event') throw new Error(JSON.stringify(reading));
  return reading.event;
};

describe('the Claude Code event reader', () => {
  it('reads all fields of a tool use', () => {
    const payload = {
      session_id: 's1',
      cwd: '/p/sub',
      prompt_id: 'p1',
      agent_id: 'a1',
      agent_type: 'general-purpose',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_response: { stdout: 'a', interrupted: false },
      tool_use_id: 'toolu_1',
      duration_ms: 12,
    };
    expect(read('PostToolUse', payload, { projectDir: '/p' })).toEqual({
      kind: 'event',
      event: {
        kind: 'tool-use',
        host: 'claude-code',
        contentSessionId: 's1',
        cwd: '/p/sub',
        projectDir: '/p',
        promptId: 'p1',
        agentId: 'a1',
        agentType: 'general-purpose',
        toolName: 'Bash',
        toolUseId: 'toolu_1',
        input: { command: 'ls' },
        response: { stdout: 'a', interrupted: false },
        outcome: 'succeeded',
        error: null,
        isInterrupt: false,
        durationMs: 12,
      },
    });
  });

  it('returns readFile only for a FileRead event with a file path', () => {
    const payload = { session_id: 's1', cwd: '/p/sub', tool_name: 'Read', tool_response: {} };
    const reading = (fields: object, event = 'FileRead') => read(event, { ...payload, ...fields });
    const input = { tool_input: { file_path: '/p/a.ts' } };
    expect(reading(input)).toMatchObject({
      kind: 'event',
      event: { kind: 'tool-use', toolName: 'Read' },
      readFile: '/p/a.ts',
    });
    expect(reading(input, 'PostToolUse')).not.toHaveProperty('readFile');
    for (const other of [
      { tool_input: { file_path: 7 } },
      { tool_input: { file_path: '' } },
      { tool_input: '/p/a.ts' },
      {},
    ]) {
      expect(reading(other), JSON.stringify(other)).toMatchObject({ kind: 'event' });
      expect(reading(other), JSON.stringify(other)).not.toHaveProperty('readFile');
    }
  });

  it.each([
    ['ToolResult', true],
    ['ToolFailure', true],
    ['PostToolUse', undefined],
    ['PostToolUseFailure', undefined],
  ])(
    'reads a tool use from %s, and whether the response to the hook can contain an earlier fix',
    (event, takesFix) => {
      const payload = {
        session_id: 's1',
        cwd: '/p',
        tool_name: 'Bash',
        tool_input: {},
        error: 'Exit code 1',
      };
      const reading = read(event, payload);
      expect(reading).toMatchObject({
        kind: 'event',
        event: { kind: 'tool-use', outcome: event.endsWith('Failure') ? 'failed' : 'succeeded' },
      });
      expect((reading as { takesFix?: true }).takesFix).toBe(takesFix);
    },
  );

  it('ignores a read of a file in the data folder', () => {
    const payload = {
      session_id: 's1',
      cwd: '/p',
      tool_name: 'Read',
      tool_input: { file_path: '/m/x.json' },
    };
    expect(read('FileRead', payload, {}, { dataDir: '/m' })).toMatchObject({ kind: 'ignored' });
  });

  it.each(['startup', 'resume', 'clear', 'compact', 'fork'])(
    'reads a session start with the source %s',
    (source) => {
      expect(eventOf('SessionStart', { source })).toMatchObject({ kind: 'session-start', source });
    },
  );

  it('uses the source "other" when the source is unknown or missing', () => {
    expect(eventOf('SessionStart', {})).toMatchObject({ source: 'other' });
    expect(eventOf('SessionStart', { source: 'teleport' })).toMatchObject({ source: 'other' });
  });

  it.each([
    ['"ls -la"', 'null'],
    ['null', '[]'],
    ['{}', '0'],
    ['[1]', '"text"'],
    ['0', 'false'],
  ])('B119: keeps tool_input %s and tool_response %s unchanged', (input, response) => {
    const event = eventOf('PostToolUse', {
      tool_name: 'Bash',
      tool_input: JSON.parse(input),
      tool_response: JSON.parse(response),
    });
    expect(event).toMatchObject({ kind: 'tool-use', outcome: 'succeeded' });
    expect(event).toMatchObject({ input: JSON.parse(input), response: JSON.parse(response) });
  });

  it('B120: uses a placeholder when the prompt is empty', () => {
    expect(eventOf('UserPromptSubmit', { prompt: '' })).toMatchObject({ kind: 'prompt', text: '[no text]' });
    expect(eventOf('UserPromptSubmit', {})).toMatchObject({ kind: 'prompt', text: '[no text]' });
  });

  it.each([[[]], [null], [7], ['x'], [undefined]])('B115: rejects the payload %j', (payload) => {
    expect(read('UserPromptSubmit', payload)).toMatchObject({ kind: 'invalid' });
  });

  it('B021: rejects a payload without a session id', () => {
    expect(read('SessionStart', { cwd: '/p' })).toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('session_id'),
    });
  });

  it('B118: returns an event without a folder when cwd is missing or invalid', () => {
    for (const cwd of [undefined, null, '', ' ', 5, [], 'a\0b', 'x'.repeat(5000)]) {
      expect(eventOf('SessionStart', { cwd })).toMatchObject({ cwd: null, projectDir: null });
    }
  });

  it('shortens long session ids and keeps them distinct', () => {
    const ids = ['a', 'b'].map(
      (end) => eventOf('SessionStart', { session_id: 'x'.repeat(5000) + end }).contentSessionId,
    );
    expect(ids[0]).not.toBe(ids[1]);
    expect(ids.map((id) => id.length)).toEqual([200, 200]);
  });
});

describe('failed tools', () => {
  it('are recognized by their own event', () => {
    const failure = { tool_name: 'Bash', tool_input: {}, error: 'Exit code 2\nno such file' };
    expect(eventOf('PostToolUseFailure', { ...failure, is_interrupt: false })).toMatchObject({
      outcome: 'failed',
      error: 'Exit code 2\nno such file',
      isInterrupt: false,
    });
    expect(eventOf('PostToolUseFailure', { ...failure, is_interrupt: true })).toMatchObject({
      isInterrupt: true,
    });
    expect(eventOf('PostToolUseFailure', { tool_name: 'X' })).toMatchObject({
      outcome: 'failed',
      error: null,
    });
    expect(eventOf('PostToolUseFailure', { error: { message: 'boom' } })).toMatchObject({ error: 'boom' });
  });

  it.each([
    ['Error: Exit code 1\nfailed', 'Error: Exit code 1\nfailed'],
    ['Exit code: 1\nWall time: 0 seconds\nOutput:\nx', 'Exit code: 1\nWall time: 0 seconds\nOutput:\nx'],
    [
      '<tool_use_error>File has not been read yet</tool_use_error>',
      '<tool_use_error>File has not been read yet</tool_use_error>',
    ],
    [{ is_error: true, content: 'no' }, 'no'],
    [{ isError: true, content: [{ type: 'text', text: 'no' }] }, 'no'],
    [[{ type: 'text', text: 'Error: no' }], 'Error: no'],
    [{ exit_code: 2, stderr: 'bad', stdout: 'x' }, 'bad'],
    [{ exitCode: 127, output: 'not found' }, 'not found'],
    [{ success: false, error: 'denied' }, 'denied'],
    [{ error: 'denied' }, 'denied'],
  ])('are recognized by the response %j', (response, error) => {
    expect(eventOf('PostToolUse', { tool_name: 'T', tool_response: response })).toMatchObject({
      outcome: 'failed',
      error,
    });
  });

  it('include an interrupted command', () => {
    expect(
      eventOf('PostToolUse', { tool_response: { stdout: 'half', stderr: '', interrupted: true } }),
    ).toMatchObject({
      outcome: 'failed',
      error: 'half',
      isInterrupt: true,
    });
  });

  it.each([
    { stdout: 'Error: 0 found', stderr: 'warning', interrupted: false },
    'Exit code: 0\nOutput:\nError: nothing',
    'No Error: here',
    [{ type: 'text', text: 'fine' }],
    { success: true, error: '' },
    { error: null, exit_code: 0 },
    { type: 'text', file: { content: 'Error: in a file' } },
  ])('do not include the response %j', (response) => {
    expect(eventOf('PostToolUse', { tool_response: response })).toMatchObject({
      outcome: 'succeeded',
      error: null,
    });
  });
});

describe('the Claude Code event reader at the end of a turn or session', () => {
  it('B152: ignores the stop of a sub-agent, and adds the agent id to its tool uses', () => {
    const payload = { session_id: 's1', agent_id: 'a1', agent_type: 'Explore', tool_name: 'Bash' };
    expect(read('Stop', payload)).toMatchObject({ kind: 'ignored', contentSessionId: 's1' });
    expect(eventOf('PostToolUse', payload)).toMatchObject({ agentId: 'a1', agentType: 'Explore' });
    expect(eventOf('Stop', { agent_id: '' })).toMatchObject({ kind: 'turn-end' });
  });

  it('B152: reads the end of a sub-agent as the response of the tool that started it', () => {
    const payload = { agent_id: 'a1', agent_type: 'Explore', prompt_id: 'p1' };
    expect(eventOf('SubagentStop', { ...payload, last_assistant_message: 'Two callers.' })).toMatchObject({
      kind: 'tool-use',
      toolName: 'Agent',
      toolUseId: null,
      input: { subagent_type: 'Explore' },
      response: { agentId: 'a1', content: [{ type: 'text', text: 'Two callers.' }] },
      outcome: 'succeeded',
      agentId: 'a1',
      agentType: 'Explore',
      promptId: 'p1',
    });
  });

  it.each([
    ['says nothing', { agent_id: 'a1', agent_type: 'Explore' }],
    ['says nothing in a text', { agent_id: 'a1', agent_type: 'Explore', last_assistant_message: '' }],
    ['is of the host itself', { agent_id: 'a1', agent_type: '', last_assistant_message: 'A summary.' }],
    ['is of a version that names none', { last_assistant_message: 'Done.' }],
  ])('ignores the end of a sub-agent that %s', (_, payload) => {
    expect(read('SubagentStop', { session_id: 's1', ...payload })).toMatchObject({
      kind: 'ignored',
      contentSessionId: 's1',
    });
  });

  it.each(['manual', 'auto'])('reads a compaction before it begins: %s', (trigger) => {
    expect(eventOf('PreCompact', { trigger, custom_instructions: null })).toMatchObject({
      kind: 'compaction',
    });
  });

  it('reads the end of a turn with and without a closing message', () => {
    expect(eventOf('Stop', { last_assistant_message: 'Done.', transcript_path: '/t.jsonl' })).toMatchObject({
      lastAssistantMessage: 'Done.',
      transcriptPath: '/t.jsonl',
    });
    expect(eventOf('Stop', { stop_hook_active: true })).toMatchObject({ lastAssistantMessage: null });
    expect(eventOf('SessionEnd', { reason: 'clear' })).toMatchObject({
      kind: 'session-end',
      reason: 'clear',
    });
    expect(eventOf('SessionEnd', { reason: 3 })).toMatchObject({ reason: '3' });
    expect(eventOf('SessionEnd', {})).toMatchObject({ reason: 'other' });
  });

  it('B105: ignores a notice of the host', () => {
    expect(
      read('UserPromptSubmit', { session_id: 's', prompt: '<task-notification>x</task-notification>' }),
    ).toMatchObject({ kind: 'ignored', contentSessionId: 's' });
  });
});

describe('events about claude-mem itself', () => {
  let folder: string;
  let options: AdapterOptions;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'own-events-')));
    options = { dataDir: join(folder, 'data'), observerDir: join(folder, 'data', 'observer'), home: folder };
    mkdirSync(join(folder, 'data', 'observer', 'deep'), { recursive: true });
    symlinkSync(join(folder, 'data'), join(folder, 'link'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const kindOf = (event: string, payload: object, env: HookEnv = {}) =>
    read(event, { session_id: 's', cwd: folder, tool_name: 'Bash', ...payload }, env, options).kind;

  it.each(['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop', 'SessionEnd'])(
    'B101: are ignored for %s when the marker or the folder of the observer is set',
    (event) => {
      expect(kindOf(event, {})).toBe('event');
      expect(kindOf(event, {}, { observer: '1' })).toBe('ignored');
      expect(kindOf(event, {}, { CLAUDE_MEM_OBSERVER: '1' })).toBe('ignored');
      expect(kindOf(event, {}, { observer: '0' })).toBe('event');
      expect(kindOf(event, { cwd: options.observerDir })).toBe('ignored');
      expect(kindOf(event, { cwd: `${options.observerDir}/deep/` })).toBe('ignored');
      expect(kindOf(event, { cwd: join(folder, 'link', 'observer', 'gone') })).toBe('ignored');
      expect(kindOf(event, {}, { projectDir: options.observerDir })).toBe('ignored');
      expect(kindOf(event, { cwd: `${options.observerDir}2` })).toBe('event');
    },
  );

  it('B102: are ignored when a tool uses a file in the data folder or a session memory file', () => {
    const write = (path: unknown, tool_name = 'Write') =>
      kindOf('PostToolUse', { tool_name, tool_input: { file_path: path } });
    for (const path of [
      join(folder, 'data', 'settings.json'),
      join(folder, 'data'),
      join(folder, 'link', 'x.md'),
      'data/x.md',
      './x/../data/x.md',
      '~/data/x.md',
      'x/session-memory/summary.md',
      '/else/session-memory/summary.md',
      'C:\\x\\session-memory\\summary.md',
      '/home/ada/.claude/projects/shop/s1/session-memory/notes.md',
      'C:\\Users\\ada\\.claude\\session-memory\\config\\a.md',
    ]) {
      expect(write(path), path).toBe('ignored');
      expect(write(path, 'Edit'), path).toBe('ignored');
    }
    expect(write(join(folder, 'data', 'x'), 'Read')).toBe('ignored');
    expect(
      kindOf('PostToolUse', { tool_name: 'NotebookEdit', tool_input: { notebook_path: 'data/n.ipynb' } }),
    ).toBe('ignored');
    expect(kindOf('PostToolUseFailure', { tool_name: 'Write', tool_input: { file_path: 'data/n' } })).toBe(
      'ignored',
    );
    for (const path of [
      join(folder, 'database'),
      'src/session-memory.ts',
      'my-session-memory/a',
      'src/session-memory/store.ts',
      '/x/.claude/skills/session-memory/SKILL.md',
      'src/session-memory/notes.md',
      'src/session-memory/summary.md.ts',
      '',
      5,
      null,
      'a\0b',
    ]) {
      expect(write(path), String(path)).toBe('event');
    }
  });

  it.each([
    ['C:\\Users\\First Last\\repo', 'C:\\Users\\First Last\\repo\\src\\a.ts'],
    ['C:\\Users\\First Last\\repo', 'src\\a.ts'],
    ['\\\\wsl$\\Ubuntu\\home\\ann', 'w:/shop/a.ts'],
    ['relative/folder', 'a.ts'],
  ])('R02: do not include an edit in %s when this process works in the data folder', (cwd, path) => {
    const before = process.cwd();
    process.chdir(join(folder, 'data'));
    try {
      expect(kindOf('PostToolUse', { cwd, tool_name: 'Edit', tool_input: { file_path: path } })).toBe(
        'event',
      );
    } finally {
      process.chdir(before);
    }
  });

  it('are ignored when the tool is a memory tool of claude-mem', () => {
    for (const name of [
      'mcp__claude-mem__search_memory',
      'mcp__claude_mem__timeline',
      'mcp__plugin_claude-mem_claude-mem__remember',
      'mcp__plugin_claude-mem_mcp-search__get_observations',
    ]) {
      expect(kindOf('PostToolUse', { tool_name: name }), name).toBe('ignored');
    }
    for (const name of [
      'mcp__claude-memory__x',
      'mcp__tickets__claude-mem',
      'Bash',
      'mcp__not-claude-memo__x',
      'mcp__x-claude-mem__run',
      'mcp__x_claude_mem__run',
      'mcp__claude-mem-x__run',
      'mcp__plugin_x_claude-mem__run',
      'mcp__plugin_claude-mem-x_y__run',
    ]) {
      expect(kindOf('PostToolUse', { tool_name: name }), name).toBe('event');
    }
  });
});
