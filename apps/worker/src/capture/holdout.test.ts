import { join } from 'node:path';
import type { HoldoutReply } from '@claude-mem/worker-protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openContextWorker } from '../testing/open-context-worker.js';
import { isInHoldout } from '@claude-mem/capture';

const context = await openContextWorker();
const { worker } = context;
afterAll(() => context[Symbol.asyncDispose]());

const QUESTION = 'Vouchers are lost again when the currency of the total changes';

/** The first session ids with a prefix that are, or are not, in a holdout of one half. */
const idOf = (prefix: string, isHeldOut: boolean) => {
  for (let at = 0; ; at += 1) {
    const contentSessionId = `${prefix}-${at}`;
    if (isInHoldout({ host: 'claude-code', contentSessionId }, 0.5) === isHeldOut) return contentSessionId;
  }
};
const setHoldout = (share: number) => context.post('/api/settings', { CLAUDE_MEM_HOLDOUT: share });
const listed = async () => ((await worker.ask({ path: '/api/holdout' })).json as HoldoutReply).sessions;
const work = async (session: string) => {
  await context.hook('UserPromptSubmit', session, { prompt: 'Hello' });
  await context.hook('PostToolUseFailure', session, {
    tool_name: 'Bash',
    tool_use_id: `test-${session}`,
    tool_input: { command: 'npm test' },
    error: 'Exit code 1',
  });
  await context.hook('Stop', session, { last_assistant_message: 'The test fails.' });
  await context.hook('SessionEnd', session, { reason: 'clear' });
};

describe('holdout', { timeout: 60_000 }, () => {
  const [held, other] = [idOf('a', true), idOf('a', false)];
  beforeAll(() => setHoldout(0.5));

  it('injects nothing into a held-out session, and injects context into other sessions', async () => {
    expect(await context.start(held, 'startup')).toBe('');
    expect(await context.start(other, 'startup')).not.toBe('');
    expect((await context.preview({ prompt: QUESTION })).text).not.toBe('');
    expect(await context.contextOf('UserPromptSubmit', held, { prompt: QUESTION })).toBe('');
    const file = join(context.project, 'src/cart.ts');
    expect(await context.read(held, file)).toBe('');
    await context.poll(() => context.read(idOf('reads', false), file));
  });

  it('lists ended sessions that began while the holdout was on, with their counts', async () => {
    for (const session of [held, other]) await work(session);
    await worker.drained();
    const sessions = await listed();
    expect(sessions).toHaveLength(2);
    expect(sessions).toContainEqual(
      expect.objectContaining({ isHeldOut: true, turns: 2, failedCommands: 1, repeatedReads: 0 }),
    );
    expect(sessions).toContainEqual(
      expect.objectContaining({ isHeldOut: false, turns: 1, failedCommands: 1 }),
    );
  });

  it('keeps the group of a session when the holdout share changes', async () => {
    const session = idOf('keeps', true);
    await context.start(session, 'startup');
    await setHoldout(0.01);
    expect(await context.start(session, 'compact')).toBe('');
    await setHoldout(0.5);
  });

  it('does not hold out a session that began before the holdout was turned on', async () => {
    await setHoldout(0);
    const session = idOf('before', true);
    await context.hook('UserPromptSubmit', session, { prompt: 'Hello' });
    await setHoldout(0.5);
    expect(await context.start(session, 'startup')).not.toBe('');
    await work(session);
    expect(await listed()).toHaveLength(2);
  });

  it.each(['fork', 'resume'])(
    'does not count a session with unknown history when it begins as a %s',
    async (source) => {
      const sessions = await listed();
      for (const isHeldOut of [true, false]) {
        const session = idOf(source, isHeldOut);
        await context.start(session, source);
        await work(session);
      }
      await worker.drained();
      expect(await listed()).toEqual(sessions);
    },
  );

  it('excludes a held-out session that received context after the holdout was turned off', async () => {
    const session = idOf('mixed', true);
    await context.hook('UserPromptSubmit', session, { prompt: 'Hello' });
    await setHoldout(0);
    expect(await context.start(session, 'startup')).not.toBe('');
    await work(session);
    expect(await listed()).toHaveLength(2);
  });

  it('does not count sessions of a project when a context file of its host contains records', async () => {
    expect(await listed()).not.toEqual([]);
    await context.post('/api/settings', { CLAUDE_MEM_CLAUDE_MD: true });
    // the file is written at the start of a session
    await context.start('writes', 'startup');
    await expect.poll(listed).toEqual([]);
    await context.post('/api/settings', { CLAUDE_MEM_CLAUDE_MD: false });
    await expect.poll(listed).toHaveLength(2);
  });
});
