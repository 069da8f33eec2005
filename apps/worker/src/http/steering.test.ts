import { writeFileSync } from 'node:fs';
import { createScriptedProvider } from '@claude-mem/agent-providers/testing';
import { ProviderError } from '@claude-mem/agent-providers';
import type { Observation } from '@claude-mem/core';
import type {
  ContextReply,
  HealthDetail,
  LogReply,
  QueueItem,
  SettingsReply,
} from '@claude-mem/worker-protocol';
import { describe, expect, it } from 'vitest';
import { playTurn } from '../testing/play-turn.js';
import { startTestWorker, until, type TestWorker } from '../testing/start-test-worker.js';

interface Refusal {
  error: { code: string; message: string; details: { problems: { key: string; message: string }[] } };
}

const get = async <Reply>(worker: TestWorker, path: string) => (await worker.ask({ path })).json as Reply;
const post = async <Reply>(worker: TestWorker, path: string, body: unknown, method = 'POST') => {
  const { status, json } = await worker.ask({ method, path, body });
  return { status, json: json as Reply };
};
const remember = async (worker: TestWorker, text: string) => {
  const body = { text, cwd: worker.home.project };
  return (await post<{ observation: Observation }>(worker, '/api/memory', body)).json.observation;
};

/** A provider that refuses every request. */
const failing = () =>
  createScriptedProvider([], {
    otherwise: { error: new ProviderError('rejected', 'The request is refused.') },
  });

describe('settings, context preview, queue and log over HTTP', { timeout: 60_000 }, () => {
  it('applies a changed settings file before the response, and switches the observer', async () => {
    const named = (name: string) => async () => ({ ...createScriptedProvider(), name });
    await using worker = await startTestWorker({
      settings: { CLAUDE_MEM_PROVIDER: 'local' },
      providers: { local: named('local'), gemini: named('gemini') },
    });
    const { settingsFile } = worker.home.paths;
    const written = { CLAUDE_MEM_PROVIDER: 'gemini', CLAUDE_MEM_GEMINI_API_KEY: 'AIzaSyFake-0123456789' };
    await worker.health();
    writeFileSync(settingsFile, JSON.stringify(written));
    const { settings } = await get<SettingsReply>(worker, '/api/settings');
    expect(settings['CLAUDE_MEM_PROVIDER']).toBe('gemini');
    expect((await get<HealthDetail>(worker, '/api/health')).observer.provider).toBe('gemini');
  });

  it('describes each setting, and reports every invalid value of a change', async () => {
    await using worker = await startTestWorker({ settings: { CLAUDE_MEM_BATCH_MAX_SIZE: 5 } });
    const { items } = await get<SettingsReply>(worker, '/api/settings');
    expect(items.find(({ key }) => key === 'CLAUDE_MEM_BATCH_MAX_SIZE')).toEqual({
      key: 'CLAUDE_MEM_BATCH_MAX_SIZE',
      value: 5,
      source: 'file',
      label: 'Batch size',
      group: 'Recording',
      description: 'Maximum number of tool uses in one observer call.',
      kind: 'integer',
      minimum: 1,
      maximum: 2_000,
      default: 20,
      isSecret: false,
      isSettable: true,
      needsRestart: false,
    });
    const bad = { CLAUDE_MEM_BATCH_MAX_SIZE: 0, CLAUDE_MEM_LOG_LEVEL: 'loud', CLAUDE_MEM_MODEL: 'fine' };
    const { status, json } = await post<Refusal>(worker, '/api/settings', bad);
    expect(status).toBe(400);
    expect(json.error.details.problems).toEqual([
      { key: 'CLAUDE_MEM_BATCH_MAX_SIZE', message: 'Must be a whole number from 1 to 2000.' },
      { key: 'CLAUDE_MEM_LOG_LEVEL', message: 'Must be one of debug, info, warn, error.' },
    ]);
    const after = await get<SettingsReply>(worker, '/api/settings');
    expect(after.items).toEqual(items);
  });

  it('previews the context with the settings of the request, and stores nothing', async () => {
    await using worker = await startTestWorker();
    for (let number = 0; number < 12; number += 1) await remember(worker, `Rule ${number} of the deploys`);
    const pinned = await remember(worker, 'Always run the linter');
    await post(worker, `/api/observations/${pinned.id}`, { pinned: true }, 'PATCH');
    const preview = (settings?: object) => {
      const requested =
        settings === undefined ? '' : `&settings=${encodeURIComponent(JSON.stringify(settings))}`;
      return get<ContextReply>(
        worker,
        `/api/context?cwd=${encodeURIComponent(worker.home.project)}${requested}`,
      );
    };
    const usual = await preview();
    expect(usual.shown).toHaveLength(13);
    expect(usual.maxTokens).toBe(1_200);
    expect(usual.shown[0]).toEqual({
      id: pinned.id,
      title: 'Always run the linter',
      type: 'discovery',
      tokens: expect.any(Number) as number,
    });
    const small = await preview({ CLAUDE_MEM_CONTEXT_TOKENS: 230 });
    expect(small.maxTokens).toBe(230);
    expect(small.tokens).toBeLessThanOrEqual(230);
    expect(small.shown.length).toBeLessThan(13);
    expect(small.skipped[0]).toMatchObject({
      reason: 'no room',
      title: expect.stringContaining('Rule') as string,
    });
    const parts = await preview({ CLAUDE_MEM_CONTEXT_PARTS: ['pinned'] });
    expect(parts.shown.map(({ id }) => id)).toEqual([pinned.id]);
    expect((await preview({ CLAUDE_MEM_CONTEXT_ENABLED: false })).offReason).toBe(
      'CLAUDE_MEM_CONTEXT_ENABLED is off',
    );
    expect(await preview()).toEqual(usual);
    const refused = (await preview({
      CLAUDE_MEM_CONTEXT_TOKENS: -1,
      CLAUDE_MEM_MODEL: 'x',
    })) as unknown as Refusal;
    expect(refused.error.details.problems.map(({ key }) => key)).toEqual([
      'CLAUDE_MEM_CONTEXT_TOKENS',
      'CLAUDE_MEM_MODEL',
    ]);
    const { status } = await worker.ask({ path: '/api/context?settings=nonsense' });
    expect(status).toBe(400);
  });

  it('lists the queue in pages with project, host, tool and reason, and retries and drops messages by id', async () => {
    await using worker = await startTestWorker({ providers: { local: async () => failing() } });
    for (const session of ['a', 'b']) await playTurn(worker, session);
    await until(async () => (await worker.health()).queue?.parked === 2);
    await worker.drained();
    await worker.hook('PostToolUse', {
      session_id: 'running',
      cwd: worker.home.project,
      tool_name: 'Bash',
      tool_use_id: 'toolu-1',
      tool_input: { command: 'npm  test\n--all' },
      tool_response: { stdout: 'ok' },
    });
    const list = (query = '') =>
      get<{ items: QueueItem[]; nextCursor: string | null }>(worker, `/api/queue${query}`);
    const { items, nextCursor } = await list();
    expect(nextCursor).toBeNull();
    const parked = {
      toolName: 'Edit',
      subject: expect.stringMatching(/a\.ts$/) as string,
      status: 'parked',
      reason: 'The request is refused.',
    };
    expect(
      items.map(({ toolName, subject, status, reason }) => ({ toolName, subject, status, reason })),
    ).toEqual([
      parked,
      parked,
      { toolName: 'Bash', subject: 'npm test --all', status: 'pending', reason: 'The turn has not ended.' },
    ]);
    expect(items.every(({ project, host }) => project === 'demo' && host === 'claude-code')).toBe(true);
    expect(JSON.stringify(items)).not.toContain('payload');
    const first = await list('?limit=2');
    const second = await list(`?limit=2&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items]).toEqual(items);
    expect((await list('?status=parked')).items).toHaveLength(2);

    const { problems } = await get<HealthDetail>(worker, '/api/health');
    expect(problems).toEqual([
      {
        code: 'queue-parked',
        severity: 'warning',
        message: '2 events are parked after failed attempts.',
        action:
          'To see the reasons: claude-mem queue list --status parked. To retry: claude-mem queue retry --parked',
        link: 'queue',
      },
    ]);
    const [dropped, retried] = items.map(({ id }) => id);
    expect((await post(worker, '/api/queue/drop', { ids: [dropped] })).json).toEqual({ changed: 1 });
    expect((await post(worker, '/api/queue/retry', { ids: [retried, dropped] })).json).toEqual({
      changed: 1,
    });
    expect((await list()).items.map(({ id }) => id)).not.toContain(dropped);
  });

  it('refuses an edit when the record was changed in the meantime', async () => {
    await using worker = await startTestWorker();
    const { id, updatedAtEpoch } = await remember(worker, 'Deploy on Mondays');
    const edit = (body: object) =>
      post<Refusal & Observation>(worker, `/api/observations/${id}`, body, 'PATCH');
    const mine = { title: 'Deploy on Tuesdays', ifUpdatedAtEpoch: updatedAtEpoch };
    expect((await edit(mine)).status).toBe(200);
    const late = await edit({ title: 'Deploy on Fridays', ifUpdatedAtEpoch: updatedAtEpoch });
    expect(late.status).toBe(409);
    expect(late.json.error.code).toBe('storage/changed-meanwhile');
    const { title, updatedAtEpoch: now } = await get<Observation>(worker, `/api/observations/${id}`);
    expect(title).toBe('Deploy on Tuesdays');
    expect((await edit({ title: 'Deploy on Fridays', ifUpdatedAtEpoch: now })).json.title).toBe(
      'Deploy on Fridays',
    );
  });

  it('returns the log in pages, filtered by level and text', async () => {
    await using worker = await startTestWorker({
      providers: { local: async () => failing() },
      settings: { CLAUDE_MEM_LOG_LEVEL: 'debug' },
    });
    await playTurn(worker, 'a');
    await until(async () => (await worker.health()).queue?.parked === 1);
    const ready = await get<LogReply>(worker, '/api/logs?level=info&text=worker%20READY');
    expect(ready.items).toMatchObject([{ level: 'info', message: 'Worker ready' }]);
    expect(ready.dates).toEqual([ready.date]);
    const first = await get<LogReply>(worker, '/api/logs?limit=1');
    const second = await get<LogReply>(worker, `/api/logs?limit=1&cursor=${first.nextCursor}`);
    expect(second.items[0]?.offset).toBeLessThan(first.items[0]?.offset ?? 0);
  });
});
