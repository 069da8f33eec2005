import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WORKER_TOKEN_HEADER } from '@claude-mem/worker-protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createTestHome,
  send,
  startTestWorker,
  type TestAnswer,
  type TestHome,
  type TestRequest,
  type TestWorker,
} from '../testing/start-test-worker.js';

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const DOCUMENT =
  '<!doctype html><title>claude-mem</title><script type="module" src="/assets/a-1.js"></script>';

describe('a browser', { timeout: 60_000 }, () => {
  let home: TestHome;
  let worker: TestWorker;
  let port: number;
  beforeAll(async () => {
    home = createTestHome();
    worker = await startTestWorker({ home, viewerDir: makeViewer(home) });
    port = await worker.port();
  }, 60_000);
  afterAll(async () => {
    await worker[Symbol.asyncDispose]();
    home[Symbol.dispose]();
  });

  const browse = ({ headers, ...request }: TestRequest) =>
    send(
      { host: '127.0.0.1', port },
      { ...request, headers: { host: `127.0.0.1:${port}`, ...HTML, ...headers } },
    );
  const newAddress = async () => {
    const { status, json } = await worker.ask({ method: 'POST', path: '/api/sign-in-codes' });
    expect(status).toBe(200);
    return new URL((json as { url: string }).url);
  };
  const pathOf = ({ pathname, search }: URL) => pathname + search;
  const signIn = async () => cookieOf(await browse({ path: pathOf(await newAddress()) }));

  describe('with a sign-in code', () => {
    it('gets a cookie that does not contain the token, and is redirected to the viewer', async () => {
      const address = await newAddress();
      expect(address.origin).toBe(`http://127.0.0.1:${port}`);
      const answer = await browse({ path: pathOf(address) });
      expect(answer).toMatchObject({ status: 303, headers: { location: '/' } });
      const [setCookie = ''] = answer.headers['set-cookie'] ?? [];
      expect(setCookie).toMatch(
        new RegExp(`^claude_mem_${port}=[\\w.-]+; Path=/; Max-Age=7776000; HttpOnly; SameSite=Strict$`),
      );
      expect(setCookie).not.toContain(tokenOf(home));
      expect(answer.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
      const cookie = cookieOf(answer);
      expect((await browse({ path: '/', headers: { cookie } })).text).toBe(DOCUMENT);
      expect((await browse({ path: '/api/stats', headers: { cookie } })).status).toBe(200);
    });

    it('is signed in once, because a used code is rejected', async () => {
      const path = pathOf(await newAddress());
      const cookie = cookieOf(await browse({ path }));
      const second = await browse({ path });
      expect(second.status).toBe(401);
      expect(second.headers['set-cookie']).toBeUndefined();
      expect(second.text).toContain('<code>claude-mem open</code>');
      const signedIn = await browse({ path, headers: { cookie } });
      expect(signedIn).toMatchObject({ status: 303, headers: { location: '/' } });
    });

    it('gets a page with instructions when the code is wrong or missing', async () => {
      for (const path of ['/sign-in', '/sign-in?code=', '/sign-in?code=a&code=b', '/sign-in?code=%00']) {
        const answer = await browse({ path });
        expect(answer.status, path).toBe(401);
        expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
        expect(answer.text).toContain('claude-mem open');
      }
    });

    it('keeps the code valid when it sends a HEAD request', async () => {
      const path = pathOf(await newAddress());
      expect((await browse({ path, method: 'HEAD' })).headers['set-cookie']).toBeUndefined();
      expect((await browse({ path })).status).toBe(303);
    });

    it('cannot create a code with its cookie, only with the token', async () => {
      const cookie = await signIn();
      const request = { method: 'POST', path: '/api/sign-in-codes' };
      expect((await browse({ ...request, headers: { cookie } })).status).toBe(403);
      const headers = { [WORKER_TOKEN_HEADER]: tokenOf(home) };
      expect((await browse({ ...request, headers })).status).toBe(200);
    });

    it('leaves no code in the log', async () => {
      const address = await newAddress();
      await browse({ path: pathOf(address), headers: { host: 'evil.example' } });
      await browse({ path: pathOf(address) });
      const code = address.searchParams.get('code') ?? '';
      const logs = readdirSync(home.paths.logsDir).map((name) =>
        readFileSync(join(home.paths.logsDir, name), 'utf8'),
      );
      expect(logs.join()).toContain('Request turned away at the gate');
      expect(code).toMatch(/^[\w-]{32}$/);
      expect(logs.join()).not.toContain(code);
    });
  });

  describe('that is not signed in', () => {
    it('gets only the sign-in instructions on every page', async () => {
      for (const path of ['/', '/sessions/12', '/search?q=secret', '/index.html']) {
        const answer = await browse({ path });
        expect(answer.status, path).toBe(401);
        expect(answer.text).toContain('claude-mem open');
        expect(answer.text).not.toMatch(/<script|\bsrc=|<link(?! rel="icon" href="data:,")/);
        expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
      }
      for (const path of ['/assets/a-1.js', '/stream', '/api/stats', '/api/nowhere'])
        expect(await browse({ path })).toMatchObject({
          status: 401,
          json: { error: { code: 'worker/unauthorized' } },
        });
    });

    it('is rejected when its cookie is forged, empty or the token itself', async () => {
      const cookie = await signIn();
      const forged = cookie.slice(0, -2) + (cookie.endsWith('AA') ? 'BB' : 'AA');
      for (const wrong of [forged, `claude_mem_${port}=`, `claude_mem_${port}=${tokenOf(home)}`])
        expect((await browse({ path: '/api/stats', headers: { cookie: wrong } })).status).toBe(401);
    });
  });

  describe('that is signed in', () => {
    let cookie: string;
    beforeAll(async () => {
      cookie = await signIn();
    });
    const visit = (path: string, more: Partial<TestRequest> = {}) =>
      browse({ path, ...more, headers: { cookie, ...more.headers } });

    it('loses its cookie when it signs out, and other browsers keep theirs', async () => {
      const other = await signIn();
      const answer = await visit('/api/sign-out', { method: 'POST' });
      expect(answer).toMatchObject({ status: 200, json: { signedOut: true } });
      expect(answer.headers['set-cookie']).toEqual([
        `claude_mem_${port}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`,
      ]);
      expect((await browse({ path: '/api/stats', headers: { cookie: other } })).status).toBe(200);
    });

    it('is not signed out by a request from another site', async () => {
      for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
        const answer = await visit('/api/sign-out', { method: 'POST', headers });
        expect(answer.status).toBe(403);
        expect(answer.headers['set-cookie']).toBeUndefined();
      }
    });

    it('B053 B054: is rejected when the host, the origin or the site is not that of the viewer', async () => {
      for (const path of ['/', '/sessions/12', '/assets/a-1.js', '/sign-in?code=x', '/stream', '/api/stats'])
        for (const headers of [
          { host: `evil.example:${port}` },
          { origin: 'https://evil.example' },
          { origin: `http://localhost.evil.example:${port}` },
          { origin: `http://127.0.0.1:${port + 1}` },
          { 'sec-fetch-site': 'cross-site' },
          { 'sec-fetch-site': 'same-site' },
        ] as Record<string, string>[]) {
          const answer = await visit(path, { headers });
          expect(answer.status, `${path} ${JSON.stringify(headers)}`).toBe(403);
          expect(answer.headers['access-control-allow-origin']).toBeUndefined();
          expect(answer.text).not.toContain('<script');
        }
    });

    it('gets an uncached document with a strict policy for every page', async () => {
      for (const path of [
        '/',
        '/sessions/12',
        '/files?path=..%2F..%2Fetc%2Fpasswd',
        '/a.b/c',
        '/index.html',
      ]) {
        const answer = await visit(path);
        expect(answer, path).toMatchObject({ status: 200, text: DOCUMENT });
        expect(answer.headers).toMatchObject({
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-store',
          'content-security-policy':
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
        });
        expect(answer.headers['permissions-policy']).toContain('camera=()');
      }
    });

    it('gets viewer assets with permanent caching, because their names contain a content hash', async () => {
      const answer = await visit('/assets/a-1.js', { headers: { accept: '*/*' } });
      expect(answer).toMatchObject({ status: 200, text: 'export {};\n' });
      expect(answer.headers).toMatchObject({
        'content-type': 'application/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      });
      expect(await visit('/assets/gone-2.js', { headers: { accept: '*/*' } })).toMatchObject({
        status: 404,
        json: { error: { code: 'worker/not-found' } },
      });
    });

    it('gets the headers of a GET request when it sends a HEAD request', async () => {
      for (const path of ['/', '/sessions/12', '/assets/a-1.js']) {
        const [head, full] = [await visit(path, { method: 'HEAD' }), await visit(path)];
        expect(head).toMatchObject({ status: 200, text: '' });
        expect(head.headers['content-length'], path).toBe(full.headers['content-length']);
        expect(head.headers['content-security-policy']).toBe(full.headers['content-security-policy']);
      }
    });

    it('gets no file outside the viewer folder, however the path is encoded', async () => {
      for (const path of [
        '/assets/../secret.txt',
        '/assets/%2e%2e/secret.txt',
        '/assets/..%2fsecret.txt',
        '/assets/..%5csecret.txt',
        '/assets/%00',
        '/assets/.hidden',
        '/assets/',
        '/assets//secret.txt',
        '/%',
        '/../secret.txt',
        '/%2e%2e/secret.txt',
        '//secret.txt',
        '/%00',
      ]) {
        const answer = await raw(port, path, cookie);
        expect(answer, path).toMatch(/^HTTP\/1\.1 (200|400|403|404) /);
        expect(answer, path).not.toContain('nobody may read this');
      }
      expect((await worker.health()).ready).toBe(true);
    });
  });

  it('gets a 404 in JSON for an unknown path when it does not accept HTML', async () => {
    const headers = { accept: '*/*', [WORKER_TOKEN_HEADER]: tokenOf(home) };
    expect(await browse({ path: '/nowhere', headers })).toMatchObject({
      status: 404,
      json: { error: { message: 'There is no GET /nowhere.' } },
    });
  });
});

describe('another user of the machine', { timeout: 60_000 }, () => {
  const UNPRIVILEGED_USER = 65_534;
  const canChangeUser =
    process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/curl');

  it.skipIf(!canChangeUser)(
    'S01, S02: gets in neither with a cookie, a code nor the token that it found',
    async () => {
      await using worker = await startTestWorker();
      const port = await worker.port();
      const { json } = await worker.ask({ method: 'POST', path: '/api/sign-in-codes' });
      const { url } = json as { url: string };
      const ask = async (uid: number, path: string, ...more: string[]) => {
        const args = ['-s', '-o', '/dev/null', '-w', '%{http_code}', ...more, path];
        return (await promisify(execFile)('/usr/bin/curl', args, { uid, cwd: '/' })).stdout;
      };
      expect(await ask(UNPRIVILEGED_USER, url)).toBe('403');
      const cookie = cookieOf(
        await send({ host: '127.0.0.1', port }, { path: url.slice(url.indexOf('/sign-in')) }),
      );
      const withCookie = ['-H', `Cookie: ${cookie}`] as const;
      const address = `http://127.0.0.1:${port}/api/stats`;
      expect(await ask(0, address, ...withCookie)).toBe('200');
      expect(await ask(UNPRIVILEGED_USER, address, ...withCookie)).toBe('403');
      expect(await ask(UNPRIVILEGED_USER, address)).toBe('401');
      const withToken = ['-H', `${WORKER_TOKEN_HEADER}: ${tokenOf(worker.home)}`] as const;
      expect(await ask(UNPRIVILEGED_USER, address, ...withToken)).toBe('403');
    },
  );
});

describe('S01: another user of the machine that closes its sending half', { timeout: 60_000 }, () => {
  const UNPRIVILEGED_USER = 65_534;
  const canChangeUser = process.platform === 'linux' && process.getuid?.() === 0;
  /** Sends the request and the end of the connection in one packet. */
  const HALF_CLOSED = `import socket, sys
port, request = int(sys.argv[1]), sys.argv[2]
s = socket.create_connection(('127.0.0.1', port))
s.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
s.sendall(request.encode())
s.shutdown(socket.SHUT_WR)
while data := s.recv(65536): sys.stdout.write(data.decode())
`;
  const PYTHON = '/usr/bin/python3';

  it.skipIf(!canChangeUser || !existsSync(PYTHON))('is refused with a code and with a cookie', async () => {
    await using worker = await startTestWorker();
    const port = await worker.port();
    const { json } = await worker.ask({ method: 'POST', path: '/api/sign-in-codes' });
    const { pathname, search } = new URL((json as { url: string }).url);
    const ask = async (uid: number, path: string, cookie = '') => {
      const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`;
      const args = ['-c', HALF_CLOSED, String(port), request];
      return (await promisify(execFile)(PYTHON, args, { uid, cwd: '/' })).stdout.slice(9, 12);
    };
    // There is no response when the server sees the end first.
    const refused = ['403', ''];
    expect(refused).toContain(await ask(UNPRIVILEGED_USER, pathname + search));
    const cookie = cookieOf(await send({ host: '127.0.0.1', port }, { path: pathname + search }));
    expect(cookie).not.toBe('');
    for (let round = 0; round < 5; round += 1)
      expect(refused).toContain(await ask(UNPRIVILEGED_USER, '/api/stats', cookie));
  });
});

describe('a browser that was signed in', { timeout: 60_000 }, () => {
  let home: TestHome;
  beforeEach(() => {
    home = createTestHome();
    return () => home[Symbol.dispose]();
  });
  /** Signs in at one worker and uses the same cookie at the next worker on that port. */
  async function statusAfter(change: () => void): Promise<number> {
    let cookie: string;
    let port: number;
    {
      await using worker = await startTestWorker({ home, viewerDir: makeViewer(home) });
      port = await worker.port();
      const { json } = await worker.ask({ method: 'POST', path: '/api/sign-in-codes' });
      const { pathname, search } = new URL((json as { url: string }).url);
      cookie = cookieOf(await send({ host: '127.0.0.1', port }, { path: pathname + search }));
    }
    change();
    await using _worker = await startTestWorker({ home, env: { CLAUDE_MEM_WORKER_PORT: String(port) } });
    const headers = { cookie };
    return (await send({ host: '127.0.0.1', port }, { path: '/api/stats', headers })).status;
  }

  it('remains signed in when the worker is restarted', async () => {
    expect(await statusAfter(() => undefined)).toBe(200);
  });

  it('is no longer signed in when the token changes', async () => {
    expect(await statusAfter(() => rmSync(home.paths.tokenFile))).toBe(401);
  });
});

describe('a worker without the viewer files', { timeout: 60_000 }, () => {
  it('answers a page request with an explanation, and stays ready', async () => {
    await using worker = await startTestWorker();
    const port = await worker.port();
    const headers = { ...HTML, [WORKER_TOKEN_HEADER]: tokenOf(worker.home) };
    const answer = await send({ host: '127.0.0.1', port }, { path: '/sessions/1', headers });
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('not part of this installation');
    expect((await worker.health()).ready).toBe(true);
  });
});

function makeViewer({ root }: TestHome): string {
  const folder = join(root, 'viewer');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), DOCUMENT);
  writeFileSync(join(folder, 'assets', 'a-1.js'), 'export {};\n');
  for (const name of ['secret.txt', join('assets', '.hidden')])
    writeFileSync(join(folder, name), 'nobody may read this');
  writeFileSync(join(root, 'secret.txt'), 'nobody may read this');
  return folder;
}

const tokenOf = ({ paths }: TestHome) => readFileSync(paths.tokenFile, 'utf8').trim();

function cookieOf({ headers }: TestAnswer): string {
  const [first = ''] = headers['set-cookie'] ?? [];
  return first.split(';')[0] ?? '';
}

/** The raw response for a path that no client would send. */
function raw(port: number, path: string, cookie: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)));
    socket.once('error', reject);
    socket.once('close', () => resolve(text));
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/html\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`,
    );
  });
}
