import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { waitFor, type Environment, type TempHome } from '@claude-mem/testing';

export interface ClaudeOptions {
  command: readonly string[];
  home: TempHome;
  modelUrl: string;
  /** @default the project folder of the home */
  cwd?: string;
  args?: readonly string[];
}

/** A running Claude Code with JSON input, which reads one line per prompt. */
export interface ClaudeSession extends AsyncDisposable {
  pid: number;
  /** Returns the current conversation id. The id changes after /clear. */
  sessionId(): string;
  /** Sends a prompt and waits for the end of the turn. */
  send(prompt: string): Promise<string>;
  /** Sends a prompt without waiting. */
  begin(prompt: string): void;
  /** Interrupts the turn, like the Escape key. Resolves when the turn has ended. */
  interrupt(): Promise<void>;
  /** Ends the program like closing its window. Returns the exit code. */
  end(): Promise<number | null>;
}

interface ClaudeEvent {
  type: string;
  subtype?: string;
  session_id?: string;
  result?: string;
}

const DEADLINE_MS = 90_000;

export const API_KEY = 'sk-ant-of-a-test-000000000000000000000';

/**
 * Returns an environment that inherits no variables: with a separate temporary folder, the fake vendor, and no other
 * network access.
 */
export function claudeEnvironment({ home, modelUrl }: Pick<ClaudeOptions, 'home' | 'modelUrl'>): Environment {
  const tmp = path.join(home.home, 'tmp');
  mkdirSync(tmp, { recursive: true });
  return {
    ...home.env,
    TMPDIR: tmp,
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: API_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    ENABLE_TOOL_SEARCH: 'false',
  };
}

export function startClaude({
  command,
  home,
  modelUrl,
  cwd = home.project,
  args = [],
}: ClaudeOptions): ClaudeSession {
  const format = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
  const child = spawn(command[0] ?? '', [...command.slice(1), '-p', ...format, ...args], {
    cwd,
    env: claudeEnvironment({ home, modelUrl }),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const events: ClaudeEvent[] = [];
  let printed = '';
  let exit: number | null | undefined;
  child.stderr.on('data', (chunk) => (printed += String(chunk)));
  createInterface(child.stdout).on('line', (line) => events.push(JSON.parse(line) as ClaudeEvent));
  const closed = new Promise<number | null>((resolve) =>
    child.once('close', (code) => resolve((exit = code))),
  );

  const write = (line: object) => void child.stdin.write(`${JSON.stringify(line)}\n`);
  const begin = (prompt: string) => write({ type: 'user', message: { role: 'user', content: prompt } });
  const results = () => events.filter(({ type }) => type === 'result');

  async function nextResult(seen: number): Promise<string> {
    await waitFor(() => exit !== undefined || results().length > seen, {
      what: 'the turn to end',
      deadlineMs: DEADLINE_MS,
    });
    const result = results()[seen];
    if (!result) throw new Error(`the program ended with ${exit} in the turn: ${printed}`);
    return result.result ?? '';
  }

  async function end() {
    child.stdin.end();
    const timer = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
    const code = await closed;
    clearTimeout(timer);
    return code;
  }

  return {
    pid: child.pid ?? -1,
    sessionId: () => events.findLast((event) => event.session_id)?.session_id ?? '',
    begin,
    send(prompt) {
      const seen = results().length;
      begin(prompt);
      return nextResult(seen);
    },
    async interrupt() {
      const seen = results().length;
      write({ type: 'control_request', request_id: `${seen}`, request: { subtype: 'interrupt' } });
      await nextResult(seen);
    },
    end,
    async [Symbol.asyncDispose]() {
      if (exit === undefined) child.kill('SIGKILL');
      await closed;
    },
  };
}
