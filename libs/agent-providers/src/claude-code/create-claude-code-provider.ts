import { statSync } from 'node:fs';
import { systemClock, type Clock } from '@claude-mem/core';
import type { AgentProvider, Conversation, ObserverReply, ObserverRequest } from '../agent-provider.js';
import { createPlaces, type PlaceOwner } from '../conversations/create-places.js';
import { callWithin, type CallTimeouts, type RunningCall } from '../model/call-within.js';
import { MAX_REPLY_TOKENS } from '../model/reply-limits.js';
import { ProviderError } from '../provider-error.js';
import { PROVIDER_ROWS } from '../provider-rows.js';
import { childEnvironment } from './child-environment.js';
import { findClaudeCode } from './find-claude-code.js';
import { isAgentSdk, loadAgentSdk, type AgentSdk } from './load-agent-sdk.js';
import { openClaudeSession, type ClaudeSession, type SessionTurn } from './open-claude-session.js';
import { prepareObserverFolder } from './prepare-observer-folder.js';

export interface ClaudeCodeProviderOptions {
  /** Where children run: a folder of our own that holds nothing they could read. Made when missing. */
  folder: string;
  /** The environment that children are started from; only what they need is taken from it. */
  env: Readonly<Record<string, string | undefined>>;
  /** CLAUDE_CODE_PATH; empty: the one that is found. */
  executable?: string;
  /** Whose `node_modules` is searched for the vendor's package too. */
  dataDir?: string;
  /** Imports the vendor's package. */
  loadSdk?: () => Promise<unknown>;
  /** @default the row's: the newest small one, whatever the person works with */
  model?: string;
  /** Children at a time; a conversation that is not asked gives up its own. @default 2 */
  maxChildren?: number;
  /** How long a child may take to end before it is killed. @default 2_000 */
  graceMs?: number;
  /** @default systemClock */
  clock?: Clock;
  timeouts?: CallTimeouts;
}

const ROW = PROVIDER_ROWS['claude-code'];
/** A program that cannot be used is not started again for this long, unless it was changed. */
const BROKEN_MS = 5 * 60_000;

/**
 * The observer played by the person's own Claude Code, with the person's login. One child per conversation that is being
 * asked; each send is one turn of it. One send at a time per conversation.
 */
export function createClaudeCodeProvider(options: ClaudeCodeProviderOptions): AgentProvider {
  const { folder, dataDir, clock = systemClock, timeouts, maxChildren = 2, graceMs = 2_000 } = options;
  const { loadSdk = () => loadAgentSdk({ dataDir }) } = options;
  const model = options.model ?? ROW.defaultModel;
  const places = createPlaces(maxChildren);
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
    capabilities: { needsWholeTurn: false, readsBatch: false, isFree: false, resumes: true },
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
    /** What waits until the last child is gone. */
    let ending: Promise<void> = Promise.resolve();
    const owner: PlaceOwner = {
      isIdle: () => !isAsked,
      // a child that is told to leave is resumed when it is needed again
      leave: () => end('close'),
    };

    /** The place is free when the child is gone, not before. */
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
      // from here on nothing waits: what was given up meanwhile gets no child
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
          // what was asked is in its memory without an answer; a batch says all that a new one needs
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
  /** Throws what it ended with last time. */
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
