import { Buffer } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readClaudeCodeEvent } from '../claude-code/read-event.js';
import type { AdapterOptions, HookEnv } from '../host-adapter.js';
import { decodeHookBody, dedupeKeyOf, resolveProject } from '../index.js';
import { readHostSamples } from '../testing/index.js';
import { CURSOR_EVENTS } from './events.js';
import { createCursorReader } from './read-event.js';

const read = (event: string, payload: unknown, env: HookEnv = {}, options: AdapterOptions = {}) =>
  createCursorReader()({ event, payload, env }, options);
const eventOf = (event: string, payload: object, env: HookEnv = {}) => {
  const reading = read(event, { conversation_id: 'c1', workspace_roots: ['/p'], ...payload }, env);
  if (reading.kind !== 'event') throw new Error(JSON.stringify(reading));
  return reading.event;
};
const samples = readHostSamples(join(import.meta.dirname, '../__fixtures__/cursor'), CURSOR_EVENTS);

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'cursor-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the Cursor event reader', () => {
  it('reads all fields of a tool use', () => {
    const payload = {
      conversation_id: 'c1',
      session_id: 'other',
      generation_id: 'g1',
      workspace_roots: ['/p', '/q'],
      user_email: 'dev@example.com',
      tool_name: 'Shell',
      tool_input: { command: 'ls' },
      tool_output: '{"exitCode":0,"stdout":"a"}',
      tool_use_id: 'tool_1',
      cwd: '/p/sub',
      duration: 12,
    };
    expect(read('postToolUse', payload, { projectDir: '/q' })).toEqual({
      kind: 'event',
      event: {
        kind: 'tool-use',
        host: 'cursor',
        contentSessionId: 'c1',
        cwd: '/p/sub',
        projectDir: '/p',
        promptId: 'g1',
        agentId: null,
        agentType: null,
        toolName: 'Shell',
        toolUseId: 'tool_1',
        input: { command: 'ls' },
        response: { exitCode: 0, stdout: 'a' },
        outcome: 'succeeded',
        error: null,
        isInterrupt: false,
        durationMs: 12,
      },
    });
  });

  it('never includes the e-mail address of the user', () => {
    for (const { event, payload } of samples) {
      const reading = read(event, { ...(payload as object), user_email: 'dev@example.com' });
      expect(JSON.stringify(reading), event).not.toContain('dev@example.com');
    }
  });

  it('B117: reads the session from conversation_id, the turn from generation_id, and the project from the first workspace folder', () => {
    const repo = join(folder, 'shop');
    execFileSync('git', ['init', '-q', repo], { stdio: 'pipe', env: { PATH: process.env['PATH'] } });
    const roots = [join(repo, 'packages'), '/other'];
    const event = eventOf('beforeSubmitPrompt', {
      generation_id: 'g1',
      prompt: 'hi',
      workspace_roots: roots,
    });
    expect(event).toMatchObject({ kind: 'prompt', text: 'hi', contentSessionId: 'c1', promptId: 'g1' });
    expect(event).toMatchObject({ cwd: roots[0], projectDir: roots[0] });
    const places = { home: join(folder, 'home'), tmpDir: join(folder, 'tmp') };
    expect(resolveProject(event, places)).toEqual({ key: repo, name: 'shop', root: repo });
  });

  it('B117: uses session_id when conversation_id is missing, and rejects a payload without both', () => {
    for (const conversation_id of [undefined, null, '', {}]) {
      const payload = { conversation_id, session_id: 's1' };
      expect(eventOf('sessionStart', payload)).toMatchObject({ contentSessionId: 's1' });
      expect(read('sessionStart', { conversation_id })).toEqual({
        kind: 'invalid',
        message: 'the payload has no conversation_id',
      });
    }
  });

  it('B117: removes the slash before the drive of a Windows folder', () => {
    const event = eventOf('sessionStart', { workspace_roots: ['/c:/Users/dev/shop'], cwd: '' });
    expect(event).toMatchObject({ cwd: 'c:/Users/dev/shop', projectDir: 'c:/Users/dev/shop' });
    expect(resolveProject(event, { home: folder, tmpDir: folder })).toMatchObject({
      key: 'C:/Users/dev/shop',
      name: 'shop',
    });
  });

  it.each([[[]], [undefined], [null], [{}], ['/p'], [['']], [[null, 5]]])(
    'B118: assigns no project for workspace_roots %j, even in the .cursor folder',
    (workspace_roots) => {
      const home = join(folder, 'home');
      const own = join(home, '.cursor');
      mkdirSync(own, { recursive: true });
      execFileSync('git', ['init', '-q', own], { stdio: 'pipe', env: { PATH: process.env['PATH'] } });
      for (const cwd of [undefined, '', own, `${own}/`, 'C:\\Users\\dev\\.cursor']) {
        for (const projectDir of [undefined, own]) {
          const event = eventOf('beforeSubmitPrompt', { prompt: 'hi', workspace_roots, cwd }, { projectDir });
          expect(event).toMatchObject({ cwd: null, projectDir: null });
          expect(resolveProject(event, { home, tmpDir: join(folder, 'tmp') })).toEqual({
            key: 'neutral',
            name: 'no project',
            root: null,
          });
        }
      }
    },
  );

  it('B118: uses the folder of the hook or the command when there is no workspace', () => {
    const roots = { workspace_roots: [] };
    expect(eventOf('stop', roots, { projectDir: '/p' })).toMatchObject({ cwd: '/p', projectDir: '/p' });
    expect(eventOf('stop', { ...roots, cwd: '/q' })).toMatchObject({ cwd: '/q', projectDir: null });
  });

  it('B120: uses a placeholder when the prompt is empty', () => {
    for (const prompt of ['', ' \n', undefined, null, {}]) {
      expect(eventOf('beforeSubmitPrompt', { prompt })).toMatchObject({ kind: 'prompt', text: '[no text]' });
    }
  });
});

describe('JSON in string values', () => {
  it.each([
    ['{"a":[1,{"b":"c"}]}', { a: [1, { b: 'c' }] }],
    [' ["x"] ', ['x']],
    ['"text"', 'text'],
    ['{"content":"one\ntwo\t\u0001"}', { content: 'one\ntwo\t\u0001' }],
    ['{"p":"C:\\Users\\me"}', { p: 'C:\\Users\\me' }],
    ['{"a":1,"__proto__":{"b":1}}', { a: 1 }],
    ['', ''],
    ['ok 12 tests\n', 'ok 12 tests\n'],
    ['[1] 4711 Done', '[1] 4711 Done'],
    ['[INFO] started', '[INFO] started'],
    ['{"a":1} {"b":2}', '{"a":1} {"b":2}'],
    ['{"a":', '{"a":'],
    ['12345678901234567890', '12345678901234567890'],
    [{ a: 1 }, { a: 1 }],
    [null, null],
    [0, 0],
    [false, false],
    [undefined, null],
  ])('B119: is parsed: %j becomes %j', (value, expected) => {
    expect(eventOf('postToolUse', { tool_name: 'T', tool_output: value, tool_input: value })).toMatchObject({
      response: expected,
      input: expected,
    });
  });

  it('is truncated when it is nested too deep', () => {
    const tool_output = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(JSON.stringify(eventOf('postToolUse', { tool_output }))).toContain('nested too deep');
  });
});

describe('the bytes that Cursor sends', () => {
  it('B116: are read when a byte-order mark precedes the payload', () => {
    const body = Buffer.from(
      '\ufeff{"conversation_id":"c1","prompt":"hi","workspace_roots":["/c:/Users/dev/shop"]}',
    );
    expect([...body.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    for (const bytes of [body, Buffer.concat([Buffer.from('host: cursor\nevent-id: e1\n\n'), body])]) {
      const decoded = decodeHookBody(bytes);
      if (!('payload' in decoded)) throw new Error(decoded.problem);
      expect(read('beforeSubmitPrompt', decoded.payload, decoded.env)).toMatchObject({
        kind: 'event',
        event: { kind: 'prompt', text: 'hi', contentSessionId: 'c1' },
      });
    }
  });

  it.each([
    ['an object', (content: string) => `{"file_path":"/p/a.ts","content":"${content}"}`],
    ['a text', (content: string) => JSON.stringify(`{"file_path":"/p/a.ts","content":"${content}"}`)],
  ])('B121: are read completely when a large file edit contains raw line breaks in %s', (_, inputOf) => {
    const content = 'const line = 1;\n\tmore();\r\n'.repeat(20_000);
    const text = `{"conversation_id":"c1","workspace_roots":["/p"],"tool_name":"Write","tool_use_id":"t1","tool_input":${inputOf(content)},"tool_output":"{}"}`;
    const decoded = decodeHookBody(Buffer.from(text));
    if (!('payload' in decoded)) throw new Error(decoded.problem);
    expect(read('postToolUse', decoded.payload)).toMatchObject({
      kind: 'event',
      event: { contentSessionId: 'c1', toolUseId: 't1', input: { file_path: '/p/a.ts', content } },
    });
  });

  it('B121: yield the conversation and the tool for the log when the payload cannot be repaired', () => {
    const text = '{"conversation_id":"c1","tool_name":"Write","tool_input":{"content":"say "hi" to"}}';
    expect(decodeHookBody(Buffer.from(text))).toMatchObject({
      problem: expect.any(String),
      sessionId: 'c1',
      toolName: 'Write',
    });
  });
});

describe('Cursor tool events', () => {
  it('report a failure by their own event or by their output', () => {
    const failure = { tool_name: 'Shell', tool_use_id: 't1' };
    expect(eventOf('postToolUseFailure', { ...failure, error_message: 'boom' })).toMatchObject({
      outcome: 'failed',
      error: 'boom',
      isInterrupt: false,
      toolUseId: 't1',
    });
    expect(
      eventOf('postToolUseFailure', { error_message: '', failure_type: 'timeout', is_interrupt: true }),
    ).toMatchObject({ outcome: 'failed', error: 'timeout', isInterrupt: true });
    expect(eventOf('postToolUse', { tool_output: '{"exitCode":2,"stderr":"bad"}' })).toMatchObject({
      outcome: 'failed',
      error: 'bad',
    });
  });

  it('B138: are ignored when they repeat a call of postToolUse', () => {
    for (const event of ['afterShellExecution', 'afterMCPExecution', 'afterFileEdit']) {
      expect(read(event, { conversation_id: 'c1', command: 'ls', output: 'a' })).toMatchObject({
        kind: 'ignored',
        contentSessionId: 'c1',
      });
    }
    const use = { tool_name: 'Shell', tool_use_id: 't1', tool_output: '{}' };
    expect(dedupeKeyOf(eventOf('postToolUse', use), { eventId: 'e1' })).toBe(
      dedupeKeyOf(eventOf('postToolUse', { ...use, tool_output: '{ }' }), { eventId: 'e2' }),
    );
  });

  it('B138: are not stored again when Cursor also sends them through the hooks of Claude Code', () => {
    for (const { event, payload } of samples) {
      const name = event.charAt(0).toUpperCase() + event.slice(1);
      for (const claudeEvent of [name, 'UserPromptSubmit', 'PostToolUse']) {
        const input = { ...(payload as object), session_id: 's1' };
        expect(readClaudeCodeEvent({ event: claudeEvent, payload: input, env: {} }, {}).kind).toBe('ignored');
      }
    }
    // Also for payloads in Claude Code's format, unless they are from a Claude Code that was started in Cursor.
    const payload = { session_id: 's1', prompt: 'hi' };
    const kindIn = (env: HookEnv) =>
      readClaudeCodeEvent({ event: 'UserPromptSubmit', payload, env }, {}).kind;
    expect(kindIn({ cursorVersion: '3.20.17' })).toBe('ignored');
    expect(kindIn({ cursorVersion: '3.20.17', entrypoint: 'cli' })).toBe('event');
  });

  it('B101, B102: are ignored when they concern claude-mem itself', () => {
    const options = { dataDir: join(folder, 'data'), observerDir: join(folder, 'observer'), home: folder };
    const base = { conversation_id: 'c1', workspace_roots: [folder] };
    const kindOf = (payload: object, env: HookEnv = {}) =>
      read('postToolUse', { ...base, ...payload }, env, options).kind;
    expect(kindOf({ tool_name: 'Shell' })).toBe('event');
    expect(kindOf({ tool_name: 'Shell' }, { observer: '1' })).toBe('ignored');
    expect(kindOf({ workspace_roots: [options.observerDir] })).toBe('ignored');
    for (const tool_name of ['Write', 'StrReplace', 'Delete', 'Read']) {
      expect(kindOf({ tool_name, tool_input: { path: join(options.dataDir, 'x') } }), tool_name).toBe(
        'ignored',
      );
      expect(kindOf({ tool_name, tool_input: '{"file_path":"data/x"}' }), tool_name).toBe('ignored');
      expect(kindOf({ tool_name, tool_input: { path: 'src/x' } }), tool_name).toBe('event');
    }
  });
});

describe('the end of a Cursor turn or session', () => {
  it.each(['completed', 'aborted', 'error', undefined])(
    'B150: is read from stop with status %s when there is no transcript',
    (status) => {
      const payload = { conversation_id: 'c1', status, workspace_roots: ['/p'] };
      expect(read('stop', payload)).toMatchObject({
        kind: 'event',
        event: {
          kind: 'turn-end',
          contentSessionId: 'c1',
          projectDir: '/p',
          lastAssistantMessage: null,
          transcriptPath: null,
        },
      });
    },
  );

  it('B152: is not read from the end of a sub-agent', () => {
    expect(read('subagentStop', { conversation_id: 'c1', status: 'completed' }).kind).toBe('ignored');
  });

  it('contains the last message of the agent in the same turn', () => {
    const reader = createCursorReader();
    const reply = (event: string, generation_id: string, text?: unknown, conversation_id = 'c1') =>
      reader({ event, payload: { conversation_id, generation_id, text }, env: {} }, {});
    const end = (generation_id: string, conversation_id?: string) => {
      const reading = reply('stop', generation_id, undefined, conversation_id);
      return reading.kind === 'event' && reading.event.kind === 'turn-end' ? reading.event : null;
    };
    for (const text of ['Looking.', 'The discount is kept.', ' ', null])
      expect(reply('afterAgentResponse', 'g1', text)).toMatchObject({
        kind: 'ignored',
        contentSessionId: 'c1',
      });
    reply('afterAgentResponse', 'g9', 'Other.', 'c2');
    expect(end('g1')).toMatchObject({ lastAssistantMessage: 'The discount is kept.' });
    expect(end('g2')).toMatchObject({ lastAssistantMessage: null });
    expect(end('g9', 'c2')).toMatchObject({ lastAssistantMessage: 'Other.' });
    const unknown = createCursorReader()(
      { event: 'stop', payload: { conversation_id: 'c1', generation_id: 'g1' }, env: {} },
      {},
    );
    const known = end('g1');
    if (unknown.kind !== 'event' || known === null) throw new Error(unknown.kind);
    expect(dedupeKeyOf(known, {})).toBe(dedupeKeyOf(unknown.event, {}));
    for (let n = 0; n < 50; n++) reply('afterAgentResponse', 'g', 'x', `c-${n}`);
    expect(end('g1')).toMatchObject({ lastAssistantMessage: null });
  });

  it('contains the transcript path, and has its own key for every turn', () => {
    const [first, second] = ['g1', 'g2'].map((generation_id) =>
      eventOf('stop', { generation_id, transcript_path: '/t.jsonl' }),
    );
    expect(first).toMatchObject({ transcriptPath: '/t.jsonl' });
    expect(first && dedupeKeyOf(first, {})).not.toBe(second && dedupeKeyOf(second, {}));
    expect(eventOf('sessionEnd', { reason: 'user_close' })).toMatchObject({
      kind: 'session-end',
      reason: 'user_close',
    });
  });
});
