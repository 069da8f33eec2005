import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Socket, type AddressInfo } from 'node:net';
import { WORKER_TOKEN_HEADER } from '@claude-mem/worker-protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAccess, type Access } from '../access/create-access.js';
import type { Logger } from '@claude-mem/core';
import { send } from '../testing/start-test-worker.js';
import { createGate } from './gate.js';
import { createHttpApp } from './create-http-app.js';
import { signInRoutes } from './routes/sign-in.js';

const OWNER = 1000;
const TOKEN = 't'.repeat(32);
const LOG = { debug: () => undefined, warn: () => undefined, error: () => undefined } as unknown as Logger;

let peer: number | 'no-process' | 'unknown';
let checks: number;
let access: Access;
let server: Server;
let port: number;
beforeEach(async () => {
  peer = OWNER;
  checks = 0;
  access = createAccess({
    token: TOKEN,
    now: Date.now,
    userId: OWNER,
    findPeerUser: async () => {
      checks += 1;
      return peer;
    },
  });
  const app = createHttpApp({ log: LOG });
  await signInRoutes(app, { access, viewerUrl: () => null });
  app.get('/api/stats', () => ({ fine: true }));
  await app.ready();
  const gate = createGate({ access, port: () => port, isWide: false }, (request, response) =>
    app.routing(request, response),
  );
  server = createServer(gate).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => void server.close());

const ask = async (path: string, headers: Record<string, string> = {}) =>
  (await send({ host: '127.0.0.1', port }, { path, headers: { host: `127.0.0.1:${port}`, ...headers } }))
    .status;

it('S07: does not check the peer when a request has no valid code and no cookie', async () => {
  for (const path of ['/sign-in?code=x', '/sign-in', '/api/stats', '/sign-in?code=a&code=b'])
    expect(await ask(path)).toBe(401);
  expect(checks).toBe(0);
});

it('S07: checks the peer of a connection once', async () => {
  const [first, second] = [new Socket(), new Socket()];
  for (const socket of [first, first, second]) expect(await access.isOwnUser(socket)).toBe(true);
  expect(checks).toBe(2);
});

it.each([
  ['the owner', OWNER, 303],
  ['root', 0, 303],
  ['an unknown peer', 'unknown', 303],
  ['another user', 65_534, 403],
  ['no process', 'no-process', 403],
] as const)(
  'S01: accepts a valid code only from the owner, root or an unknown peer: %s',
  async (_, user, status) => {
    peer = user;
    const { code } = access.codes.create();
    expect(await ask(`/sign-in?code=${code}`)).toBe(status);
    expect(access.codes.isOpen(code)).toBe(status === 403);
  },
);

it.each([
  [OWNER, 200],
  [65_534, 403],
  ['no-process', 403],
] as const)('S01: answers a valid cookie from the user %s with %i', async (user, status) => {
  peer = user;
  const cookie = access.cookie.issue(port).split(';')[0] ?? '';
  expect(await ask('/api/stats', { cookie })).toBe(status);
});

it.each([
  ['the owner', OWNER, 200],
  ['root', 0, 200],
  ['an unknown peer', 'unknown', 200],
  ['another user', 65_534, 403],
  ['no process', 'no-process', 403],
] as const)(
  'S02: accepts the token only from the owner, root or an unknown peer: %s',
  async (_, user, status) => {
    peer = user;
    const token = { [WORKER_TOKEN_HEADER]: TOKEN };
    expect(await ask('/api/stats', token)).toBe(status);
    expect(await ask('/api/stats', { authorization: `Bearer ${TOKEN}` })).toBe(status);
  },
);
