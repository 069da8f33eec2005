import type { IncomingMessage, ServerResponse } from 'node:http';
import { HOOK_ENVELOPE_TYPE, JSON_LINES_TYPE, WORKER_TOKEN_HEADER } from '@claude-mem/worker-protocol';
import type { Access } from '../access/create-access.js';
import { WorkerError, type WorkerErrorCode } from '../worker-error.js';
import { isLoopbackAddress, isLoopbackName, readHostHeader } from './address.js';
import { setCaller } from './caller.js';
import { refuse } from './error-reply.js';
import { bodyLimitOf } from './limits.js';
import { otherUserError } from './other-user-error.js';
import { sendPlainPage, SIGN_IN_NEEDED } from './plain-page.js';
import { isPage, pathOf, SIGN_IN_PATH } from './viewer-paths.js';

export interface GateOptions {
  access: Access;
  /** The port of this gate. Null for the unix socket, whose folder is private. */
  port: () => number | null;
  /** True when the worker listens on more than loopback. Numeric addresses are then valid Host headers too. */
  isWide: boolean;
  onRefused?: (details: { code: WorkerErrorCode; method: string; path: string }) => void;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Creates the gate, which runs before routing and checks Host, Origin, content type, size and token in this order.
 * Rejected requests never reach a route. A numeric Host header cannot be the result of DNS rebinding, so it is
 * allowed when the worker listens on other addresses.
 */
export function createGate(options: GateOptions, next: Handler): Handler {
  return (request, response) => {
    setSafetyHeaders(response);
    const isSocket = options.port() === null;
    const problem = isSocket ? checkSocket(request) : checkTcp(request, options);
    if (problem !== null) return turnAway(problem);
    const isProgram = isSocket || hasToken(request, options);
    const isBrowser = !isProgram && isSignedIn(request, options);
    if (isSocket || (!isProgram && !isBrowser)) return pass();
    void options.access
      .isOwnUser(request.socket)
      .then((isOwn) => (isOwn ? pass() : turnAway(otherUserError())));

    function pass() {
      const isTrusted = isProgram || isBrowser;
      if (!isTrusted && !isOpen(request)) {
        if (isPage(request)) return sendPlainPage(request, response, SIGN_IN_NEEDED);
        return turnAway(
          new WorkerError(
            'worker/unauthorized',
            `This needs the token of the worker, in the header ${WORKER_TOKEN_HEADER}; see the file token in the data directory.`,
          ),
        );
      }
      const isLocal = isSocket || isLoopbackAddress(request.socket.remoteAddress);
      setCaller(request, { isTrusted, isLocal, isViewer: isBrowser });
      next(request, response);
    }

    function turnAway(error: WorkerError) {
      const path = pathOf(request.url);
      options.onRefused?.({ code: error.code, method: request.method ?? '', path: path.slice(0, 200) });
      refuse(request, response, error);
    }
  };
}

function setSafetyHeaders(response: ServerResponse): void {
  response.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('cache-control', 'no-store');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
}

function checkSocket(request: IncomingMessage): WorkerError | null {
  const host = readHostHeader(request.headers.host);
  if (host === null || !isLoopbackName(host.name)) return forbidden('Host', request.headers.host);
  return checkBody(request);
}

function checkTcp(request: IncomingMessage, options: GateOptions): WorkerError | null {
  const host = readHostHeader(request.headers.host);
  if (host === null || !isOwnHost(host, request, options)) return forbidden('Host', request.headers.host);
  const { origin } = request.headers;
  if (origin !== undefined && origin !== `http://${request.headers.host}`) return forbidden('Origin', origin);
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return forbidden('Sec-Fetch-Site', String(site));
  return checkBody(request);
}

function isOwnHost(
  { name, port }: { name: string; port: number | null },
  request: IncomingMessage,
  options: GateOptions,
): boolean {
  if ((port ?? 80) !== options.port()) return false;
  return isLoopbackName(name) || (options.isWide && name === plainAddress(request.socket.localAddress));
}

const plainAddress = (address: string | undefined) => address?.replace(/^::ffff:/i, '').toLowerCase();

function forbidden(header: string, value: string | undefined): WorkerError {
  return new WorkerError('worker/forbidden', `Not answered for ${header} ${JSON.stringify(value ?? null)}.`);
}

function checkBody(request: IncomingMessage): WorkerError | null {
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  const length = Number(request.headers['content-length'] ?? 0);
  const hasBody = length > 0 || request.headers['transfer-encoding'] !== undefined;
  if (!hasBody) return null;
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json' && type !== otherTypeOf(request.url)) {
    return new WorkerError('worker/unsupported-type', 'Send the body as application/json.');
  }
  const limit = bodyLimitOf(request.url);
  if (length <= limit) return null;
  return new WorkerError('worker/too-large', `The body is larger than ${limit} bytes.`);
}

/** Content types of an address besides JSON. */
function otherTypeOf(url: string | undefined): string | null {
  if (url?.startsWith('/api/hooks/')) return HOOK_ENVELOPE_TYPE;
  return pathOf(url) === '/api/import' ? JSON_LINES_TYPE : null;
}

/** Without authentication, only health and the sign-in with a code are available. */
function isOpen(request: IncomingMessage): boolean {
  return (request.method === 'GET' && pathOf(request.url) === '/health') || isSignIn(request);
}

function isSignIn(request: IncomingMessage): boolean {
  return request.method === 'GET' && pathOf(request.url) === SIGN_IN_PATH;
}

function hasToken(request: IncomingMessage, { access }: GateOptions): boolean {
  const given = givenToken(request);
  return given !== null && access.isToken(given);
}

function isSignedIn(request: IncomingMessage, { access, port }: GateOptions): boolean {
  const own = port();
  return own !== null && access.cookie.isAmong(request.headers.cookie, own);
}

function givenToken({ headers }: IncomingMessage): string | null {
  const header = headers[WORKER_TOKEN_HEADER];
  if (typeof header === 'string') return header;
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}
