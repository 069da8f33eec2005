import { spawn, execFileSync, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  closeSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { loadDriver } from '@claude-mem/storage/driver';
import { bySize, inspectDatabase, peekDatabase } from '@claude-mem/testing';
import type { Health, HealthDetail } from '@claude-mem/worker-protocol';
import { hasOpenFile } from '@claude-mem/worker-protocol/local';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestHome, send, startTestWorker, until, type TestHome } from './testing/start-test-worker.js';

const app = resolve(import.meta.dirname, '..');
/** True in `npm test`, which builds the worker before the tests. */
const isBuilt = process.env['CLAUDE_MEM_TESTS_ARE_BUILT'] === '1';
const folder = join(app, isBuilt ? 'dist' : 'out-tsc');
const main = join(folder, 'main.js');

let home: TestHome;
let children: ChildProcess[];

beforeAll(() => {
  if (isBuilt) return;
  const { build } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8')).nx.targets;
  const command = build.command.replace('dist/main.js', 'out-tsc/main.js').split(' ').slice(1);
  execFileSync(process.execPath, command, { cwd: app });
}, 120_000);
beforeEach(() => {
  home = createTestHome();
  children = [];
});
afterEach(async () => {
  for (const child of children)
    if (child.exitCode === null && child.signalCode === null) await end(child, 'SIGKILL');
  home[Symbol.dispose]();
});

function start({
  program = main,
  args = [],
  env = {},
  detached = false,
}: { program?: string; args?: readonly string[]; env?: Record<string, string>; detached?: boolean } = {}) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'] ?? '', HOME: home.home, CLAUDE_MEM_WORKER_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
  });
  children.push(child);
  const printed = { text: '' };
  for (const output of [child.stdout, child.stderr])
    output.on('data', (chunk) => (printed.text += String(chunk)));
  return Object.assign(child, { printed });
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | string> {
  if (child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve(child.exitCode ?? String(child.signalCode));
  return new Promise((resolve) => {
    child.once('exit', (code, by) => resolve(code ?? String(by)));
    child.kill(signal);
  });
}

const ask = (request: Parameters<typeof send>[1]) => send({ socketPath: home.paths.socket }, request);
const health = () =>
  ask({ path: '/health' }).then(
    ({ json }) => json as Health,
    () => null,
  );
const ready = () => until(async () => (await health())?.ready === true);
const hasStatus = (...statuses: Health['status'][]) =>
  until(async () => {
    const state = await health();
    return state !== null && statuses.includes(state.status);
  });
const init = (contentSessionId: string) =>
  ask({
    method: 'POST',
    path: '/api/sessions/init',
    body: { contentSessionId, cwd: home.project, prompt: 'go' },
  });

/** Runs SQL on a second connection to the database. */
function onDatabase(...statements: readonly string[]): void {
  const database = loadDriver().open(home.paths.database, {});
  try {
    for (const statement of statements) database.exec(statement);
  } finally {
    database.close();
  }
}

/** Prevents other processes from writing to the database until disposal. */
function lockDatabase(): Disposable {
  const database = loadDriver().open(home.paths.database, {});
  database.exec('BEGIN IMMEDIATE');
  return { [Symbol.dispose]: () => void database.close() };
}

/** True while the worker waits for the database lock. SQLite blocks the event loop, so the worker does not answer. */
const isBlocked = () => Promise.race([health().then(() => false), setTimeout(200, true)]);

/** Creates a database with one session. */
async function createDatabase() {
  const worker = await startTestWorker({ home });
  await worker.ask({
    method: 'POST',
    path: '/api/sessions/init',
    body: { contentSessionId: 'first', cwd: home.project, prompt: 'go' },
  });
  await worker.stop();
}

describe('the worker process', { timeout: 120_000 }, () => {
  it('S03: uses settings and network variables of the environment only after a manual start', async () => {
    const env = {
      CLAUDE_MEM_PROVIDER: 'openai-compatible',
      CLAUDE_MEM_OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      CLAUDE_MEM_OPENAI_MODEL: 'small',
      CLAUDE_MEM_EXCLUDED_PROJECTS: '/nowhere',
      CLAUDE_MEM_WORKER_PORT: '0',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '*',
      node_extra_ca_certs: 'evil/ca.pem',
    };
    const fromEnvironment = async (args: readonly string[]) => {
      const worker = start({ env, args });
      await ready();
      const { items } = (await ask({ path: '/api/settings' })).json as {
        items: { key: string; source: string }[];
      };
      await end(worker, 'SIGTERM');
      return items.flatMap(({ key, source }) => (source === 'env' ? [key] : [])).toSorted();
    };
    expect(await fromEnvironment([])).toEqual([
      'CLAUDE_MEM_CA_FILE',
      'CLAUDE_MEM_EXCLUDED_PROJECTS',
      'CLAUDE_MEM_NO_PROXY',
      'CLAUDE_MEM_OPENAI_BASE_URL',
      'CLAUDE_MEM_OPENAI_MODEL',
      'CLAUDE_MEM_PROVIDER',
      'CLAUDE_MEM_PROXY',
      'CLAUDE_MEM_WORKER_PORT',
    ]);
    expect(await fromEnvironment(['--settings-file-only'])).toEqual(['CLAUDE_MEM_WORKER_PORT']);
  });

  // A worker that does not exit within two seconds exits with 1.
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'exits with 0 and removes its socket and state when it gets %s',
    async (signal) => {
      const worker = start();
      await ready();
      mkdirSync(home.paths.startupLock, { recursive: true });
      expect(await end(worker, signal)).toBe(0);
      for (const path of [home.paths.socket, home.paths.stateFile, home.paths.startupLock])
        expect(existsSync(path), path).toBe(false);
      expect(worker.printed.text).toBe('');
    },
  );

  it('B007: leaves no socket, state file or damaged database when it is stopped at any point of its startup', async () => {
    const { dataDir, lockFile, socket, database, stateFile } = home.paths;
    for (const path of [home.root, dataDir, lockFile, socket, stateFile, database]) {
      const worker = start();
      while (!existsSync(path)) await setTimeout(1);
      // SIGTERM ends the process directly until its first line has run.
      expect([0, 'SIGTERM'], path).toContain(await end(worker, 'SIGTERM'));
      expect(existsSync(socket)).toBe(false);
      expect(existsSync(stateFile)).toBe(false);
    }
    const worker = start();
    await ready();
    expect((await init('after')).status).toBe(200);
    await end(worker, 'SIGTERM');
    using peek = peekDatabase({ file: database });
    expect(peek.integrity()).toBe('ok');
  });

  it('B006: leaves exactly one worker when many are started at the same time', async () => {
    const count = bySize({ quick: 5, full: 20 });
    const workers = Array.from({ length: count }, () => start());
    await ready();
    await until(() => workers.filter(({ exitCode }) => exitCode === null).length === 1);
    expect(workers.filter(({ exitCode }) => exitCode === 0)).toHaveLength(count - 1);
    expect(workers.map(({ printed }) => printed.text).join('')).toBe('');
    const { pid } = (await health()) as Health;
    expect(workers.find(({ exitCode }) => exitCode === null)?.pid).toBe(pid);
    expect(JSON.parse(readFileSync(home.paths.stateFile, 'utf8'))).toMatchObject({ pid });
  });

  it('B001: runs without a TCP port, and reports the conflict, when the port is in use', async () => {
    const mute: Server = createServer(() => {});
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const { port } = mute.address() as { port: number };
    const worker = start({ env: { CLAUDE_MEM_WORKER_PORT: String(port) } });
    await ready();
    expect((await init('b001')).status).toBe(200);
    const detail = (await ask({ path: '/api/health' })).json as HealthDetail;
    expect(detail).toMatchObject({ status: 'degraded', ready: true, tcp: { isListening: false } });
    expect(detail.notices.join()).toContain(`Port ${port} is in use`);
    expect(JSON.parse(readFileSync(home.paths.stateFile, 'utf8'))).toMatchObject({
      pid: worker.pid,
      port: null,
    });
    mute.close();
  });

  it('B001: replaces the socket of a dead worker', async () => {
    await end(await startedAndReady(), 'SIGKILL');
    expect(existsSync(home.paths.socket)).toBe(true);
    start();
    await ready();
    expect((await init('again')).status).toBe(200);
  });

  it('P007: ends when its data directory was removed and another worker started there', async () => {
    const old = start();
    await ready();
    // The worker may still write to the file.
    rmSync(home.paths.dataDir, { recursive: true, maxRetries: 10, retryDelay: 20 });
    start();
    await until(() => old.signalCode === 'SIGKILL');
    await ready();
    expect((await init('anew')).status).toBe(200);
  });

  it('B002: starts when worker.json contains the process id of another program', async () => {
    const unrelated = spawn('sleep', ['600']);
    children.push(unrelated);
    mkdirSync(home.paths.dataDir, { recursive: true });
    writeFileSync(
      home.paths.stateFile,
      JSON.stringify({ pid: unrelated.pid, port: 1, socket: 'x', version: '9' }),
    );
    const worker = start();
    await ready();
    expect(JSON.parse(readFileSync(home.paths.stateFile, 'utf8'))).toMatchObject({ pid: worker.pid });
    expect(unrelated.exitCode).toBeNull();
  });

  it('B004: stores the event once when the database was locked at the start', async () => {
    await createDatabase();
    const answers: Awaited<ReturnType<typeof init>>[] = [];
    {
      using _lock = lockDatabase();
      start();
      await until(() => existsSync(home.paths.socket));
      await until(isBlocked);
    }
    await until(async () => answers[answers.push(await init('b004')) - 1]?.status === 200);
    for (const answer of answers.slice(0, -1))
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect((await ask({ path: '/api/stats' })).json).toMatchObject({ sessions: 2, prompts: 2 });
  });

  it('B044: stores all events that arrive while another process holds the lock', async () => {
    await startedAndReady();
    let events: Promise<{ status: number }[]>;
    {
      using _lock = lockDatabase();
      events = Promise.all(Array.from({ length: 10 }, (_, index) => init(`b044-${index}`)));
      await until(isBlocked);
    }
    expect((await events).map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await ask({ path: '/api/stats' })).json).toMatchObject({ sessions: 10 });
  });

  it('B005: is alive but not ready when the database cannot be opened, and reports the reason', async () => {
    mkdirSync(home.paths.database, { recursive: true });
    const worker = start();
    await hasStatus('failed');
    const state = (await health()) as Health;
    expect(state).toMatchObject({ live: true, ready: false, pid: worker.pid, queue: null });
    expect(state.reason).toContain(home.paths.database);
    const hook = { method: 'POST', path: '/api/hooks/claude-code/Stop', body: { session_id: 's' } };
    expect(await ask(hook)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(await end(worker, 'SIGTERM')).toBe(0);
  });

  it('B008: keeps running when its terminal closes, and holds no file or output of the terminal', async () => {
    const lock = openSync(join(home.root, 'lock'), 'w');
    const script = `"${process.execPath}" "${main}" & wait`;
    const terminal = spawn('sh', ['-c', `setsid ${script}`], {
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: home.home,
        CLAUDE_MEM_WORKER_PORT: '0',
        CLAUDE_MEM_LOG_LEVEL: 'debug',
      },
      stdio: ['ignore', 'pipe', 'pipe', lock],
      detached: true,
    });
    closeSync(lock);
    children.push(terminal);
    await ready();
    const { pid } = (await health()) as Health;
    expect(hasOpenFile(pid, join(home.root, 'lock'))).toBe(false);
    terminal.stdout?.destroy();
    terminal.stderr?.destroy();
    process.kill(-(terminal.pid as number), 'SIGHUP');
    expect((await init('b008')).status).toBe(200);
    expect(await health()).toMatchObject({ pid, ready: true });
    process.kill(pid, 'SIGTERM');
    await until(async () => (await health()) === null);
  });

  it('B031: reports a broken native module and its repair command in one line, and creates no database', async () => {
    const packed = join(home.root, 'packed');
    const broken = join(packed, 'node_modules', 'better-sqlite3');
    mkdirSync(join(packed, 'dist'), { recursive: true });
    mkdirSync(broken, { recursive: true });
    copyFileSync(main, join(packed, 'dist', 'main.js'));
    cpSync(join(folder, 'chunks'), join(packed, 'dist', 'chunks'), { recursive: true });
    writeFileSync(join(packed, 'package.json'), '{"type":"module","version":"1.2.3"}');
    writeFileSync(join(broken, 'package.json'), '{"name":"better-sqlite3","main":"index.js"}');
    writeFileSync(join(broken, 'garbage.node'), 'garbage');
    writeFileSync(
      join(broken, 'index.js'),
      "module.exports = function () { return require('./garbage.node'); };",
    );
    const program = join(packed, 'dist', 'main.js');
    const worker = start({ program });
    await hasStatus('failed');
    const state = (await health()) as Health;
    expect(state).toMatchObject({ live: true, ready: false, version: '1.2.3' });
    expect(state.reason).toMatch(/npm rebuild better-sqlite3/);
    expect(state.reason).not.toContain('\n');
    expect(existsSync(home.paths.database)).toBe(false);
    const second = start({ program });
    await until(() => second.exitCode !== null);
    expect(second.exitCode).toBe(0);
    expect(await health()).toMatchObject({ pid: worker.pid });
  });

  it('B040: is not ready when a database column is missing', async () => {
    await createDatabase();
    onDatabase('ALTER TABLE pending_messages DROP COLUMN last_error');
    start();
    await hasStatus('ok', 'degraded', 'failed');
    const state = (await health()) as Health;
    if (state.ready) expect((await init('b040')).status).toBe(200);
    else expect(state.reason).toContain('last_error');
  });

  it('B041: does not change a database of a newer version', async () => {
    await createDatabase();
    const version = inspectDatabase({ file: home.paths.database }, (peek) =>
      Number(peek.value('PRAGMA user_version')),
    );
    onDatabase(`PRAGMA user_version = ${version + 1_000}`, 'PRAGMA wal_checkpoint(TRUNCATE)');
    const hash = () => createHash('sha256').update(readFileSync(home.paths.database)).digest('hex');
    const before = hash();
    const worker = start();
    await hasStatus('failed');
    const state = (await health()) as Health;
    expect(state.reason).toMatch(/newer/);
    expect((await init('b041')).status).toBe(503);
    await end(worker, 'SIGTERM');
    expect(hash()).toBe(before);
  });

  it('B046: reports that a damaged database was quarantined', async () => {
    await createDatabase();
    const { size } = statSync(home.paths.database);
    const file = openSync(home.paths.database, 'r+');
    writeSync(file, Buffer.alloc(4_096, 0xab), 0, 4_096, Math.floor(size / 8_192) * 4_096);
    closeSync(file);
    start();
    await hasStatus('degraded', 'failed');
    const hook = await ask({
      method: 'POST',
      path: '/api/hooks/claude-code/Stop',
      body: { session_id: 's' },
    });
    expect([200, 503]).toContain(hook.status);
    const state = (await health()) as Health;
    expect(state.notices.join() + (state.reason ?? '')).toMatch(/damaged|corrupt/);
    expect(
      readdirSync(home.paths.dataDir).filter((name) => name.startsWith('claude-mem.db')).length,
    ).toBeGreaterThan(1);
  });

  it('drains the spool before it is ready', async () => {
    mkdirSync(home.paths.spoolDir, { recursive: true });
    for (let index = 0; index < 300; index += 1) {
      const payload = {
        session_id: 'spooled',
        cwd: home.project,
        tool_name: 'Bash',
        tool_use_id: `t${index}`,
      };
      writeFileSync(
        join(home.paths.spoolDir, `claude-code.PostToolUse.${index}.json`),
        `host: claude-code\nevent: PostToolUse\nevent-id: ${index}\n\n${JSON.stringify(payload)}`,
      );
    }
    start();
    await ready();
    expect(readdirSync(home.paths.spoolDir)).toEqual(['rejected']);
    expect((await health())?.queue).toMatchObject({ pending: 300 });
  });

  it('is reachable through the pointer file when the path of the data directory is too long for a socket', async () => {
    home[Symbol.dispose]();
    home = createTestHome({ dataDir: `${'long-'.repeat(20)}dir` });
    start({ env: { CLAUDE_MEM_DATA_DIR: home.paths.dataDir } });
    await until(() => existsSync(home.paths.socketPointer));
    const socketPath = readFileSync(home.paths.socketPointer, 'utf8').trim();
    await until(async () => {
      const answer = await send({ socketPath }, { path: '/health' }).catch(() => null);
      return (answer?.json as Health | undefined)?.ready === true;
    });
    expect(statSync(resolve(socketPath, '..')).mode & 0o777).toBe(0o700);
    for (const child of children) await end(child, 'SIGTERM');
    expect([existsSync(socketPath), existsSync(home.paths.socketPointer)]).toEqual([false, false]);
    rmSync(home.root, { recursive: true, force: true });
  });

  it('B028: contains no path of its source folder in its bundle', async () => {
    expect(readFileSync(main, 'utf8')).not.toContain(resolve(app, '..', '..'));
  });
});

async function startedAndReady() {
  const worker = start();
  await ready();
  return worker;
}
