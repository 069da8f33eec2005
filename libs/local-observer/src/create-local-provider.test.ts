import { createObserverBatch } from '@claude-mem/core/testing';
import { describeAgentProvider } from '@claude-mem/agent-providers/testing';
import { describe, expect, it } from 'vitest';
import { createLocalProvider } from './create-local-provider.js';
import { observeTurn } from './observe-turn.js';

describeAgentProvider('local', { open: () => createLocalProvider() });

describe('local provider with a large turn', () => {
  const lines = (at: number) =>
    Array.from(
      { length: 60 },
      (_, line) => `export function handler${at}x${line}() { return ${line}; }`,
    ).join('\n');
  const batch = createObserverBatch({
    prompt: 'Add a handler for every event',
    toolUses: Array.from({ length: 200 }, (_, at) => ({
      toolName: 'Edit',
      input: {
        file_path: `/home/dev/shop/src/f${at % 40}.ts`,
        old_string: lines(at),
        new_string: lines(at + 1),
      },
      response: { filePath: `/home/dev/shop/src/f${at % 40}.ts` },
    })),
    closing: Array.from({ length: 20 }, (_, at) => `- Added \`handler${at}x1()\` to \`src/f${at}.ts\``).join(
      '\n',
    ),
  });
  const observed = async (pause?: () => Promise<void>) => {
    await using conversation = await createLocalProvider(pause ? { pause } : {}).startConversation();
    return conversation.send({ instructions: '', prompt: '', batch });
  };

  it('yields to the event loop while it reads a large turn', async () => {
    let rounds = 0;
    let isOver = false;
    const goOn = () => {
      rounds += 1;
      if (!isOver) setImmediate(goOn);
    };
    setImmediate(goOn);
    await observed();
    isOver = true;
    expect(rounds).toBeGreaterThan(1);
  });

  it('returns the same records as without pauses', async () => {
    let pauses = 0;
    const reply = await observed(async () => void (pauses += 1));
    expect(pauses).toBeGreaterThan(1);
    expect(reply).toEqual({ kind: 'records', ...observeTurn(batch) });
  });

  it('stops at the next pause when the signal is aborted', async () => {
    const abort = new AbortController();
    const reason = new Error('the worker stops');
    await using conversation = await createLocalProvider({
      pause: async () => abort.abort(reason),
    }).startConversation();
    await expect(
      conversation.send({ instructions: '', prompt: '', batch }, { signal: abort.signal }),
    ).rejects.toBe(reason);
  });
});
