import { join } from 'node:path';
import type { ContextReply } from '@claude-mem/worker-protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFakeWorker } from '../testing/fake-worker.js';
import { createTestHome, type TestHome } from '../testing/run-inside.js';

let home: TestHome;
beforeEach(() => (home = createTestHome()));
afterEach(() => home[Symbol.dispose]());

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const entryOf = (id: number) => ({ id, title: 'Vouchers', type: 'bugfix', tokens: 45 });

const REPLY: ContextReply = {
  project: { key: '/repos/shop', name: 'shop' },
  text: '<claude-mem-context>\n| #9 | 2026-11-27 | 🐛 | Vouchers | ~45 |\n</claude-mem-context>',
  tokens: 31,
  maxTokens: 1_200,
  shown: [entryOf(9)],
  skipped: [],
  total: 12,
  statements: 0,
  offReason: null,
  reason: null,
};

/** Runs the command with a worker that returns this preview. Returns the output and the request. */
async function show(
  argv: readonly string[],
  { stdin, ...reply }: Partial<ContextReply> & { stdin?: string } = {},
) {
  await using worker = await startFakeWorker(join(home.dataDir, 'worker.sock'), ({ path }, response) => {
    response.setHeader('content-type', 'application/json');
    const isHealth = path.startsWith('/health');
    response.end(JSON.stringify(isHealth ? { version: '0.0.0' } : { ...REPLY, ...reply }));
  });
  const run = await home.run(['context', ...argv], stdin);
  const asked = worker.received.map(({ path }) => path).find((path) => /^\/api\/(context|hooks)/.test(path));
  const { pathname, searchParams } = new URL(asked ?? '/', 'http://localhost');
  return { ...run, asked: pathname, query: Object.fromEntries(searchParams) };
}

describe('claude-mem context', () => {
  it('prints the text to stdout, and the tokens and the skipped records to stderr', async () => {
    const skipped = [
      ...[1, 2, 3, 4, 5, 6, 7].map((id) => ({ ...entryOf(id), reason: 'no room' })),
      { ...entryOf(8), reason: 'superseded by #9' },
      { ...entryOf(10), reason: 'superseded by #12' },
    ];
    const { exit, stdout, stderr, query } = await show(['--preview'], { total: 10, skipped: skipped });
    expect(exit).toBe(0);
    expect(stdout).toBe(`${REPLY.text}\n`);
    expect(stderr.trim().split('\n')).toEqual([
      'shop: 1 of 10 records, about 31 tokens',
      'Skipped, no room: #1, #2, #3, #4, #5 and 2 more',
      'Skipped, superseded by another: #8, #10',
    ]);
    expect(query).toEqual({ cwd: home.project, timeZone, host: 'claude-code' });
    const inCursor = await show(['--preview', '--host', 'cursor']);
    expect(inCursor.query).toEqual({ cwd: home.project, timeZone, host: 'cursor' });
    const old = await show([], { total: 500, skipped: skipped });
    expect(old.stderr).toContain('Skipped, too old: 490\n');
  });

  it('previews recall and file history, and the reason when nothing is injected', async () => {
    const empty = { text: '', shown: [], tokens: 0, total: 0, reason: 'No record matches.' };
    const off = (key: string) => ({ offReason: `${key} is off` });
    const recall = await show(['--prompt', 'why vouchers?'], {
      ...empty,
      ...off('CLAUDE_MEM_RECALL_ON_PROMPT'),
    });
    expect(recall).toMatchObject({ exit: 0, stdout: 'Nothing to inject. No record matches.\n' });
    expect(recall.stderr).toBe('Not injected: CLAUDE_MEM_RECALL_ON_PROMPT is off.\n');
    expect(recall.query).toEqual({
      cwd: home.project,
      timeZone,
      host: 'claude-code',
      prompt: 'why vouchers?',
    });
    const history = await show(['--file', 'src/cart.ts'], off('CLAUDE_MEM_FILE_HISTORY'));
    expect(history.stdout).toBe(`${REPLY.text}\n`);
    expect(history.stderr).toMatch(/^shop: 1 record, about 31 tokens\n/);
    expect(history.stderr).toContain('CLAUDE_MEM_FILE_HISTORY is off');
    expect(history.query).toEqual({ cwd: home.project, timeZone, host: 'claude-code', file: 'src/cart.ts' });
    expect(await show(['--prompt', 'a', '--file', 'b'])).toMatchObject({ exit: 2, query: {} });
  });

  it('prints the number of statements from conversations', async () => {
    const statements = await show(['--prompt', 'why vouchers?'], { statements: 5, shown: [], total: 0 });
    expect(statements.stderr).toBe('shop: 5 statements, 0 records, about 31 tokens\n');
    const both = await show(['--prompt', 'why vouchers?'], { statements: 1 });
    expect(both.stderr).toBe('shop: 1 statement, 1 record, about 31 tokens\n');
  });

  it.each([
    ['empty stdin', ''],
    ['plain text', 'a list\nof files\n'],
    ['a JSON array', '["a"]\n'],
  ])('prints the preview when stdin contains no event: %s', async (_, stdin) => {
    const shown = await show([], { stdin });
    expect(shown).toMatchObject({ exit: 0, stdout: `${REPLY.text}\n`, asked: '/api/context' });
  });

  it('prints the preview when stdin stays open and empty', async () => {
    await using worker = await startFakeWorker(join(home.dataDir, 'worker.sock'), (_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(REPLY));
    });
    expect(await home.leaveOpen(['context'])).toMatchObject({ exit: 0, stdout: `${REPLY.text}\n` });
    expect(worker.received.map(({ path }) => path)).toEqual([expect.stringMatching(/^\/api\/context/)]);
  });

  it.each([
    ['an event', [], '{"session_id":"a"}'],
    ['an event with a byte order mark', [], '\uFEFF {"session_id":"a"}'],
    ['--host and empty stdin', ['--host', 'cursor'], ''],
  ])('runs as the session start hook when it gets %s', async (_, argv, stdin) => {
    const { exit, stdout, stderr, asked } = await show(argv, { stdin });
    const event = argv.length === 0 ? 'claude-code/SessionStart' : 'cursor/sessionStart';
    expect({ exit, stderr, asked }).toEqual({ exit: 0, stderr: '', asked: `/api/hooks/${event}` });
    expect(stdout).toBe(JSON.stringify(REPLY));
  });

  it('exits with 0 when a hook call has invalid options, and with 2 when another call has them', async () => {
    expect(await show(['--host', 'cursor', '--hots'], { stdin: '{}' })).toMatchObject({
      exit: 0,
      stderr: '',
    });
    expect(await show(['--hots'], {})).toMatchObject({ exit: 2 });
    expect(await show(['--host', 'cursor', '--json', '--prompt', 'a', '--file=b'])).toMatchObject({
      exit: 2,
    });
  });

  it('ignores stdin when an option requests a preview', async () => {
    for (const argv of [['--preview'], ['--json'], ['--prompt', 'a'], ['--file', 'a']])
      expect(await show(argv, { stdin: '{"session_id":"a"}' })).toMatchObject({ asked: '/api/context' });
  });

  it('reports that nothing is injected when claude-mem is disabled in the environment', async () => {
    home.env['CLAUDE_MEM_ENABLED'] = 'false';
    const { stdout, stderr } = await show([]);
    expect(stdout).toBe(`${REPLY.text}\n`);
    expect(stderr).toContain('Not injected: claude-mem is disabled in this environment.');
  });

  it('prints the complete preview with --json', async () => {
    const { stdout } = await show(['--json']);
    expect(JSON.parse(stdout)).toEqual(REPLY);
  });
});
