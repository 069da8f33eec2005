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
import { loadDriver } from '@claude-mem/storage/driver';
import type { Health, HealthDetail } from '@claude-mem/worker-protocol';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestHome, send, until, type TestHome } from './testing/start-test-worker.js';

const app = resolve(import.meta.dirname, '..');
const main = join(app, 'out-tsc', 'main.js');
const sqlite = loadDriver().location;

let home: TestHome;
let children: ChildProcess[];

beforeAll(() => {
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
  env = {},
  detached = false,
}: { program?: string; env?: Record<string, string>; detached?: boolean } = {}) {
  const child = spawn(process.execPath, [program], {
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
const live = () => until(async () => (await health()) !== null, 30_000);
const ready = () => until(async () => (await health())?.ready === true, 30_000);
const init = (contentSessionId: string) =>
  ask({
    method: 'POST',
    path: '/api/sessions/init',
    body: { contentSessionId, cwd: home.project, prompt: 'go' },
  });

/** Runs a little program on the database in a process of its own; resolves once it has printed `go`. */
function onDatabase(script: string): Promise<ChildProcess> {
  const text = `const db = new (require(${JSON.stringify(sqlite)}))(${JSON.stringify(home.paths.database)}); ${script}`;
  const child = spawn(process.execPath, ['-e', text], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return new Promise((resolve, reject) => {
    child.stdout.once('data', () => resolve(child));
    child.once('exit', (code) => (code === 0 ? resolve(child) : reject(new Error(`ended with ${code}`))));
  });
}

async function makeDatabase() {
  const worker = start();
  await ready();
  await init('first');
  await end(worker, 'SIGTERM');
}

const integrity = () =>
  execFileSync(
    process.execPath,
    [
      '-e',
      `const db = new (require(${JSON.stringify(sqlite)}))(${JSON.stringify(home.paths.database)}); console.log(db.pragma('integrity_check', { simple: true }))`,
    ],
    { encoding: 'utf8' },
  ).trim();

describe('the worker as a process', { timeout: 120_000 }, () => {
  it('ends cleanly at SIGTERM, SIGINT and SIGHUP, within two seconds, and leaves nothing', async () => {
    const took: number[] = [];
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      const worker = start();
      await ready();
      mkdirSync(home.paths.startGate, { recursive: true });
      const started = performance.now();
      worker.kill(signal);
      expect(await end(worker, signal)).toBe(0);
      took.push(performance.now() - started);
      for (const path of [home.paths.socket, home.paths.stateFile, home.paths.startGate])
        expect(existsSync(path), path).toBe(false);
      expect(worker.printed.text).toBe('');
    }
    // the quickest: another program on the machine may hold up one of them
    expect(Math.min(...took)).toBeLessThan(2_000);
  });

  it('B007: ends cleanly at any moment of its start', async () => {
    for (const wait of [0, 50, 100, 150, 200, 300, 500]) {
      const worker = start();
      await new Promise((resolve) => setTimeout(resolve, wait));
      const how = await end(worker, 'SIGTERM');
      // before its first line ran there was nothing to undo
      expect([0, 'SIGTERM'], `after ${wait} ms`).toContain(how);
      expect(existsSync(home.paths.socket)).toBe(false);
      expect(existsSync(home.paths.stateFile)).toBe(false);
    }
    const worker = start();
    await ready();
    expect((await init('after')).status).toBe(200);
    await end(worker, 'SIGTERM');
    expect(integrity()).toBe('ok');
  });

  it('B006: is one, however many are started at the same instant', async () => {
    const workers = Array.from({ length: 20 }, () => start());
    await ready();
    await until(() => workers.filter(({ exitCode }) => exitCode === null).length === 1, 60_000);
    expect(workers.filter(({ exitCode }) => exitCode === 0)).toHaveLength(19);
    expect(workers.map(({ printed }) => printed.text).join('')).toBe('');
    const { pid } = (await health()) as Health;
    expect(workers.find(({ exitCode }) => exitCode === null)?.pid).toBe(pid);
    expect(JSON.parse(readFileSync(home.paths.stateFile, 'utf8'))).toMatchObject({ pid });
  });

  it('B001: works without its port, says so, and is not restarted over it', async () => {
    const mute: Server = createServer(() => {});
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const { port } = mute.address() as { port: number };
    const worker = start({ env: { CLAUDE_MEM_WORKER_PORT: String(port) } });
    await ready();
    expect((await init('b001')).status).toBe(200);
    const detail = (await ask({ path: '/api/health' })).json as HealthDetail;
    expect(detail).toMatchObject({ status: 'degraded', ready: true, tcp: { isListening: false } });
    expect(detail.notices.join()).toContain(`Port ${port} is taken`);
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

  it('P007: gives way when its data directory was removed and another worker began there', async () => {
    const old = start();
    await ready();
    rmSync(home.paths.dataDir, { recursive: true });
    start();
    await until(() => old.signalCode === 'SIGKILL');
    await ready();
    expect((await init('anew')).status).toBe(200);
  }, 40_000);

  it('B002: believes no process id', async () => {
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

  it('B004: waits for a lock on the database, says so, and stores the event once', async () => {
    await makeDatabase();
    await onDatabase(
      "db.exec('BEGIN IMMEDIATE'); console.log('go'); setTimeout(() => db.exec('ROLLBACK'), 3000)",
    );
    start();
    await live();
    const answers: number[] = [];
    await until(async () => {
      const answer = await init('b004');
      answers.push(answer.status);
      if (answer.status === 503) expect(answer.headers['retry-after']).toBe('1');
      return answer.status === 200;
    });
    expect(new Set(answers.slice(0, -1))).toSatisfy((seen: Set<number>) =>
      [...seen].every((status) => status === 503),
    );
    expect((await ask({ path: '/api/stats' })).json).toMatchObject({ sessions: 2, prompts: 2 });
  });

  it('B044: stores all events that come in while another process holds the lock', async () => {
    await startedAndReady();
    await onDatabase(
      "db.exec('BEGIN IMMEDIATE'); console.log('go'); setTimeout(() => db.exec('ROLLBACK'), 3000)",
    );
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => init(`b044-${index}`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await ask({ path: '/api/stats' })).json).toMatchObject({ sessions: 10 });
  });

  it('B005: is alive but not ready when the database cannot be opened, and says why', async () => {
    mkdirSync(home.paths.database, { recursive: true });
    const worker = start();
    await until(async () => (await health())?.status === 'failed', 30_000);
    const state = (await health()) as Health;
    expect(state).toMatchObject({ live: true, ready: false, pid: worker.pid, queue: null });
    expect(state.reason).toContain(home.paths.database);
    const took: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const started = performance.now();
      const hook = await ask({
        method: 'POST',
        path: '/api/hooks/claude-code/Stop',
        body: { session_id: 's' },
      });
      expect(hook).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
      took.push(performance.now() - started);
    }
    expect(Math.min(...took)).toBeLessThan(1_000);
    expect(await end(worker, 'SIGTERM')).toBe(0);
  });

  it('B008: outlives the terminal it was started from, and a closed output', async () => {
    const script = `"${process.execPath}" "${main}" & wait`;
    const terminal = spawn('sh', ['-c', `setsid ${script}`], {
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: home.home,
        CLAUDE_MEM_WORKER_PORT: '0',
        CLAUDE_MEM_LOG_LEVEL: 'debug',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    children.push(terminal);
    await ready();
    const { pid } = (await health()) as Health;
    terminal.stdout.destroy();
    terminal.stderr.destroy();
    process.kill(-(terminal.pid as number), 'SIGHUP');
    expect((await init('b008')).status).toBe(200);
    expect(await health()).toMatchObject({ pid, ready: true });
    process.kill(pid, 'SIGTERM');
    await until(async () => (await health()) === null);
  });

  it('B031: says in one line what is wrong with a native module, and how to repair it; touches no data', async () => {
    const packed = join(home.root, 'packed');
    const broken = join(packed, 'node_modules', 'better-sqlite3');
    mkdirSync(join(packed, 'dist'), { recursive: true });
    mkdirSync(broken, { recursive: true });
    copyFileSync(main, join(packed, 'dist', 'main.js'));
    cpSync(join(app, 'out-tsc', 'chunks'), join(packed, 'dist', 'chunks'), { recursive: true });
    writeFileSync(join(packed, 'package.json'), '{"type":"module","version":"1.2.3"}');
    writeFileSync(join(broken, 'package.json'), '{"name":"better-sqlite3","main":"index.js"}');
    writeFileSync(join(broken, 'garbage.node'), 'garbage');
    writeFileSync(
      join(broken, 'index.js'),
      "module.exports = function () { return require('./garbage.node'); };",
    );
    const program = join(packed, 'dist', 'main.js');
    const worker = start({ program });
    await until(async () => (await health())?.status === 'failed', 30_000);
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

  it('B040: is never green with a column missing', async () => {
    await makeDatabase();
    await onDatabase("db.exec('ALTER TABLE pending_messages DROP COLUMN last_error'); console.log('go')");
    start();
    await until(async () => ['ok', 'degraded', 'failed'].includes((await health())?.status ?? ''), 30_000);
    const state = (await health()) as Health;
    if (state.ready) expect((await init('b040')).status).toBe(200);
    else expect(state.reason).toContain('last_error');
  });

  it('B041: writes nothing into a database of a newer version', async () => {
    await makeDatabase();
    await onDatabase(
      "const v = db.pragma('user_version', { simple: true }); db.pragma('user_version = ' + (v + 1000)); db.pragma('wal_checkpoint(TRUNCATE)'); db.close(); console.log('go')",
    );
    const hash = () => createHash('sha256').update(readFileSync(home.paths.database)).digest('hex');
    const before = hash();
    const worker = start();
    await until(async () => (await health())?.status === 'failed', 30_000);
    const state = (await health()) as Health;
    expect(state.reason).toMatch(/newer/);
    expect((await init('b041')).status).toBe(503);
    await end(worker, 'SIGTERM');
    expect(hash()).toBe(before);
  });

  it('B046: says that a damaged database was set aside', async () => {
    await makeDatabase();
    const { size } = statSync(home.paths.database);
    const file = openSync(home.paths.database, 'r+');
    writeSync(file, Buffer.alloc(4_096, 0xab), 0, 4_096, Math.floor(size / 8_192) * 4_096);
    closeSync(file);
    start();
    await until(async () => ['degraded', 'failed'].includes((await health())?.status ?? ''), 60_000);
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

  it('is found through its pointer where the data directory is too long for a socket', async () => {
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

  it('B028: runs away from its source', async () => {
    expect(readFileSync(main, 'utf8')).not.toContain(resolve(app, '..', '..'));
  });
});

async function startedAndReady() {
  const worker = start();
  await ready();
  return worker;
}
