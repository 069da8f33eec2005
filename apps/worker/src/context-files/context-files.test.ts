import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKER_TOKEN_HEADER } from '@claude-mem/worker-protocol';
import { describe, expect, it } from 'vitest';
import { startTestWorker, until, type TestWorker } from '../testing/start-test-worker.js';

const RULES = '.cursor/rules/claude-mem-context.mdc';

describe('context files', { timeout: 60_000 }, () => {
  it('B153: are not created in a session with the default settings', async () => {
    await using worker = await startInRepository({});
    await work(worker, 'one');
    await start(worker, 'two');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(git(worker, 'status', '--porcelain', '--ignored')).toBe('');
    expect(existsSync(worker.home.paths.contextFilesLedger)).toBe(false);
  });

  it('contain new records after a turn, and those records are not injected at the session start', async () => {
    await using worker = await startInRepository({ CLAUDE_MEM_CLAUDE_MD: true });
    const file = join(worker.home.project, 'CLAUDE.md');
    writeFileSync(file, 'Use tabs.\n');
    utimesSync(file, 1, 1);
    await work(worker, 'one');
    await until(() => readFileSync(file, 'utf8').includes('voucher'));
    expect(readFileSync(file, 'utf8')).toMatch(/^Use tabs\.\n\n<claude-mem-context>\n## Recent Memory\n/);
    await kept(worker);
    await expect.poll(() => start(worker, newSession())).toBe('');
    const preview = async (host: string) => {
      const query = new URLSearchParams({ cwd: worker.home.project, host });
      const { json } = await worker.ask({ path: `/api/context?${query}` });
      return json as { text: string; reason: string | null; skipped: { reason: string }[] };
    };
    expect(await preview('claude-code')).toMatchObject({
      text: '',
      reason: null,
      skipped: [{ reason: 'in a file that the host reads itself' }],
    });
    expect((await preview('cursor')).text).toContain('voucher');
    expect(await startInCursor(worker, 'c1')).toContain('voucher');
  });

  it('no longer contain a record after it is deleted, and are removed when their settings are turned off', async () => {
    await using worker = await startInRepository({
      CLAUDE_MEM_CLAUDE_MD: true,
      CLAUDE_MEM_CLAUDE_MD_FOLDERS: true,
    });
    const file = join(worker.home.project, 'CLAUDE.md');
    const inFolder = join(worker.home.project, 'src', 'CLAUDE.md');
    await work(worker, 'one');
    await until(() => existsSync(file) && existsSync(inFolder));
    expect(git(worker, 'status', '--porcelain')).toBe('');
    const remembered = await post(worker, '/api/memory', {
      title: 'The tax is always rounded up',
      cwd: worker.home.project,
    });
    await until(() => readFileSync(file, 'utf8').includes('rounded up'));
    const { observation } = remembered as { observation: { id: number } };
    await post(worker, '/api/memory/forget', { ids: [observation.id], confirm: true });
    await until(() => !readFileSync(file, 'utf8').includes('rounded up'));
    await post(worker, '/api/settings', { CLAUDE_MEM_CLAUDE_MD: false, CLAUDE_MEM_CLAUDE_MD_FOLDERS: false });
    await until(() => !existsSync(file) && !existsSync(inFolder));
    const exclude = join(worker.home.project, '.git', 'info', 'exclude');
    await until(() => !readFileSync(exclude, 'utf8').includes('CLAUDE'));
  });

  it('are removed and restored on request', async () => {
    await using worker = await startInRepository({ CLAUDE_MEM_CURSOR_RULES: 'true' });
    await work(worker, 'one');
    const file = join(worker.home.project, RULES);
    await kept(worker);
    const cwd = worker.home.project;
    const list = async () =>
      (await worker.ask({ path: `/api/context/files?cwd=${encodeURIComponent(cwd)}` })).json;
    expect(await list()).toMatchObject({ root: cwd, files: [{ path: RULES, state: 'kept' }] });
    await expect.poll(() => startInCursor(worker, newSession())).not.toContain('voucher');
    await post(worker, '/api/context/files', { cwd, action: 'remove' });
    expect(await startInCursor(worker, 'c2')).toContain('voucher');
    expect(existsSync(file)).toBe(false);
    expect(await list()).toMatchObject({ files: [{ path: RULES, state: 'away' }] });
    expect(await post(worker, '/api/context/files', { cwd, action: 'restore' })).toMatchObject({
      files: [{ path: RULES, state: 'kept' }],
    });
    expect(existsSync(file)).toBe(true);
  });

  it('are removed when their project becomes excluded', async () => {
    await using worker = await startInRepository({ CLAUDE_MEM_CLAUDE_MD: true });
    await work(worker, 'one');
    await kept(worker);
    await post(worker, '/api/settings', { CLAUDE_MEM_EXCLUDED_PROJECTS: ['**/demo'] });
    await until(() => !existsSync(join(worker.home.project, 'CLAUDE.md')));
  });

  it('have their claude-mem block removed from captured output when an agent prints a file', async () => {
    await using worker = await startInRepository({ CLAUDE_MEM_CLAUDE_MD: true });
    await work(worker, 'one');
    const file = join(worker.home.project, 'CLAUDE.md');
    await until(() => existsSync(file));
    const lines = readFileSync(file, 'utf8').split('\n');
    await worker.hook('PostToolUse', {
      session_id: 'two',
      cwd: worker.home.project,
      tool_name: 'Bash',
      tool_use_id: 'cat',
      tool_input: { command: 'cat CLAUDE.md; echo over' },
      tool_response: { stdout: lines.map((line, at) => `${at + 1}\t${line}`).join('\n') + '\nover' },
    });
    const queue = JSON.stringify((await worker.ask({ path: '/api/queue' })).json);
    expect(queue).toContain('cat CLAUDE.md');
    expect(queue).toContain('over');
    expect(queue).not.toMatch(/voucher/i);
  });

  it('are reported in health when a file cannot be changed', async () => {
    await using worker = await startInRepository({ CLAUDE_MEM_CLAUDE_MD: true });
    const file = join(worker.home.project, 'CLAUDE.md');
    const text = 'Rules.\n<claude-mem-context>\nnever closed\n';
    writeFileSync(file, text);
    await work(worker, 'one');
    await until(async () =>
      (await worker.health()).notices.some((notice) => notice.includes('CLAUDE.md was skipped')),
    );
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});

async function startInRepository(settings: Record<string, unknown>): Promise<TestWorker> {
  const worker = await startTestWorker({ settings });
  const { project } = worker.home;
  mkdirSync(join(project, 'src'));
  writeFileSync(join(project, 'src', 'cart.ts'), 'export {};\n');
  git(worker, 'init', '-q', '-b', 'main');
  git(worker, 'add', '-A');
  git(worker, 'commit', '-qm', 'Begin');
  return worker;
}

function git({ home }: TestWorker, ...args: string[]): string {
  const own = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const env = { PATH: process.env['PATH'], HOME: home.home, GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', [...own, ...args], { cwd: home.project, env, stdio: 'pipe' }).toString();
}

/** One turn that edits src/cart.ts, observed. */
async function work(worker: TestWorker, session_id: string) {
  const file = join(worker.home.project, 'src', 'cart.ts');
  const fields = { session_id, cwd: worker.home.project };
  await worker.hook('UserPromptSubmit', { ...fields, prompt: 'Fix the voucher total of the cart' });
  await worker.hook('PostToolUse', {
    ...fields,
    tool_name: 'Edit',
    tool_use_id: `edit-${session_id}`,
    tool_input: { file_path: file, old_string: 'a', new_string: 'b' },
    tool_response: { filePath: file, success: true },
  });
  const last_assistant_message =
    'Vouchers were lost when the currency changed; the voucher total is applied last now.';
  await worker.hook('Stop', { ...fields, last_assistant_message });
  await worker.drained();
}

/**
 * A file is written again for each part of a turn: a session that starts before the last part is told what is newer.
 */
let sessions = 0;
const newSession = () => `later-${(sessions += 1)}`;

/** Waits until everything is written. */
const kept = (worker: TestWorker) =>
  until(async () => {
    const cwd = encodeURIComponent(worker.home.project);
    const { json } = await worker.ask({ path: `/api/context/files?cwd=${cwd}` });
    const { files } = json as { files: { records: number }[] };
    return files.length > 0 && files.every(({ records }) => records > 0);
  });

async function start(worker: TestWorker, session_id: string): Promise<string> {
  const { text } = await worker.hook('SessionStart', {
    session_id,
    cwd: worker.home.project,
    source: 'startup',
  });
  const answer =
    text === '' ? {} : (JSON.parse(text) as { hookSpecificOutput?: { additionalContext: string } });
  return answer.hookSpecificOutput?.additionalContext ?? '';
}

async function startInCursor(worker: TestWorker, id: string): Promise<string> {
  const body = {
    hook_event_name: 'sessionStart',
    conversation_id: id,
    session_id: id,
    workspace_roots: [worker.home.project],
  };
  return (await worker.ask({ method: 'POST', path: '/api/hooks/cursor/sessionStart', body })).text;
}

async function post(worker: TestWorker, path: string, body: unknown): Promise<unknown> {
  const headers = { [WORKER_TOKEN_HEADER]: readFileSync(worker.home.paths.tokenFile, 'utf8').trim() };
  const answer = await worker.ask({ method: 'POST', path, body, headers });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}
