import { execFileSync } from 'node:child_process';
import { noopLogger } from '@claude-mem/core';
import { createFixedClock } from '@claude-mem/core/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { WorkerLog } from '../log/create-log.js';
import { startTestWorker, until, type TestWorker } from '../testing/start-test-worker.js';
import { createBranchRecords, type BranchRecords } from './create-branch-records.js';

let worker: TestWorker;
beforeAll(async () => {
  worker = await startTestWorker();
  git('init', '-q', '-b', 'main');
}, 60_000);
afterAll(() => worker[Symbol.asyncDispose]());

const git = (...args: string[]) => execFileSync('git', args, { cwd: worker.home.project, stdio: 'pipe' });

async function work(session: string, closing: string) {
  const hook = (event: string, fields: object) =>
    worker.hook(event, { session_id: session, cwd: worker.home.project, ...fields });
  const file = `${worker.home.project}/src/${session}.ts`;
  await hook('UserPromptSubmit', { prompt: `Look at ${session}` });
  await hook('PostToolUse', {
    tool_name: 'Edit',
    tool_use_id: `edit-${session}`,
    tool_input: { file_path: file, old_string: 'a', new_string: 'b' },
    tool_response: { filePath: file, success: true },
  });
  await hook('Stop', { last_assistant_message: closing });
}

async function preview() {
  const search = new URLSearchParams({ cwd: worker.home.project });
  return ((await worker.ask({ path: `/api/context?${search}` })).json as { text: string }).text;
}

it('a session on a branch begins with what is known of the matter that the branch is named for', async () => {
  await work('tariffs', 'Tariffs are rounded after the currency is known.');
  for (let index = 0; index < 12; index += 1)
    await work(`page${index}`, `Page ${index} of the catalogue loads its images late.`);
  await worker.drained();
  expect(await preview()).not.toContain('## About the branch');
  git('symbolic-ref', 'HEAD', 'refs/heads/ada/round-tariffs');
  await until(async () => (await preview()).includes('## About the branch'));
  const [, about = ''] = /## About the branch[^\n]*\n(.*?)\n## /s.exec(await preview()) ?? [];
  expect(about).toContain('Tariffs are rounded');
  expect(about).not.toContain('catalogue');
}, 60_000);

it('waits a moment for a memory that is not open yet, and no longer', async () => {
  git('symbolic-ref', 'HEAD', 'refs/heads/ada/round-tariffs');
  const clock = createFixedClock(0);
  let isOver = false;
  const records = askWith({ memory: () => new Promise(() => undefined), clock }).then((found) => {
    isOver = true;
    return found;
  });
  await clock.advance(29);
  expect(isOver).toBe(false);
  await clock.advance(1);
  expect(await records).toEqual([]);
});

it('goes without when the memory cannot be asked, and says so in the log', async () => {
  git('symbolic-ref', 'HEAD', 'refs/heads/ada/round-tariffs');
  const warnings: string[] = [];
  const memory = () => Promise.reject(new Error('damaged'));
  expect(await askWith({ memory, warn: (text) => warnings.push(text) })).toEqual([]);
  expect(warnings).toEqual(['What is known of the branch could not be looked up']);
});

function askWith({
  warn = () => undefined,
  clock = createFixedClock(0),
  ...rest
}: Pick<Parameters<typeof createBranchRecords>[0], 'memory'> & {
  clock?: ReturnType<typeof createFixedClock>;
  warn?: (text: string) => void;
}): ReturnType<BranchRecords> {
  const log: WorkerLog = {
    ...noopLogger,
    warn: (_fields, message) => warn(message),
    with: () => log,
    isDebug: false,
  };
  return createBranchRecords({ ...rest, clock, log })(worker.home.project, 'shop');
}
