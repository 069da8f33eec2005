import { ProviderError, type AgentProvider } from '@claude-mem/agent-providers';
import { createScriptedProvider, type ScriptStep } from '@claude-mem/agent-providers/testing';
import type { Observation, ObservationDraft, Session } from '@claude-mem/core';
import { createFixedClock } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { startTestWorker, until, type TestWorker } from '../testing/start-test-worker.js';

const usage = { inputTokens: 10, outputTokens: 5, cachedTokens: 0, estimatedCostUsd: 0 };
const text = (reply: string): ScriptStep => ({
  reply: { kind: 'text', text: reply, usage, model: null, isTruncated: false },
});
const draft = (more: Partial<ObservationDraft> = {}): ObservationDraft => ({
  type: 'change',
  title: 'Changed the greeting',
  subtitle: null,
  narrative: null,
  facts: [],
  concepts: [],
  filesRead: [],
  filesModified: [],
  ...more,
});

/** Enough content for an observer call. */
const CLOSING =
  'The build works again: the compiler flag that broke it is gone from the makefile, and nothing else had to change for it.';

async function workerWith(provider: AgentProvider): Promise<TestWorker> {
  return startTestWorker({ providers: { local: async () => provider } });
}

async function playTurn(
  worker: TestWorker,
  session_id: string,
  tools: object[] = [{}],
  folder = worker.home.project,
) {
  const base = { session_id, cwd: folder };
  await worker.hook('UserPromptSubmit', { ...base, prompt: `work in ${session_id}` });
  for (const [index, tool] of tools.entries())
    await worker.hook('PostToolUse', {
      ...base,
      tool_name: 'Bash',
      tool_use_id: `${session_id}-${index}`,
      tool_input: { command: 'make' },
      tool_response: { stdout: 'ok' },
      ...tool,
    });
  await worker.hook('Stop', { ...base, last_assistant_message: CLOSING });
}

const endSession = (worker: TestWorker, session_id: string) =>
  worker.hook('SessionEnd', { session_id, cwd: worker.home.project, reason: 'other' });

const observations = async (worker: TestWorker) =>
  ((await worker.ask({ path: '/api/observations' })).json as { items: Observation[] }).items;
const outcomes = async (worker: TestWorker) =>
  ((await worker.ask({ path: '/api/stats' })).json as { outcomes: Record<string, number> }).outcomes;

describe('observing turns', { timeout: 60_000 }, () => {
  it('B013: acknowledges a turn when the observer skips its summary', async () => {
    const provider = createScriptedProvider([text('<skip_summary reason="nothing"/>')]);
    await using worker = await workerWith(provider);
    await playTurn(worker, 'b013', []);
    await endSession(worker, 'b013');
    await worker.drained();
    expect(await outcomes(worker)).toMatchObject({ empty: 1, stored: 0 });
    expect(provider.requests).toHaveLength(1);
  });

  it('B014: accepts "nothing to record" as a final reply, and sends no second request', async () => {
    const provider = createScriptedProvider([text('No observations to record at this time.')]);
    await using worker = await workerWith(provider);
    await playTurn(worker, 'b014');
    await worker.drained();
    expect(await outcomes(worker)).toMatchObject({ empty: 2 });
    expect(provider.requests).toHaveLength(1);
  });

  it('records the outcome of each event when it leaves the queue', async () => {
    const provider = createScriptedProvider([
      { reply: { kind: 'records', observations: [draft()], summary: null } },
    ]);
    await using worker = await workerWith(provider);
    await playTurn(worker, 'ends', [{}, { tool_name: 'Read', tool_input: { file_path: '/x' } }]);
    await worker.drained();
    expect(await outcomes(worker)).toMatchObject({ stored: 2, evidence: 1, empty: 0 });
  });

  it('stores a changed file only when the turn proves the change', async () => {
    const provider = createScriptedProvider([
      {
        reply: {
          kind: 'records',
          observations: [draft({ filesModified: ['a.ts', 'invented.ts'] })],
          summary: null,
        },
      },
    ]);
    await using worker = await workerWith(provider);
    const file_path = `${worker.home.project}/a.ts`;
    await playTurn(worker, 'proof', [
      {
        tool_name: 'Write',
        tool_input: { file_path, content: 'x' },
        tool_response: { filePath: file_path, type: 'create' },
      },
    ]);
    await worker.drained();
    expect((await observations(worker))[0]).toMatchObject({
      filesModified: ['a.ts'],
      filesRead: [],
    });
  });

  it('removes secrets from the reply', async () => {
    const narrative = 'The key is AKIAQWERTYUIOPASDFGH.';
    const provider = createScriptedProvider([
      { reply: { kind: 'records', observations: [draft({ narrative })], summary: null } },
    ]);
    await using worker = await workerWith(provider);
    await playTurn(worker, 'scrub');
    await worker.drained();
    expect((await observations(worker))[0]?.narrative).not.toContain('AKIAQWERTYUIOPASDFGH');
  });

  it('stores the id and type of the sub-agent that did the work', async () => {
    const provider = createScriptedProvider([
      { reply: { kind: 'records', observations: [draft()], summary: null } },
    ]);
    await using worker = await workerWith(provider);
    await playTurn(worker, 'sub', [{ agent_id: 'a-1', agent_type: 'explorer' }]);
    await worker.drained();
    expect((await observations(worker))[0]).toMatchObject({ agentId: 'a-1', agentType: 'explorer' });
  });

  it('sends the answer of a sub-agent once, with its task when the task is known', async () => {
    const provider = createScriptedProvider([
      { reply: { kind: 'records', observations: [draft()], summary: null } },
    ]);
    await using worker = await workerWith(provider);
    const base = { session_id: 'agents', cwd: worker.home.project };
    const ends = (agent_id: string, last_assistant_message: string) =>
      worker.hook('SubagentStop', { ...base, agent_id, agent_type: 'Explore', last_assistant_message });
    await worker.hook('UserPromptSubmit', { ...base, prompt: 'Who calls the old total?' });
    await ends('waited-for', 'The cart and the invoice.');
    await worker.hook('PostToolUse', {
      ...base,
      tool_name: 'Agent',
      tool_use_id: 'asked',
      tool_input: { description: 'Find callers', prompt: 'Find callers of the old total' },
      tool_response: {
        status: 'completed',
        agentId: 'waited-for',
        content: [{ type: 'text', text: 'The cart and the invoice.' }],
      },
    });
    await ends('in-background', 'The export calls it as well.');
    await worker.hook('Stop', { ...base, last_assistant_message: CLOSING });
    await worker.drained();
    expect(await outcomes(worker)).toMatchObject({ stored: 4 });
    const [request] = provider.requests;
    expect(request?.batch.toolUses.map(({ toolUseId, agentId }) => ({ toolUseId, agentId }))).toEqual([
      { toolUseId: 'asked', agentId: null },
      { toolUseId: null, agentId: 'in-background' },
    ]);
  });

  it('stores the turn when a compaction happens during a slow request', async () => {
    const reply: ScriptStep = { reply: { kind: 'records', observations: [draft()], summary: null } };
    const clock = createFixedClock();
    const provider = createScriptedProvider([{ ...reply, delayMs: 1 }, reply], { clock });
    await using worker = await workerWith(provider);
    const base = { session_id: 'slow', cwd: worker.home.project };
    await worker.hook('UserPromptSubmit', { ...base, prompt: 'Build it' });
    await worker.hook('PostToolUse', {
      ...base,
      tool_name: 'Bash',
      tool_input: { command: 'make' },
      tool_response: { stdout: 'ok' },
    });
    await worker.hook('PreCompact', { ...base, trigger: 'auto' });
    await until(() => provider.requests.length === 1);
    await worker.hook('SessionStart', { ...base, source: 'compact' });
    await clock.advance(1);
    await worker.hook('Stop', { ...base, last_assistant_message: CLOSING });
    await worker.drained();
    expect(await outcomes(worker)).toMatchObject({ stored: 2 });
  });

  it('B095: stores a late reply in the project of its request', async () => {
    const provider = createScriptedProvider([
      {
        reply: { kind: 'records', observations: [draft({ title: 'Of project A' })], summary: null },
        delayMs: 300,
      },
    ]);
    await using worker = await workerWith(provider);
    await playTurn(worker, 'a', [{}], `${worker.home.home}/jobs/a`);
    await until(() => provider.requests.length === 1);
    await playTurn(worker, 'b', [{}], `${worker.home.home}/jobs/b`);
    await worker.drained();
    const late = (await observations(worker)).find(({ title }) => title === 'Of project A');
    const { items } = (await worker.ask({ path: '/api/projects' })).json as {
      items: { id: number; name: string }[];
    };
    expect(items.find(({ id }) => id === late?.projectId)?.name).toBe('a');
  });

  it('B167: answers the end of a turn and of a session, and stops, when the observer never replies', async () => {
    const provider = createScriptedProvider([{ hang: true }]);
    await using worker = await workerWith(provider);
    await playTurn(worker, 'b167');
    await until(() => provider.requests.length === 1);
    const base = { session_id: 'b167', cwd: worker.home.project };
    for (const [event, fields] of [
      ['Stop', { last_assistant_message: 'again' }],
      ['SessionEnd', { reason: 'other' }],
    ] as const)
      expect((await worker.hook(event, { ...base, ...fields })).status).toBe(200);
    await worker.stop();
    expect(provider.requests).toHaveLength(1);
  });

  it('keeps all events and reports it once when no observer is available, and continues when one is configured', async () => {
    const provider = createScriptedProvider();
    await using worker = await startTestWorker({
      settings: { CLAUDE_MEM_PROVIDER: 'gemini' },
      providers: { local: async () => provider },
    });
    await playTurn(worker, 'setup');
    const health = await worker.health();
    expect(health).toMatchObject({ status: 'degraded', ready: true, queue: { pending: 2, parked: 0 } });
    expect(health.notices.filter((notice) => notice.includes('CLAUDE_MEM_PROVIDER'))).toHaveLength(1);
    await worker.ask({ method: 'POST', path: '/api/settings', body: { CLAUDE_MEM_PROVIDER: 'local' } });
    await worker.drained();
    expect(provider.requests.length).toBeGreaterThan(0);
    expect(await worker.health()).toMatchObject({ status: 'ok', notices: [] });
  });

  it('parks a message when its requests are rejected, keeps it, and retries it on request', async () => {
    const provider = createScriptedProvider([
      { error: new ProviderError('rejected', 'The request is refused.') },
    ]);
    await using worker = await workerWith(provider);
    await playTurn(worker, 'park', []);
    await endSession(worker, 'park');
    await until(async () => (await worker.health()).queue?.parked === 1);
    const { items } = (await worker.ask({ path: '/api/queue?status=parked' })).json as {
      items: { lastError: string }[];
    };
    expect(items[0]?.lastError).toContain('refused');
    const retried = await worker.ask({
      method: 'POST',
      path: '/api/queue/retry',
      body: { status: 'parked' },
    });
    expect(retried.json).toEqual({ changed: 1 });
    await worker.drained();
    expect(await outcomes(worker)).toMatchObject({ empty: 1 });
  });

  it('ends a session on request, and drops its pending events', async () => {
    const provider = createScriptedProvider([], { capabilities: { needsCompleteTurn: true } });
    await using worker = await workerWith(provider);
    await worker.hook('PostToolUse', { session_id: 'abort', tool_name: 'Bash', tool_use_id: '1' });
    const { items } = (await worker.ask({ path: '/api/sessions' })).json as { items: Session[] };
    const path = `/api/sessions/${items[0]?.id}`;
    expect((await worker.ask({ method: 'DELETE', path })).json).toEqual({ changed: 1 });
    expect((await worker.ask({ method: 'DELETE', path: '/api/sessions/99' })).status).toBe(404);
    expect((await worker.health()).queue?.pending).toBe(0);
    expect(await outcomes(worker)).toMatchObject({ dropped: 1 });
  });
});
