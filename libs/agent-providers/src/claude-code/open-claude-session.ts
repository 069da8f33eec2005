import { messageOf, PROVIDER_ROWS, systemClock } from '@claude-mem/core';
import type { RunningCall } from '../model/call-within.js';
import { maskVendorText } from '../model/mask-vendor-text.js';
import { ProviderError } from '../provider-error.js';
import type { AgentSdk } from './load-agent-sdk.js';
import { isResumeRefusalText, readTurn, type Turn } from './read-turn.js';
import { spawnChild, type Child, type SpawnChildOptions } from './spawn-child.js';

export interface ClaudeSessionOptions {
  sdk: AgentSdk;
  executable: string;
  folder: string;
  env: Record<string, string>;
  model: string | null;
  instructions: string;
  resume: string | null;
  /** Milliseconds until a child process that does not exit is killed. */
  graceMs: number;
  now: () => number;
}

/** A running Claude Code process that answers one turn after another. */
export interface ClaudeSession {
  readonly instructions: string;
  isGone(): boolean;
  /** Sends one turn; one at a time. The session must be stopped after any result that is not a reusable answer. */
  ask(prompt: string, call: RunningCall): Promise<SessionTurn>;
  /** Closes the input and waits. Resolves when the process has exited. */
  close(): Promise<void>;
  /** Stops a running turn. Resolves when the process has exited. */
  stop(): Promise<void>;
  /** Kills the process at once. Resolves when the process has exited. */
  kill(): Promise<void>;
}

/** `unusable`: the program cannot be used, and another start would fail in the same way. */
export type SessionTurn = Exclude<Turn, { kind: 'ended' }> | { kind: 'unusable'; error: ProviderError };

/** Starts a Claude Code process through the agent SDK, without settings, plugins, tools or servers. */
export function openClaudeSession(options: ClaudeSessionOptions): ClaudeSession {
  const { sdk, executable, folder, env, model, instructions, resume, graceMs, now } = options;
  const input = createInput();
  let child: Child | null = null;
  let cost = 0;
  let hasSpoken = false;
  const query = sdk.query({
    prompt: input.messages,
    options: {
      pathToClaudeCodeExecutable: executable,
      cwd: folder,
      env,
      systemPrompt: instructions,
      settingSources: [],
      tools: [],
      mcpServers: {},
      strictMcpConfig: true,
      thinking: { type: 'disabled' },
      includePartialMessages: true,
      // Prompts quote user text: disable slash commands and `@name` file references.
      verbatimPrompts: true,
      ...(model === null ? {} : { model }),
      ...(resume === null ? {} : { resume }),
      spawnClaudeCodeProcess: (spawned: SpawnChildOptions) => {
        child = spawnChild(spawned);
        return child.process;
      },
    },
  });
  // The compiler does not see the assignment inside the callback.
  const started = () => child;

  async function next() {
    const message = await query.next();
    if (!message.done) hasSpoken = true;
    return message;
  }

  async function end(how: 'close' | 'stop', grace: number): Promise<void> {
    input.end();
    query.close?.();
    await started()?.[how](grace);
  }

  return {
    instructions,
    isGone: () => started()?.end() != null,
    async ask(prompt, { alive }) {
      input.push(prompt);
      try {
        const turn = await readTurn({ next, alive, costBefore: cost, now });
        if (turn.kind === 'answered') cost = turn.cost;
        return turn.kind === 'ended' ? await whyEnded(started(), hasSpoken, null) : turn;
      } catch (error) {
        return await whyEnded(started(), hasSpoken, error);
      }
    },
    close: () => end('close', graceMs),
    stop: () => end('stop', graceMs),
    kill: () => end('stop', 0),
  };
}

const { name } = PROVIDER_ROWS['claude-code'];

/** Classifies an exit of the process before its answer, and an error of the agent SDK. */
async function whyEnded(child: Child | null, hasSpoken: boolean, thrown: unknown): Promise<SessionTurn> {
  const end =
    child === null ? null : await Promise.race([child.gone, systemClock.sleep(1_000).then(() => null)]);
  const errorOutput = child?.errorOutput() ?? '';
  if (isResumeRefusalText(errorOutput)) return { kind: 'resume-refused' };
  const line = firstLine(errorOutput) || messageOf(end?.error ?? thrown ?? 'without a word');
  if (hasSpoken || (end !== null && end.signal !== null)) {
    const message = `The ${name} observer lost its program in the middle of a turn (${maskVendorText(line)}).`;
    return { kind: 'failed', error: new ProviderError('network', message, { data: { provider: name } }) };
  }
  const message = `The ${name} observer cannot use this Claude Code, it ends at once (${maskVendorText(line)}): update it ("claude update"), or set CLAUDE_CODE_PATH to another.`;
  return {
    kind: 'unusable',
    error: new ProviderError('setup-required', message, { data: { provider: name } }),
  };
}

const firstLine = (text: string) => text.split('\n').find((line) => line.trim() !== '') ?? '';

interface Input {
  messages: AsyncIterable<unknown>;
  push(prompt: string): void;
  end(): void;
}

/** A stream of prompts that can be extended while the process runs. */
function createInput(): Input {
  const waiting: string[] = [];
  let wake = () => {};
  let isOver = false;
  async function* messages() {
    for (;;) {
      const prompt = waiting.shift();
      if (prompt !== undefined) {
        yield {
          type: 'user',
          message: { role: 'user', content: prompt },
          parent_tool_use_id: null,
          session_id: '',
        };
      } else if (isOver) {
        return;
      } else {
        await new Promise<void>((resolve) => (wake = resolve));
      }
    }
  }
  return {
    messages: messages(),
    push(prompt) {
      waiting.push(prompt);
      wake();
    },
    end() {
      isOver = true;
      wake();
    },
  };
}
