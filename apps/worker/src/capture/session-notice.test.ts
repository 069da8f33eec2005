import { ProviderError } from '@claude-mem/agent-providers';
import { createScriptedProvider } from '@claude-mem/agent-providers/testing';
import { describe, expect, it } from 'vitest';
import { playTurn } from '../testing/play-turn.js';
import { startTestWorker, until, type TestWorker } from '../testing/start-test-worker.js';

interface StartAnswer {
  systemMessage?: string;
  hookSpecificOutput: { additionalContext: string };
}

const start = async (worker: TestWorker, session_id: string, source = 'startup') =>
  (await worker.hook('SessionStart', { session_id, cwd: worker.home.project, source })).json as StartAnswer;

const hasNotice = async (worker: TestWorker, words: RegExp) => {
  const { notices } = await worker.health();
  return notices.some((notice) => words.test(notice));
};

describe('the notice at the start of a session', { timeout: 60_000 }, () => {
  it('reports a missing setting once per session, only at its start, and does not change the context', async () => {
    await using worker = await startTestWorker({ settings: { CLAUDE_MEM_PROVIDER: 'gemini' } });
    await until(() => hasNotice(worker, /gemini/));
    const first = await start(worker, 'a');
    expect(first.systemMessage).toMatch(/^claude-mem: [^\n]*gemini[^\n]*$/);
    expect(first.hookSpecificOutput.additionalContext).toBe('');
    expect((await playTurn(worker, 'a')).text).not.toContain('systemMessage');
    for (const source of ['compact', 'resume'])
      expect((await start(worker, 'a', source)).systemMessage).toBeUndefined();
    expect((await start(worker, 'b')).systemMessage).toBe(first.systemMessage);
  });

  it('is omitted when the host cannot show it', async () => {
    await using worker = await startTestWorker({ settings: { CLAUDE_MEM_PROVIDER: 'gemini' } });
    await until(() => hasNotice(worker, /gemini/));
    const { status, json } = await worker.ask({
      method: 'POST',
      path: '/api/hooks/cursor/sessionStart',
      body: { conversation_id: 'c', workspace_roots: [worker.home.project], hook_event_name: 'sessionStart' },
    });
    expect([status, json]).toEqual([200, { additional_context: '' }]);
  });

  it('B123: reports an exhausted quota in one sentence at the next session start', async () => {
    const provider = createScriptedProvider([
      { error: new ProviderError('quota-exhausted', 'The key has no credit left.') },
    ]);
    await using worker = await startTestWorker({
      settings: { CLAUDE_MEM_PROVIDER: 'local' },
      providers: { local: async () => provider },
    });
    expect((await start(worker, 'a')).systemMessage).toBeUndefined();
    await playTurn(worker, 'a');
    await until(() => hasNotice(worker, /no credit left/));
    const notice = (await start(worker, 'b')).systemMessage;
    expect(notice).toMatch(/^claude-mem: [^\n]*no credit left[^\n]*$/);
    expect(notice?.match(/no credit left/g)).toHaveLength(1);
    expect((await start(worker, 'b', 'compact')).systemMessage).toBeUndefined();
  });

  it('is omitted when there is no problem', async () => {
    await using worker = await startTestWorker({ settings: { CLAUDE_MEM_CONTEXT_NOTICE: false } });
    await playTurn(worker, 'a');
    await worker.drained();
    expect((await start(worker, 'b')).systemMessage).toBeUndefined();
  });
});
