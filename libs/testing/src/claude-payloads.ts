import { randomUUID } from 'node:crypto';

type Fields = Readonly<Record<string, unknown>>;

/** A tool call in a payload. Missing fields get the values of a simple edit. */
export interface ToolCall {
  name?: string;
  input?: unknown;
  response?: unknown;
  id?: string;
  more?: Fields;
}

/** Creates the hook payloads of one Claude Code session, in the format of its current version. */
export interface ClaudePayloads {
  sessionId: string;
  sessionStart(source?: string, more?: Fields): Fields;
  prompt(text: string, more?: Fields): Fields;
  toolUse(call?: ToolCall): Fields;
  toolFailure(call?: ToolCall & { error?: string }): Fields;
  stop(lastMessage?: string, more?: Fields): Fields;
  sessionEnd(reason?: string, more?: Fields): Fields;
}

/** Creates a builder of payloads for one session. Prompts and tool calls get unique ids unless ids are passed. */
export function claudePayloads(options: { cwd: string; sessionId?: string }): ClaudePayloads {
  const { cwd, sessionId = randomUUID() } = options;
  let calls = 0;
  let promptId = randomUUID();
  const base = (event: string) => ({
    session_id: sessionId,
    transcript_path: `${cwd}/.transcripts/${sessionId}.jsonl`,
    cwd,
    hook_event_name: event,
  });
  const call = ({ name = 'Edit', input, id }: ToolCall) => {
    calls += 1;
    const file = `${cwd}/src/file-${calls}.ts`;
    return {
      tool_name: name,
      tool_input: input ?? {
        file_path: file,
        old_string: 'const limit = 1;',
        new_string: `const limit = ${calls};`,
      },
      tool_use_id: id ?? `toolu_${sessionId.slice(0, 8)}_${calls}`,
      prompt_id: promptId,
      permission_mode: 'default',
    };
  };
  return {
    sessionId,
    sessionStart: (source = 'startup', more = {}) => ({ ...base('SessionStart'), source, ...more }),
    prompt: (text, more = {}) => {
      promptId = randomUUID();
      return {
        ...base('UserPromptSubmit'),
        prompt_id: promptId,
        prompt: text,
        permission_mode: 'default',
        ...more,
      };
    },
    toolUse: (use = {}) => ({
      ...base('PostToolUse'),
      ...call(use),
      tool_response: use.response ?? { filePath: `${cwd}/src/file-${calls}.ts`, success: true },
      duration_ms: 12,
      ...use.more,
    }),
    toolFailure: (use = {}) => ({
      ...base('PostToolUseFailure'),
      ...call(use),
      error: use.error ?? 'String to replace not found in file.',
      is_interrupt: false,
      ...use.more,
    }),
    stop: (lastMessage = 'Done.', more = {}) => ({
      ...base('Stop'),
      prompt_id: promptId,
      stop_hook_active: false,
      last_assistant_message: lastMessage,
      ...more,
    }),
    sessionEnd: (reason = 'other', more = {}) => ({ ...base('SessionEnd'), reason, ...more }),
  };
}
