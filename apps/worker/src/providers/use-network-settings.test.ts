import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isWithoutProxy } from './create-proxy-connector.js';
import { networkEnvironment, useNetworkSettings } from './use-network-settings.js';

const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
const NONE = { caFile: '', proxy: '', noProxy: [] };
const globals = globalThis as unknown as Record<symbol, unknown>;

let folder: string;
let before: unknown;
const servers: Server[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'network-'));
  await fetch('data:,').catch(() => null);
  before = globals[DISPATCHER];
});
afterEach(() => {
  globals[DISPATCHER] = before;
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true, force: true });
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A proxy that connects every host to one port of this machine, and records the hosts and the credentials. */
async function startProxy(port: number) {
  const asked: string[] = [];
  const credentials: (string | undefined)[] = [];
  const proxy = createServer();
  proxy.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    credentials.push(request.headers['proxy-authorization']);
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    for (const end of [socket, target]) end.on('error', () => undefined);
  });
  return { asked, credentials, url: `http://127.0.0.1:${await listen(proxy)}` };
}

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

function createCertificate() {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,DNS:models.example'];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert, ...subject],
    { stdio: 'ignore' },
  );
  return { key: readFileSync(key), cert: readFileSync(cert), file: cert };
}

describe('requests of the worker', () => {
  it('R07: use the configured proxy, except for requests to this machine', async () => {
    const port = await listen(createServer((_request, response) => response.end('model')));
    const proxy = await startProxy(port);
    expect(await useNetworkSettings({ ...NONE, proxy: proxy.url })).toEqual([]);
    expect(await (await fetch('http://models.example/v1')).text()).toBe('model');
    expect(proxy.asked).toEqual(['models.example:80']);
    expect(await (await fetch(`http://127.0.0.1:${port}/v1`)).text()).toBe('model');
    expect(proxy.asked).toHaveLength(1);
  });

  it('R07: send the user and the password of the proxy URL only to the proxy', async () => {
    let authorization: string | undefined;
    const port = await listen(
      createServer(({ headers }, response) => {
        authorization = headers['proxy-authorization'];
        response.end('model');
      }),
    );
    const { credentials, url } = await startProxy(port);
    await useNetworkSettings({ ...NONE, proxy: url.replace('//', '//ada:p%40ss@') });
    await fetch('http://models.example/v1');
    expect(credentials).toEqual([`Basic ${Buffer.from('ada:p@ss').toString('base64')}`]);
    expect(authorization).toBeUndefined();
  });

  it('R07: fail with the status of the proxy when the proxy rejects them', async () => {
    const proxy = createServer();
    proxy.on('connect', (_request, socket) =>
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'),
    );
    await useNetworkSettings({ ...NONE, proxy: `http://127.0.0.1:${await listen(proxy)}` });
    await expect(fetch('http://models.example/v1')).rejects.toMatchObject({
      cause: { message: 'Proxy response (407)' },
    });
  });

  it.skipIf(!hasOpenssl)(
    'R07: trust the configured certificate authorities, also through the proxy',
    async () => {
      const { key, cert, file } = createCertificate();
      const port = await listen(
        createTlsServer({ key, cert }, (_request, response) => response.end('model')),
      );
      await expect(fetch(`https://localhost:${port}/v1`)).rejects.toThrow();
      expect(await useNetworkSettings({ ...NONE, caFile: file })).toEqual([]);
      expect(await (await fetch(`https://localhost:${port}/v1`)).text()).toBe('model');

      const proxy = await startProxy(port);
      await useNetworkSettings({ ...NONE, caFile: file, proxy: proxy.url });
      expect(await (await fetch('https://models.example/v1')).text()).toBe('model');
      expect(proxy.asked).toEqual(['models.example:443']);
    },
  );

  it('R07: report a CA file without certificates and an invalid proxy URL without the password', async () => {
    const file = join(folder, 'none.pem');
    writeFileSync(file, 'none');
    const problems = await useNetworkSettings({
      caFile: file,
      proxy: 'socks://ada:secret@host',
      noProxy: [],
    });
    expect(problems).toEqual([
      expect.stringContaining('holds no certificate'),
      expect.stringContaining('CLAUDE_MEM_PROXY is not the address'),
    ]);
    expect(problems.join(' ')).not.toContain('secret');
    expect(await useNetworkSettings({ ...NONE, caFile: join(folder, 'gone.pem') })).toEqual([
      expect.stringContaining('cannot be read'),
    ]);
    expect(globals[DISPATCHER]).toBe(before);
  });
});

it('R07: passes the network settings to a child process in the standard variables', () => {
  expect(
    networkEnvironment({ caFile: '/ca.pem', proxy: 'proxy.example:3128', noProxy: ['.example'] }),
  ).toEqual({
    NODE_EXTRA_CA_CERTS: '/ca.pem',
    HTTP_PROXY: 'http://proxy.example:3128/',
    HTTPS_PROXY: 'http://proxy.example:3128/',
    NO_PROXY: 'localhost,127.0.0.1,::1,.example',
  });
  expect(networkEnvironment(NONE)).toEqual({});
});

it.each([
  ['models.example', '.example', true],
  ['models.example', 'example', true],
  ['models.example', '*.example', true],
  ['models.example', '*', true],
  ['models.example', 'models.example:443', true],
  ['models.example', 'models.example:80', false],
  ['models.example', 'odels.example', false],
  ['::1', '::1', true],
  ['models.example', '', false],
])('R07: for %s at port 443 with NO_PROXY %j, isWithoutProxy returns %s', (host, entry, expected) => {
  expect(isWithoutProxy(host, 443, [entry])).toBe(expected);
});
