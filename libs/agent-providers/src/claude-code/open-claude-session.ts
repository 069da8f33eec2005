import { messageOf, systemClock } from '@claude-mem/core';
import type { RunningCall } from '../model/call-within.js';
import { maskVendorText } from '../model/mask-vendor-text.js';
import { ProviderError } from '../provider-error.js';
import { PROVIDER_ROWS } from '../provider-rows.js';
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
  /** How long a child may take to end before it is killed. */
  graceMs: number;
  now: () => number;
}

/** One running Claude Code that is asked turn by turn. */
export interface ClaudeSession {
  readonly instructions: string;
  isGone(): boolean;
  /** One at a time. After anything but an answer that is reusable, the session has to be stopped. */
  ask(prompt: string, call: RunningCall): Promise<SessionTurn>;
  /** Lets it end by itself, at first. Resolves when the child is gone. */
  close(): Promise<void>;
  /** Ends it in the middle of whatever it does. Resolves when the child is gone. */
  stop(): Promise<void>;
  /** Ends it before it can do anything more. Resolves when the child is gone. */
  kill(): Promise<void>;
}

/** `unusable`: the program cannot be used at all, and would end the same way again. */
export type SessionTurn = Exclude<Turn, { kind: 'ended' }> | { kind: 'unusable'; error: ProviderError };

/** Starts a child without settings, plugins, tools or servers, and speaks with it through the vendor's package. */
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
      // prompts quote what was typed: no commands, no files by `@name`
      verbatimPrompts: true,
      ...(model === null ? {} : { model }),
      ...(resume === null ? {} : { resume }),
      spawnClaudeCodeProcess: (spawned: SpawnChildOptions) => {
        child = spawnChild(spawned);
        return child.process;
      },
    },
  });
  // assigned inside a callback, which the compiler does not see
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

/** What it means that a child was gone before it answered, or that the vendor's package gave up on it. */
async function whyEnded(child: Child | null, hasSpoken: boolean, thrown: unknown): Promise<SessionTurn> {
  const end =
    child === null ? null : await Promise.race([child.gone, systemClock.sleep(1_000).then(() => null)]);
  const said = child?.said() ?? '';
  if (isResumeRefusalText(said)) return { kind: 'resume-refused' };
  const line = firstLine(said) || messageOf(end?.error ?? thrown ?? 'without a word');
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

/** Prompts that are written while the child runs; the stream ends when told. */
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
