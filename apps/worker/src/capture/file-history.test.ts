import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadDriver } from '@claude-mem/storage/driver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openContextWorker, recordsIn } from '../testing/open-context-worker.js';
import { until } from '../testing/start-test-worker.js';

const context = await openContextWorker();
const { worker, project } = context;
afterAll(() => context[Symbol.asyncDispose]());

describe('file history', { timeout: 60_000 }, () => {
  beforeAll(() => {
    writeFileSync(join(worker.home.home, 'outside.ts'), 'export {};\n');
    symlinkSync(join(worker.home.home, 'outside.ts'), join(project, 'src', 'link.ts'));
  });

  it('B165: provides nothing to a sub-agent', async () => {
    const inAgent = { agent_id: 'a1', agent_type: 'Explore' };
    const path = join(project, 'src', 'cart.ts');
    expect(await context.read('helper', path, inAgent)).toBe('');
    expect(await context.start('helper', 'startup', inAgent)).toBe('');
    expect(
      await context.contextOf('UserPromptSubmit', 'helper', {
        prompt: 'voucher total of the cart',
        ...inAgent,
      }),
    ).toBe('');
    expect(await context.poll(() => context.read('helper', path))).toContain('Vouchers');
  });

  it('answers a file read with the history of the file once per session, and stores nothing before the answer', async () => {
    const path = join(project, 'src', 'cart.ts');
    const stats = async () => (await worker.ask({ path: '/api/stats' })).json;
    const before = await stats();
    const text = await context.poll(() => context.read('reader', path));
    expect(text).toContain('recorded about `src/cart.ts`');
    expect(recordsIn(text).length).toBeGreaterThan(0);
    expect(recordsIn(text).length).toBeLessThanOrEqual(5);
    expect(await context.read('reader', path)).toBe('');
    expect(await context.poll(() => context.read('other reader', 'src/cart.ts'))).toBe(text);
    expect(await stats()).toEqual(before);
  });

  it('stores a file read from the spool after its answer', async () => {
    const { spoolDir } = worker.home.paths;
    const payload = {
      session_id: 'spooled reader',
      cwd: project,
      tool_name: 'Read',
      tool_use_id: 'spooled-read',
      tool_input: { file_path: join(project, 'src', 'cart.ts') },
      tool_response: {},
    };
    const body = `host: claude-code\nevent: FileRead\nevent-id: read-1\n\n${JSON.stringify(payload)}`;
    const file = join(spoolDir, 'claude-code.FileRead.read-1.tmp');
    writeFileSync(file, body);
    const before = await context.capturedEvents();
    const { text } = await worker.hook('FileRead', body, { 'content-type': 'application/x-claude-mem-hook' });
    expect(text).toContain('"PostToolUse"');
    expect(existsSync(file)).toBe(false);
    await until(async () => (await context.capturedEvents()) === before + 1);
    expect(existsSync(file.replace('.tmp', '.json'))).toBe(false);
    await context.hook('Stop', 'spooled reader', { last_assistant_message: 'The file was read.' });
    await worker.drained();
  });

  it('stores a file read before its answer when the request has no event in the spool', async () => {
    const before = await context.capturedEvents();
    await context.hook('FileRead', 'reader over http', {
      tool_name: 'Read',
      tool_use_id: 'read-over-http',
      tool_input: { file_path: join(project, 'src', 'cart.ts') },
      tool_response: {},
    });
    expect(await context.capturedEvents()).toBe(before + 1);
    await context.hook('Stop', 'reader over http', { last_assistant_message: 'The file was read.' });
    await worker.drained();
  });

  it('provides nothing when no record names the file or the file is outside the project', async () => {
    expect(await context.read('elsewhere', join(project, 'cart.ts'))).toBe('');
    expect(await context.read('elsewhere', join(project, 'src', 'cart.ts.bak'))).toBe('');
    expect(await context.read('elsewhere', join(worker.home.home, 'outside.ts'))).toBe('');
    expect(await context.read('elsewhere', join(project, 'src', 'link.ts'))).toBe('');
    expect(await context.poll(() => context.read('elsewhere', `${project}/../demo/src/cart.ts`))).toContain(
      'Vouchers',
    );
  });

  it('provides no record twice in a session, and no record of the session itself', async () => {
    await context.start('known', 'startup');
    expect(await context.read('known', join(project, 'src', 'cart.ts'))).toBe('');
    await context.work(
      'doer',
      'Money is kept in whole cents since floats made two invoices differ.',
      'src/money.ts',
    );
    expect(await context.read('doer', join(project, 'src', 'money.ts'))).toBe('');
    expect(await context.poll(() => context.read('next', join(project, 'src', 'money.ts')))).toContain(
      'cents',
    );
  });

  it('provides the records of the session itself first when the session was compacted', async () => {
    await context.work(
      'long',
      'The export streams rows, since all of them did not fit into memory.',
      'src/export.ts',
    );
    expect(await context.start('long', 'compact')).toContain('export streams rows');
    expect(await context.read('long', join(project, 'src', 'export.ts'))).toBe('');
  });

  it('B164: provides context and file history without waiting for the lock when another process writes', async () => {
    const logs = () =>
      readdirSync(worker.home.paths.logsDir).map((name) =>
        readFileSync(join(worker.home.paths.logsDir, name), 'utf8'),
      );
    const busy = loadDriver().open(worker.home.paths.database, {});
    try {
      busy.exec('BEGIN IMMEDIATE');
      const path = join(project, 'src', 'cart.ts');
      expect(await context.poll(() => context.read('beside a writer', path))).toContain('Vouchers');
      expect((await context.preview({})).text).toContain('Vouchers');
    } finally {
      busy.close();
    }
    // a write would wait for the lock and fail
    expect(logs().join()).not.toMatch(/storage\/busy|locked/);
  });
});
