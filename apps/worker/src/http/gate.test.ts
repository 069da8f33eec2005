import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { processorTime } from '@claude-mem/core/testing';
import { WORKER_TOKEN_HEADER } from '@claude-mem/worker-protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_TCP_CONNECTIONS } from './limits.js';
import { send, startTestWorker, type TestRequest, type TestWorker } from '../testing/start-test-worker.js';

const SECRET = 'sk-or-v1-0123456789abcdef0123456789abcdef';
const outside = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address;

describe('the HTTP access checks', { timeout: 60_000 }, () => {
  let worker: TestWorker;
  let port: number;
  let token: string;
  beforeAll(async () => {
    worker = await startTestWorker({
      settings: { CLAUDE_MEM_OPENROUTER_API_KEY: SECRET },
      env: { CLAUDE_MEM_PROVIDER: 'local' },
    });
    port = await worker.port();
    token = readFileSync(worker.home.paths.tokenFile, 'utf8').trim();
  }, 60_000);
  afterAll(() => worker[Symbol.asyncDispose]());

  const ask = ({ headers, ...request }: TestRequest) =>
    send(
      { host: '127.0.0.1', port },
      { ...request, headers: { host: `127.0.0.1:${port}`, [WORKER_TOKEN_HEADER]: token, ...headers } },
    );
  const askWithout = ({ headers, ...request }: TestRequest) =>
    send({ host: '127.0.0.1', port }, { ...request, headers: { host: `localhost:${port}`, ...headers } });

  it('accept the token in its header or as a bearer token, and not in a cookie', async () => {
    for (const headers of [{ [WORKER_TOKEN_HEADER]: token }, { authorization: `Bearer ${token}` }] as Record<
      string,
      string
    >[])
      expect((await askWithout({ path: '/api/stats', headers })).status).toBe(200);
    for (const name of ['claude_mem_token', `claude_mem_${port}`]) {
      const headers = { cookie: `${name}=${token}` };
      expect((await askWithout({ path: '/api/stats', headers })).status).toBe(401);
    }
  });

  it('B052: reject every request without the token except health', async () => {
    const requests: TestRequest[] = [
      { path: '/api/settings' },
      { path: '/api/observations' },
      { path: '/stream' },
      { path: '/nowhere' },
      { method: 'POST', path: '/api/sessions/init', body: { contentSessionId: 's' } },
      { method: 'POST', path: '/api/queue/drop', body: { status: 'parked' } },
      { method: 'POST', path: '/api/hooks/claude-code/Stop', body: {} },
      { method: 'POST', path: '/health', body: {} },
      { method: 'POST', path: '/api/shutdown' },
    ];
    for (const request of requests) {
      const answer = await askWithout(request);
      expect(answer.status, request.path).toBe(401);
      expect(answer.json).toMatchObject({ error: { code: 'worker/unauthorized' } });
    }
    for (const wrong of ['', 'x', token.slice(1), `${token}0`])
      expect(
        (await askWithout({ path: '/api/stats', headers: { [WORKER_TOKEN_HEADER]: wrong } })).status,
      ).toBe(401);
  });

  it('B052: mask API keys, and keep the stored key when the masked form is saved', async () => {
    const answer = await ask({ path: '/api/settings' });
    expect(answer.text).not.toContain(SECRET);
    const { settings } = answer.json as { settings: Record<string, unknown> };
    expect(settings['CLAUDE_MEM_OPENROUTER_API_KEY']).toMatch(/^\*{4}/);
    const body = {
      CLAUDE_MEM_OPENROUTER_API_KEY: settings['CLAUDE_MEM_OPENROUTER_API_KEY'],
      CLAUDE_MEM_CONTEXT_TOKENS: 900,
    };
    const saved = await ask({ method: 'POST', path: '/api/settings', body });
    expect(saved.json).toEqual({ changed: ['CLAUDE_MEM_CONTEXT_TOKENS'], needsRestart: false });
    const file = JSON.parse(readFileSync(worker.home.paths.settingsFile, 'utf8'));
    expect(file).toEqual({ CLAUDE_MEM_OPENROUTER_API_KEY: SECRET, CLAUDE_MEM_CONTEXT_TOKENS: 900 });
  });

  it('omit settings that are not used yet, and reject changes to them', async () => {
    const { settings, items } = (await ask({ path: '/api/settings' })).json as {
      settings: Record<string, unknown>;
      items: { key: string }[];
    };
    expect(Object.keys(settings)).toEqual(items.map(({ key }) => key));
    expect(Object.keys(settings).filter((key) => /RETENTION/.test(key))).toEqual([]);
    const body = { CLAUDE_MEM_RETENTION_DAYS: 30 };
    expect(await ask({ method: 'POST', path: '/api/settings', body })).toMatchObject({
      status: 400,
      json: { error: { message: expect.stringContaining('not used by this version yet') } },
    });
  });

  it('answer with the usual error format when a URL cannot be decoded', async () => {
    expect(await ask({ path: '/%' })).toMatchObject({
      status: 400,
      json: { error: { code: 'worker/bad-request', message: 'The address cannot be read.' } },
    });
  });

  it('B053: reject a foreign Host before routing, also with the token', async () => {
    for (const path of [
      '/',
      '/sessions/12',
      '/assets/index.js',
      '/sign-in?code=x',
      '/stream',
      '/api/observations',
      '/api/settings',
      '/health',
    ])
      for (const host of [
        `evil.example:${port}`,
        `localhost.evil.example:${port}`,
        `127.0.0.1:${port + 1}`,
        'localhost',
      ])
        expect((await ask({ path, headers: { host } })).status, `${host}${path}`).toBe(403);
    const overSocket = await worker.ask({ path: '/health', headers: { host: 'evil.example' } });
    expect(overSocket.status).toBe(403);
  });

  it('B054: reject foreign origins, and send no Access-Control-Allow-Origin header', async () => {
    for (const origin of [
      'https://evil.example',
      'http://localhost.evil.example',
      'null',
      `http://127.0.0.1:${port + 1}`,
    ]) {
      const answer = await ask({ path: '/api/stats', headers: { origin } });
      expect(answer.status, origin).toBe(403);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
    const own = await ask({ path: '/api/stats', headers: { origin: `http://127.0.0.1:${port}` } });
    expect(own.status).toBe(200);
    expect(own.headers['access-control-allow-origin']).toBeUndefined();
    const preflight = await ask({
      method: 'OPTIONS',
      path: '/api/settings',
      headers: { origin: 'https://evil.example' },
    });
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
    const crossSite = await ask({ path: '/api/stats', headers: { 'sec-fetch-site': 'cross-site' } });
    expect(crossSite.status).toBe(403);
  });

  it('B055: prevent reading files outside the log folder', async () => {
    for (const date of ['..%2f..%2foutside', '..', '2026-01-01%2f..', '2026-99-99', '%00'])
      expect((await ask({ path: `/api/logs?date=${date}` })).status, date).toBe(400);
    expect((await ask({ path: '/api/logs?limit=2' })).status).toBe(200);
  });

  it('B056: reject changes to programs, folders and addresses', async () => {
    const before = readFileSync(worker.home.paths.settingsFile, 'utf8');
    for (const key of [
      'CLAUDE_CODE_PATH',
      'CLAUDE_MEM_DATA_DIR',
      'CLAUDE_MEM_ANTHROPIC_BASE_URL',
      'CLAUDE_MEM_WORKER_HOST',
    ]) {
      const answer = await ask({ method: 'POST', path: '/api/settings', body: { [key]: '/bin/sh' } });
      expect(answer.status, key).toBe(403);
      expect(answer.json).toMatchObject({ error: { code: 'worker/not-settable' } });
    }
    expect(readFileSync(worker.home.paths.settingsFile, 'utf8')).toBe(before);
  });

  it('B059: reject bodies with keys that could change prototypes', async () => {
    for (const body of ['{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{"x":1}}}']) {
      expect((await ask({ method: 'POST', path: '/api/settings', body })).status).toBe(400);
      const init = body.replace('{', '{"contentSessionId":"proto",');
      expect((await ask({ method: 'POST', path: '/api/sessions/init', body: init })).status).toBe(400);
    }
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('B060: answer oversized, deeply nested and malformed bodies quickly, and health requests meanwhile', async () => {
    const cases: [string, string | Buffer, number][] = [
      ['/api/sessions/init', Buffer.alloc(60_000_000, 'x'), 413],
      ['/api/hooks/claude-code/PostToolUse', Buffer.alloc(60_000_000, 'x'), 413],
      ['/api/settings', Buffer.alloc(2_000_000, 'x'), 413],
      [
        '/api/sessions/init',
        `{"contentSessionId":"d","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
        400,
      ],
      ['/api/sessions/init', '{"contentSessionId":', 400],
      ['/api/sessions/init', '[]', 400],
      ['/api/sessions/init', 'null', 400],
    ];
    for (const [path, body, status] of cases) {
      const spent = processorTime();
      const [answer, health] = await Promise.all([
        ask({ method: 'POST', path, body }),
        worker.ask({ path: '/health' }),
      ]);
      expect(answer.status, `${path} ${body.length}`).toBe(status);
      expect(answer.json).toHaveProperty('error.code');
      expect(health.status).toBe(200);
      expect(spent()).toBeLessThan(5_000);
    }
  });

  it('B060: accept five megabytes of private tags and a hundred thousand nesting levels from a hook', async () => {
    const deep = `{"session_id":"deep","tool_name":"X","tool_use_id":"1","tool_input":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const tags = JSON.stringify({ session_id: 'tags', prompt: '<private>'.repeat(550_000) });
    expect((await worker.hook('PostToolUse', deep)).status).toBe(200);
    expect((await worker.hook('UserPromptSubmit', tags)).status).toBe(200);
    expect((await worker.health()).ready).toBe(true);
  });

  it('reject a request body that is not JSON', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])
      expect(
        (
          await ask({
            method: 'POST',
            path: '/api/sessions/init',
            body: '{}',
            headers: { 'content-type': type },
          })
        ).status,
        type,
      ).toBe(415);
  });

  it('accept an empty body as empty JSON, but not from a form or another site', async () => {
    const json = { 'content-type': 'application/json' };
    const body = [
      ['POST', '/api/memory/forget/999/undo', 404],
      ['POST', '/api/sign-out', 200],
      ['DELETE', '/api/observations/999', 200],
    ] as const;
    for (const [method, path, status] of body)
      for (const headers of [
        {},
        { 'content-length': '0' },
        json,
        { ...json, 'content-length': '0' },
        { ...json, 'transfer-encoding': 'chunked' },
      ])
        expect(
          (await ask({ method, path, headers })).status,
          `${method} ${path} ${JSON.stringify(headers)}`,
        ).toBe(status);
    expect((await ask({ method: 'POST', path: '/api/reindex', headers: json })).status).toBe(200);
    const lacking = await ask({ method: 'POST', path: '/api/sessions/init', headers: json });
    expect(lacking).toMatchObject({ status: 400, json: { error: { code: 'worker/bad-request' } } });
    expect(lacking.text).toContain('contentSessionId');
    for (const [path, headers, status] of [
      ['/api/sign-out', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
      ['/api/sign-out', { 'content-type': 'text/plain' }, 415],
      ['/api/sign-out', { 'transfer-encoding': 'chunked' }, 415],
      ['/api/sign-out', { ...json, origin: 'http://example.com' }, 403],
      ['/api/sign-out', { ...json, 'sec-fetch-site': 'cross-site' }, 403],
    ] as const)
      expect((await ask({ method: 'POST', path, headers })).status, JSON.stringify(headers)).toBe(status);
  });

  it('return only the status from health without the token', async () => {
    const answer = await askWithout({ path: '/health' });
    expect(answer).toMatchObject({ status: 200, json: { status: 'ok', ready: true } });
    expect(Object.keys(answer.json as object)).toEqual(['status', 'ready']);
    expect((await ask({ path: '/health' })).json).toHaveProperty('pid');
  });

  it('send security headers with every response, and errors in one format', async () => {
    for (const answer of [
      await ask({ path: '/nowhere' }),
      await askWithout({ path: '/api/stats' }),
      await ask({ path: '/health' }),
    ]) {
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.headers['x-powered-by']).toBeUndefined();
    }
    expect((await ask({ path: '/nowhere' })).json).toEqual({
      error: { code: 'worker/not-found', message: 'There is no GET /nowhere.' },
    });
    expect((await ask({ path: '/api/sessions/999' })).status).toBe(404);
    expect((await ask({ path: '/api/sessions/abc' })).status).toBe(400);
    expect((await ask({ path: '/api/observations?cursor=nonsense' })).status).toBe(400);
  });

  it('B061: do not limit the request rate of clients with the token', async () => {
    const statuses = new Set<number>();
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all([
        ...Array.from({ length: 10 }, () => ask({ path: '/api/stats' })),
        ...Array.from({ length: 5 }, (_, index) =>
          worker.hook('PostToolUse', {
            session_id: 'own',
            tool_name: 'Read',
            tool_use_id: `${round}-${index}`,
          }),
        ),
      ]);
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses]).toEqual([200]);
  });

  it('S07: close TCP connections above the limit, and still answer on the Unix socket', async () => {
    const open = Array.from({ length: MAX_TCP_CONNECTIONS + 50 }, () => connect(port, '127.0.0.1'));
    let closed = 0;
    for (const socket of open)
      socket
        .on('error', () => undefined)
        .on('close', () => (closed += 1))
        .resume();
    try {
      await expect.poll(() => closed, { timeout: 20_000 }).toBeGreaterThanOrEqual(50);
      expect((await worker.ask({ path: '/health' })).status).toBe(200);
    } finally {
      for (const socket of open) socket.destroy();
    }
  });

  it.skipIf(outside === undefined)('B057: listen only on loopback by default', async () => {
    await expect(send({ host: outside as string, port }, { path: '/health' })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });
});

describe('a worker that listens on all interfaces', { timeout: 60_000 }, () => {
  it.skipIf(outside === undefined)('B057: refuses administration requests from other machines', async () => {
    await using worker = await startTestWorker({ env: { CLAUDE_MEM_WORKER_HOST: '0.0.0.0' } });
    const port = await worker.port();
    const token = readFileSync(worker.home.paths.tokenFile, 'utf8').trim();
    const host = outside as string;
    const headers = { host: `${host}:${port}`, [WORKER_TOKEN_HEADER]: token };
    const ask = (request: TestRequest) => send({ host, port }, { ...request, headers });
    expect((await ask({ path: '/api/observations' })).status).toBe(200);
    for (const request of [
      { path: '/api/settings' },
      { path: '/api/logs' },
      { method: 'POST', path: '/api/settings', body: {} },
      { method: 'POST', path: '/api/queue/drop', body: { status: 'parked' } },
      { method: 'POST', path: '/api/shutdown' },
      // Routes that influence later sessions.
      { method: 'POST', path: '/api/memory', body: { text: 'Use npm', pinned: true } },
      { method: 'POST', path: '/api/memory/forget', body: { ids: [1] } },
      { method: 'PATCH', path: '/api/observations/1', body: { pinned: true } },
      { method: 'DELETE', path: '/api/observations/1' },
      { method: 'POST', path: '/api/import', body: [] },
    ])
      expect((await ask(request)).status, request.path).toBe(403);
    const withoutToken = await send(
      { host, port },
      { path: '/api/observations', headers: { host: `${host}:${port}` } },
    );
    expect(withoutToken.status).toBe(401);
    const rebound = await send(
      { host, port },
      { path: '/health', headers: { ...headers, host: `evil.example:${port}` } },
    );
    expect(rebound.status).toBe(403);
  });
});
