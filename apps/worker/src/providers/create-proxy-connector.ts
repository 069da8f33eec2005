import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** The target of a request, as Node's HTTP client describes it. */
interface Target {
  hostname: string;
  port?: string | number;
  protocol: string;
  servername?: string | null;
}
export type Connector = (
  target: Target,
  callback: (error: Error | null, socket: Socket | null) => void,
) => void;

const CONNECT_MS = 10_000;

/**
 * Opens the connections of an HTTP client: through a proxy (`CONNECT`) except to excluded hosts, with the given
 * certificate authorities.
 */
export function createProxyConnector({
  proxy,
  noProxy,
  ca,
}: {
  proxy: URL | null;
  noProxy: readonly string[];
  /** PEM texts. @default those of Node */
  ca?: string[] | undefined;
}): Connector {
  return (target, callback) => {
    let isDone = false;
    const done = (error: Error | null, socket: Socket | null) => {
      if (isDone) return void socket?.destroy();
      isDone = true;
      clearTimeout(timer);
      callback(error, socket);
    };
    const timer = setTimeout(
      () => done(Object.assign(new Error('Connect timeout'), { code: 'UND_ERR_CONNECT_TIMEOUT' }), null),
      CONNECT_MS,
    );
    const host = target.hostname.replace(/^\[|\]$/g, '');
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80);
    const secure = (socket: Socket) => {
      if (target.protocol !== 'https:') return done(null, socket);
      const tls = connectTls({
        socket,
        host,
        servername: target.servername || host,
        ALPNProtocols: ['http/1.1'],
        ...(ca && { ca }),
      });
      tls.once('secureConnect', () => done(null, tls)).once('error', (error) => done(error, null));
    };
    if (proxy === null || isWithoutProxy(host, port, noProxy)) {
      const socket = connectTcp({ host, port, noDelay: true });
      socket.once('connect', () => secure(socket)).once('error', (error) => done(error, null));
      return;
    }
    openTunnel(proxy, { host, port, ca }).then(secure, (error: Error) => done(error, null));
  };
}

function openTunnel(
  proxy: URL,
  { host, port, ca }: { host: string; port: number; ca?: string[] | undefined },
): Promise<Socket> {
  const { hostname, username, password, protocol } = proxy;
  const isSecure = protocol === 'https:';
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString(
    'base64',
  );
  return new Promise((resolve, reject) => {
    const request = (isSecure ? requestHttps : requestHttp)({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (isSecure ? 443 : 80),
      method: 'CONNECT',
      path: authority,
      agent: false,
      headers: { host: authority, ...(username === '' ? {} : { 'proxy-authorization': `Basic ${login}` }) },
      ...(isSecure && ca ? { ca } : {}),
    });
    request.once('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode === 200) return resolve(socket as Socket);
      socket.destroy();
      reject(new Error(`Proxy response (${statusCode})`));
    });
    request.once('response', ({ statusCode = 0 }) => {
      request.destroy();
      reject(new Error(`Proxy response (${statusCode})`));
    });
    request.once('error', reject);
    request.end();
  });
}

/** As in NO_PROXY: `*`, a host, or the end of one (`.example.com`), with or without a port. */
export function isWithoutProxy(host: string, port: number, noProxy: readonly string[]): boolean {
  return noProxy.some((entry) => {
    const [, name = '', onlyPort] =
      /^(.*?)(?::(\d+))?$/.exec(
        entry
          .trim()
          .toLowerCase()
          .replace(/^\[?::1\]?$/, '::1'),
      ) ?? [];
    const isPlain = entry.includes('::');
    if (!isPlain && onlyPort !== undefined && Number(onlyPort) !== port) return false;
    const suffix = (isPlain ? entry : name).replace(/^\*?\./, '');
    if (suffix === '*') return true;
    return suffix !== '' && (host.toLowerCase() === suffix || host.toLowerCase().endsWith(`.${suffix}`));
  });
}
