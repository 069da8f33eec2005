import { join } from 'node:path';
import type { ContextReply } from '@claude-mem/worker-protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFakeWorker } from '../testing/fake-worker.js';
import { createTestHome, type TestHome } from '../testing/run-inside.js';

let home: TestHome;
beforeEach(() => (home = createTestHome()));
afterEach(() => home[Symbol.dispose]());

const REPLY: ContextReply = {
  project: { key: '/repos/shop', name: 'shop' },
  text: '<claude-mem-context>\n| #9 | 2026-11-27 | 🐛 | Vouchers | ~45 |\n</claude-mem-context>',
  tokens: 31,
  shown: [9],
  leftOut: [],
  total: 12,
  isOn: true,
  reason: null,
};

/** What the command says when the worker previews this, and what it asked for. */
async function show(argv: readonly string[], reply: Partial<ContextReply> = {}) {
  await using worker = await startFakeWorker(join(home.dataDir, 'worker.sock'), ({ path }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const isHealth = path.startsWith('/health');
    response.end(JSON.stringify(isHealth ? { version: '0.0.0' } : { ...REPLY, ...reply }));
  });
  const run = await home.run(['context', ...argv]);
  const asked = worker.received.map(({ path }) => path).find((path) => path.startsWith('/api/context'));
  return { ...run, query: Object.fromEntries(new URL(asked ?? '/', 'http://localhost').searchParams) };
}

describe('claude-mem context', () => {
  it('prints exactly the text, and beside it what it costs and what was left out', async () => {
    const leftOut = [
      ...[1, 2, 3, 4, 5, 6, 7].map((id) => ({ id, reason: 'no room' })),
      { id: 8, reason: 'superseded by #9' },
      { id: 10, reason: 'superseded by #12' },
    ];
    const { exit, stdout, stderr, query } = await show(['--preview'], { leftOut });
    expect(exit).toBe(0);
    expect(stdout).toBe(`${REPLY.text}\n`);
    expect(stderr.trim().split('\n')).toEqual([
      'shop: 1 of 12 records, about 31 tokens',
      'Left out, no room: #1, #2, #3, #4, #5 and 2 more',
      'Left out, superseded by another: #8, #10',
    ]);
    expect(query).toEqual({ cwd: home.home });
  });

  it('shows recall and the history of a file in the same way, and why there is nothing', async () => {
    const empty = { text: '', shown: [], tokens: 0, total: 0, isOn: false, reason: 'No record fits.' };
    const recall = await show(['--prompt', 'why vouchers?'], empty);
    expect(recall).toMatchObject({ exit: 0, stdout: 'Nothing would be given. No record fits.\n' });
    expect(recall.stderr).toContain('CLAUDE_MEM_RECALL_ON_PROMPT is off');
    expect(recall.query).toEqual({ cwd: home.home, prompt: 'why vouchers?' });
    const history = await show(['--file', 'src/cart.ts'], { isOn: false });
    expect(history.stdout).toBe(`${REPLY.text}\n`);
    expect(history.stderr).toContain('CLAUDE_MEM_FILE_HISTORY is off');
    expect(history.query).toEqual({ cwd: home.home, file: 'src/cart.ts' });
    expect(await show(['--prompt', 'a', '--file', 'b'])).toMatchObject({ exit: 2, query: {} });
  });

  it('gives all of it as JSON', async () => {
    const { stdout } = await show(['--json']);
    expect(JSON.parse(stdout)).toEqual(REPLY);
  });
});
