import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { systemClock, type Clock, type LogFields, type Logger } from '@claude-mem/core';
import { isProcessAlive } from '@claude-mem/core/is-process-alive';
import { bundleProgram } from '@claude-mem/core/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NO_BINDINGS, realBindings, temporaryFolder } from '../__fixtures__/real-server.js';
import { startManagedServer, type ManagedChromaOptions, type ManagedServer } from './start-managed-server.js';

let folder: string;
let remove: () => void;
let open: AsyncDisposable[];
let warnings: { fields: LogFields; message: string }[];

const programs = temporaryFolder();
const program = path.join(programs.folder, 'managed-child.mjs');
beforeAll(() => bundleProgram(path.join(import.meta.dirname, '../__fixtures__/managed-child.mts'), program));
afterAll(() => programs.remove());

beforeEach(() => {
  ({ folder, remove } = temporaryFolder());
  open = [];
  warnings = [];
});
afterEach(async () => {
  for (const one of open) await one[Symbol.asyncDispose]();
  remove();
});

const logger: Logger = {
  debug: () => {},
  info: () => {},
  error: () => {},
  warn: (fields, message) => void warnings.push({ fields, message }),
};

function start(options: Partial<ManagedChromaOptions> = {}, clock: Clock = systemClock): ManagedServer {
  const server = startManagedServer(
    { dataDir: folder, bindings: realBindings ?? 'missing', ...options },
    { logger, clock },
  );
  open.push(server);
  return server;
}

describe.skipIf(realBindings === null)(
  realBindings === null ? NO_BINDINGS : 'a managed Chroma server',
  () => {
    it('listens only on the loopback interface and ends when it is closed', async () => {
      const server = start();
      const url = await server.address();
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect(await isAnswering(url)).toBe(true);
      for (const address of outsideAddresses())
        expect(await isAnswering(url.replace('127.0.0.1', address))).toBe(false);
      const { pid } = lockOf(folder)!.server;
      expect(isProcessAlive(pid)).toBe(true);
      await server.close();
      expect(isProcessAlive(pid)).toBe(false);
      expect(lockOf(folder)).toBeNull();
      await expect(server.address()).rejects.toMatchObject({ code: 'search/closed' });
    });

    it.skipIf(process.platform !== 'linux')(
      'B137: runs in its own empty folder without files or variables of the environment that started it',
      async () => {
        const project = path.join(folder, 'project');
        mkdirSync(project);
        for (const name of ['.env', '.env.local', 'chroma.config', 'config.yaml'])
          writeFileSync(
            path.join(project, name),
            'CHROMA_PORT=nonsense\nodd key=1\n{{{\nIS_PERSISTENT=\u0000\n',
          );
        const odd = {
          CHROMA_SERVER_HTTP_PORT: 'nonsense',
          NODE_OPTIONS: '--no-warnings',
          CONFIG_PATH: '/nowhere',
        };
        const child = await startElsewhere({ cwd: project, env: odd });
        expect(await isAnswering(child.url)).toBe(true);
        const { pid } = lockOf(folder)!.server;
        const neutral = path.join(folder, 'run');
        expect(readlinkSync(`/proc/${pid}/cwd`)).toBe(neutral);
        expect(readdirSync(neutral)).toEqual([]);
        expect(readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean).toSorted()).toEqual([
          `HOME=${neutral}`,
          `USERPROFILE=${neutral}`,
        ]);
      },
    );

    it('ends when the process that started it is killed, and can be started again', async () => {
      const child = await startElsewhere();
      const { pid } = lockOf(folder)!.server;
      expect(isProcessAlive(pid)).toBe(true);
      child.process.kill('SIGKILL');
      await eventually(() => !isProcessAlive(pid));
      expect(await isAnswering(await start().address())).toBe(true);
      expect(lockOf(folder)!.owner.pid).toBe(process.pid);
    });

    it('is shared by all processes that use the same folder, and restarted by another when its owner ends', async () => {
      const child = await startElsewhere();
      const [first, second] = [start(), start()];
      expect(await first.address()).toBe(child.url);
      expect(await second.address()).toBe(child.url);
      await first.close();
      expect(await isAnswering(child.url)).toBe(true);
      child.process.kill('SIGTERM');
      await eventually(async () => !(await isAnswering(child.url)));
      const url = await eventually(async () => {
        const address = await second.address().catch(() => null);
        return address !== null && (await isAnswering(address)) && address;
      });
      expect(url).toBeTruthy();
      expect(lockOf(folder)!.owner.pid).toBe(process.pid);
    });

    it('is started once when several callers start it at the same time', async () => {
      const servers = Array.from({ length: 4 }, () => start());
      const elsewhere = startElsewhere();
      const urls = await Promise.all(servers.map((server) => server.address()));
      expect(new Set([...urls, (await elsewhere).url]).size).toBe(1);
    });

    it('is restarted with its stored data when it is killed', async () => {
      const server = start();
      const collections = '/api/v2/tenants/default_tenant/databases/default_database/collections';
      const url = await server.address();
      const created = await fetch(url + collections, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'kept' }),
      });
      expect(created.ok).toBe(true);
      const { pid } = lockOf(folder)!.server;
      process.kill(pid, 'SIGKILL');
      await eventually(() => !isProcessAlive(pid));
      const again = await eventually(async () => {
        const address = await server.address().catch(() => null);
        return address !== null && (await isAnswering(address)) && address;
      });
      expect(lockOf(folder)!.server.pid).not.toBe(pid);
      const kept = (await (await fetch(`${again}${collections}`)).json()) as { name: string }[];
      expect(kept.map(({ name }) => name)).toEqual(['kept']);
      expect(warnings.map(({ message }) => message)).toEqual([
        'the Chroma server has ended and is started again',
      ]);
    });

    it('rejects when another program listens on its port', async () => {
      const impostor = createServer((_, response) => response.end('{"nanosecond heartbeat":1}'));
      impostor.listen(0, '127.0.0.1');
      await once(impostor, 'listening');
      const { port } = impostor.address() as AddressInfo;
      await expect(start({ port }).address()).rejects.toMatchObject({
        code: 'search/vector-index-unavailable',
        message: expect.stringContaining(`port ${port} is taken`) as string,
      });
      impostor.close();
    });

    it('starts when lock files are stale or invalid', async () => {
      const gone = { owner: { pid: process.pid, startedAt: 'another day' }, server: null };
      writeFileSync(path.join(folder, 'server.3.lock'), JSON.stringify(gone));
      writeFileSync(path.join(folder, 'server.x.lock'), 'odd');
      expect(await isAnswering(await start().address())).toBe(true);
      expect(
        readdirSync(folder)
          .filter((name) => name.endsWith('.lock'))
          .toSorted(),
      ).toEqual(['server.4.lock', 'server.x.lock']);
    });
  },
);

describe('managed Chroma server that cannot be loaded', () => {
  it('rejects at once and is not started again when its bindings cannot be loaded', async () => {
    const broken = path.join(folder, 'bindings.node');
    writeFileSync(broken, 'no library');
    let longestSleepMs = 0;
    const clock: Clock = {
      now: systemClock.now,
      sleep(ms, options) {
        longestSleepMs = Math.max(longestSleepMs, ms);
        return systemClock.sleep(ms, options);
      },
    };
    const server = start({ bindings: broken }, clock);
    for (let round = 0; round < 2; round += 1)
      await expect(server.address()).rejects.toMatchObject({
        code: 'search/vector-index-unavailable',
        message: expect.stringContaining('cannot be loaded') as string,
      });
    await new Promise((resolve) => setImmediate(resolve));
    // The delay before another start is at least 500 ms.
    expect(longestSleepMs).toBeLessThan(500);
    expect(warnings).toHaveLength(1);
    expect(lockOf(folder)).toBeNull();
  });

  it('reports that the C library is too old when that is the cause', async () => {
    const old = path.join(folder, 'bindings.cjs');
    writeFileSync(old, `throw new Error("libc.so.6: version 'GLIBC_2.38' not found");`);
    await expect(start({ bindings: old }).address()).rejects.toMatchObject({
      code: 'search/vector-index-unavailable',
      message: expect.stringMatching(/C library is too old.*CLAUDE_MEM_CHROMA_URL.*flat/) as string,
    });
  });
});

async function startElsewhere({
  cwd = folder,
  env = {},
}: { cwd?: string; env?: Record<string, string> } = {}) {
  const child = spawn(process.execPath, [program, folder, realBindings!], {
    cwd,
    env: { PATH: '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  open.push({
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  });
  const [line] = (await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => ['it ended before it said where it is']),
  ])) as [Buffer | string];
  return { url: line.toString().trim(), process: child };
}

function lockOf(place: string) {
  const name = readdirSync(place).find((file) => /^server\.\d+\.lock$/.test(file));
  if (name === undefined) return null;
  return JSON.parse(readFileSync(path.join(place, name), 'utf8')) as {
    owner: { pid: number };
    server: { pid: number; port: number };
  };
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/v2/heartbeat`, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
}

async function eventually<Value>(attempt: () => Value | Promise<Value>): Promise<Value> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const value = await attempt();
    if (value || Date.now() > deadline) {
      expect(value).toBeTruthy();
      return value;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function outsideAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
}
