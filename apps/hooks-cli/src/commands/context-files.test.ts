import { join } from 'node:path';
import type { ContextFilesReply } from '@claude-mem/worker-protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startFakeWorker } from '../testing/fake-worker.js';
import { createTestHome, type TestHome } from '../testing/run-inside.js';

let home: TestHome;
beforeEach(() => (home = createTestHome()));
afterEach(() => home[Symbol.dispose]());

const FILES: ContextFilesReply['files'] = [
  { path: 'CLAUDE.md', kind: 'claude-md', state: 'kept', records: 5, tokens: 380, reason: null },
  { path: 'src/CLAUDE.md', kind: 'claude-md-folder', state: 'away', records: 0, tokens: 0, reason: null },
  { path: 'lib/CLAUDE.md', kind: 'claude-md', state: 'left', records: 0, tokens: 0, reason: 'it is a link' },
];

async function run(argv: readonly string[], reply: ContextFilesReply) {
  await using worker = await startFakeWorker(join(home.dataDir, 'worker.sock'), ({ path }, response) => {
    response.setHeader('content-type', 'application/json');
    const health = { status: 'ok', live: true, ready: true, version: '0.0.0', pid: 1, notices: [] };
    response.end(JSON.stringify(path.startsWith('/health') ? health : reply));
  });
  const done = await home.run(['context', '--files', ...argv]);
  const asked = worker.received.filter(({ path }) => path.startsWith('/api/context/files'));
  return { ...done, asked: asked.map(({ path, body }) => [path, body.toString()]) };
}

it('lists written, removed and skipped context files with the reason', async () => {
  const { exit, stdout, asked } = await run([], { root: '/repos/shop', files: FILES });
  expect(exit).toBe(0);
  expect(stdout.trim().split('\n')).toEqual([
    'CLAUDE.md  5 records, about 380 tokens',
    'src/CLAUDE.md  removed (to write it again: claude-mem context --files --again)',
    'lib/CLAUDE.md  skipped: it is a link',
  ]);
  expect(asked).toEqual([[`/api/context/files?cwd=${encodeURIComponent(home.project)}`, '']]);
});

it('names the settings when no context file exists', async () => {
  const { stdout, stderr } = await run([], { root: '/repos/shop', files: [] });
  expect(stdout).toBe('No file of /repos/shop contains text of claude-mem.\n');
  expect(stderr).toContain('CLAUDE_MEM_CLAUDE_MD is off');
  expect(stderr).toMatch(/now with --again\.$/m);
  const again = await run(['--again'], { root: '/repos/shop', files: [] });
  expect(again.stderr).toMatch(
    / is auto\. Text that uninstall removed is written again after claude-mem install\.$/m,
  );
  expect((await run([], { root: null, files: [] })).stdout).toContain('has no project');
});

it.each([
  ['--remove', 'remove'],
  ['--again', 'restore'],
])('requests removal or restoration when %s is set', async (option, action) => {
  const { exit, asked } = await run([option, '--json'], { root: '/repos/shop', files: FILES });
  expect(exit).toBe(0);
  expect(asked).toEqual([['/api/context/files', JSON.stringify({ cwd: home.project, action })]]);
});

it('rejects --remove together with --again', async () => {
  expect(await run(['--remove', '--again'], { root: null, files: [] })).toMatchObject({ exit: 2, asked: [] });
});
