import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLocalWorkerLink } from './local-worker-link.js';

let folder: string;
let listening: ReturnType<typeof createServer> | null = null;
const places = () => ({
  socket: join(folder, 'worker.sock'),
  socketPointer: join(folder, 'worker.sock.path'),
  tokenFile: join(folder, 'token'),
  stateFile: join(folder, 'worker.json'),
  lockFile: join(folder, 'worker.lock'),
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cm-link-'));
});
afterEach(() => {
  listening?.closeAllConnections();
  listening?.close();
  listening = null;
  rmSync(folder, { recursive: true, force: true });
});

async function listen(
  where: string | number,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<number> {
  listening = createServer(answer).listen(where);
  await once(listening, 'listening');
  const address = listening.address();
  return typeof address === 'object' && address ? address.port : 0;
}

const answerEmpty = (_: IncomingMessage, response: ServerResponse) =>
  response.setHeader('content-type', 'application/json').end('{"items":[],"nextCursor":null}');

it('reports that no worker is running and the command that starts it', async () => {
  await expect(createLocalWorkerLink(places()).client.listProjects()).rejects.toMatchObject({
    code: 'worker-client/away',
    message: expect.stringContaining('claude-mem start'),
  });
});

it('uses the socket of the worker, even in another folder', async () => {
  const elsewhere = join(folder, 'elsewhere.sock');
  writeFileSync(places().socketPointer, `${elsewhere}\n`);
  await listen(elsewhere, answerEmpty);
  expect(await createLocalWorkerLink(places()).client.listProjects()).toEqual({
    items: [],
    nextCursor: null,
  });
});

describe('a worker link without a socket', () => {
  async function endedProcess(): Promise<number> {
    const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
    await once(child, 'exit');
    return child.pid ?? 0;
  }

  async function ask(pid: number): Promise<{ tokens: unknown[]; error: unknown }> {
    const tokens: unknown[] = [];
    const port = await listen(0, (request, response) => {
      tokens.push(request.headers['x-claude-mem-token']);
      answerEmpty(request, response);
    });
    writeFileSync(places().stateFile, JSON.stringify({ pid, port, socket: null }));
    writeFileSync(places().tokenFile, 'secret\n');
    const call = createLocalWorkerLink(places()).client.listProjects();
    const error = await call.then(
      () => null,
      (cause: unknown) => cause,
    );
    return { tokens, error };
  }

  it('sends the token to the port of the worker', async () => {
    const lock = openSync(places().lockFile, 'w');
    expect(await ask(process.pid)).toEqual({ tokens: ['secret'], error: null });
    closeSync(lock);
  });

  it('S02: does not send the token when the worker has exited', async () => {
    expect(await ask(await endedProcess())).toEqual({
      tokens: [],
      error: expect.objectContaining({ code: 'worker-client/away' }),
    });
  });

  it.skipIf(process.platform !== 'linux')(
    'S02: does not send the token when the process id belongs to another program',
    async () => {
      writeFileSync(places().lockFile, '');
      expect((await ask(process.pid)).tokens).toEqual([]);
    },
  );
});

it('fails with the timeout when the worker does not respond', async () => {
  await listen(places().socket, () => undefined);
  await expect(createLocalWorkerLink(places()).within(50).listProjects()).rejects.toMatchObject({
    code: 'worker-client/away',
    message: expect.stringContaining('50 ms'),
  });
});
