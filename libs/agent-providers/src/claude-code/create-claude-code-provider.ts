import { statSync } from 'node:fs';
import { PROVIDER_ROWS, systemClock, type Clock } from '@claude-mem/core';
import type { AgentProvider, Conversation, ObserverReply, ObserverRequest } from '../agent-provider.js';
import { createSlots, type SlotOwner } from '../conversations/create-slots.js';
import { callWithin, type CallTimeouts, type RunningCall } from '../model/call-within.js';
import { MAX_REPLY_TOKENS } from '../model/reply-limits.js';
import { ProviderError } from '../provider-error.js';
import { childEnvironment } from './child-environment.js';
import { findClaudeCode } from './find-claude-code.js';
import { isAgentSdk, loadAgentSdk, type AgentSdk } from './load-agent-sdk.js';
import { openClaudeSession, type ClaudeSession, type SessionTurn } from './open-claude-session.js';
import { prepareObserverFolder } from './prepare-observer-folder.js';

export interface ClaudeCodeProviderOptions {
  /**
   * The working folder of the child processes. It is created when missing and contains nothing that they could read.
   */
  folder: string;
  /** The environment of the worker. Child processes get only the variables that they need. */
  env: Readonly<Record<string, string | undefined>>;
  /** Value of CLAUDE_CODE_PATH. Empty: search for the program. */
  executable?: string;
  /** An additional folder in whose `node_modules` the agent SDK is searched. */
  dataDir?: string;
  /** Imports the agent SDK. */
  loadSdk?: () => Promise<unknown>;
  /** @default the model of the provider table: the newest small model, whatever model the user works with */
  model?: string;
  /** Maximum number of child processes. An idle conversation gives up its process. @default 2 */
  maxChildren?: number;
  /** Milliseconds until a child process that does not exit is killed. @default 2_000 */
  graceMs?: number;
  /** @default systemClock */
  clock?: Clock;
  timeouts?: CallTimeouts;
}

const ROW = PROVIDER_ROWS['claude-code'];
/** A program that cannot be used is not started again during this time, unless its file changes. */
const BROKEN_MS = 5 * 60_000;

/**
 * Creates an observer that runs the user's own Claude Code with the user's login. Each active conversation has one
 * child process, and each request is one turn of it. A conversation sends one request at a time.
 */
export function createClaudeCodeProvider(options: ClaudeCodeProviderOptions): AgentProvider {
  const { folder, dataDir, clock = systemClock, timeouts, maxChildren = 2, graceMs = 2_000 } = options;
  const { loadSdk = () => loadAgentSdk({ dataDir }) } = options;
  const model = options.model ?? ROW.defaultModel;
  const places = createSlots(maxChildren);
  const broken = createBrokenPrograms(clock);

  async function prepare(): Promise<{ sdk: AgentSdk; executable: string }> {
    const executable = findClaudeCode({ configured: options.executable, env: options.env });
    broken.check(executable);
    prepareObserverFolder(folder);
    const sdk = await loadSdk();
    if (!isAgentSdk(sdk))
      throw new ProviderError(
        'setup-required',
        `The package ${ROW.package} is not what it should be: install it anew.`,
      );
    return { sdk, executable };
  }

  return {
    name: ROW.name,
    model,
    maxReplyTokens: MAX_REPLY_TOKENS,
    capabilities: { needsCompleteTurn: false, readsBatch: false, isFree: false, resumes: true },
    async startConversation({ signal, resume } = {}) {
      signal?.throwIfAborted();
      await prepare();
      return openConversation(resume ?? null);
    },
  };

  function openConversation(resumed: string | null): Conversation {
    let session: ClaudeSession | null = null;
    let resume = resumed;
    let isAsked = false;
    let isDisposed = false;
    /** Requests that wait until the last child process has exited. */
    let ending: Promise<void> = Promise.resolve();
    const owner: SlotOwner = {
      isIdle: () => !isAsked,
      // A child process that is stopped here is resumed by the next request.
      leave: () => end('close'),
    };

    /** The slot is released only when the child process has exited. */
    function end(how: 'close' | 'stop' | 'kill'): Promise<void> {
      const leaving = session;
      session = null;
      const before = ending;
      return (ending = before.then(() => leaving?.[how]()).then(() => places.leave(owner)));
    }

    function forget(how: 'stop' | 'kill'): void {
      resume = null;
      void end(how);
    }

    async function reenter(signal: AbortSignal | undefined): Promise<void> {
      await ending;
      await places.enter(owner, signal);
    }

    async function childFor(instructions: string, call: RunningCall): Promise<ClaudeSession> {
      if (session && session.instructions !== instructions) {
        forget('stop');
        await reenter(call.signal);
      }
      if (session?.isGone()) session = null;
      if (session) return session;
      const { sdk, executable } = await prepare();
      // Nothing is awaited from here on, so that a conversation that was closed meanwhile starts no child process.
      call.signal.throwIfAborted();
      const env = childEnvironment(options.env);
      const settings = { sdk, executable, folder, env, model, instructions, resume, graceMs };
      return (session = openClaudeSession({ ...settings, now: () => clock.now() }));
    }

    async function ask(request: ObserverRequest, call: RunningCall): Promise<SessionTurn> {
      const child = await childFor(request.instructions.toWellFormed(), call);
      return await child.ask(request.prompt.toWellFormed(), call);
    }

    async function answer(request: ObserverRequest, call: RunningCall): Promise<ObserverReply> {
      let turn = await ask(request, call);
      if (turn.kind === 'resume-refused') {
        forget('stop');
        await reenter(call.signal);
        turn = await ask(request, call);
      }
      switch (turn.kind) {
        case 'answered':
          resume = turn.reply.memorySessionId ?? null;
          if (!turn.isReusable) forget('kill');
          return turn.reply;
        case 'failed':
          throw turn.error;
        case 'unusable':
          broken.add(findClaudeCode({ configured: options.executable, env: options.env }), turn.error);
          throw turn.error;
        case 'resume-refused':
          throw new ProviderError(
            'bad-reply',
            `The ${ROW.name} observer refuses a conversation that is new.`,
          );
      }
    }

    return {
      async send(request, { signal } = {}) {
        signal?.throwIfAborted();
        isAsked = true;
        try {
          await reenter(signal);
          return await callWithin({ row: ROW, signal, clock, timeouts }, (call) => answer(request, call));
        } catch (error) {
          // The conversation contains a request without an answer. A batch is self-contained, so a new conversation is
          // as good.
          forget('stop');
          throw error;
        } finally {
          isAsked = false;
          if (isDisposed) void end('close');
          places.changed();
        }
      },
      async [Symbol.asyncDispose]() {
        isDisposed = true;
        await end('close');
      },
    };
  }
}

interface BrokenPrograms {
  /** Throws the error of the last failed start. */
  check(executable: string): void;
  add(executable: string, error: ProviderError): void;
}

function createBrokenPrograms(clock: Clock): BrokenPrograms {
  let last: { executable: string; changedAt: number; foundAt: number; error: ProviderError } | null = null;
  const changedAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return {
    check(executable) {
      if (last?.executable !== executable || last.changedAt !== changedAt(executable)) return;
      if (clock.now() - last.foundAt < BROKEN_MS) throw last.error;
    },
    add(executable, error) {
      last = { executable, changedAt: changedAt(executable), foundAt: clock.now(), error };
    },
  };
}
