import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestWorker, until, type TestWorker } from '../testing/start-test-worker.js';

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

it('injects records that match the branch name when a session starts', async () => {
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
