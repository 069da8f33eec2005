import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  claudePayloads,
  createTempHome,
  requestWorker,
  spooledFiles,
  startWorker,
  waitFor,
  waitUntilDrained,
  type TempHome,
} from '@claude-mem/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, hookIn } from './play-turn.js';

const ERROR = "Exit code 2\nsrc/limit.ts:7:5: error TS2304: Cannot find name 'limit'";
const CHECK = { name: 'Bash', input: { command: 'npx tsc --noEmit' } };

let home: TempHome;
let stopWorker: () => PromiseLike<void>;

beforeAll(async () => {
  home = await createTempHome({ env: { CLAUDE_MEM_EMBEDDER: 'none' } });
  const worker = await startWorker(home);
  stopWorker = () => worker[Symbol.asyncDispose]();
  const fire = hookIn(home, home.project);
  const payloads = claudePayloads({ cwd: home.project });
  const file = path.join(home.project, 'src', 'limit.ts');
  await fire('UserPromptSubmit', payloads.prompt('Repair the types'));
  await fire('PostToolUseFailure', payloads.toolFailure({ ...CHECK, error: ERROR }));
  await fire(
    'PostToolUse',
    payloads.toolUse({
      input: { file_path: file, old_string: 'limit', new_string: 'max' },
      response: { filePath: file },
    }),
  );
  await fire('PostToolUse', payloads.toolUse({ ...CHECK, response: { stdout: '', stderr: '' } }));
  await fire('Stop', payloads.stop('The types are right.'));
  await waitUntilDrained(home);
});
afterAll(async () => {
  await stopWorker();
  await home[Symbol.asyncDispose]();
});

const failAgain = () =>
  ask(home, {
    cwd: home.project,
    event: 'PostToolUseFailure',
    payload: () =>
      claudePayloads({ cwd: home.project }).toolFailure({ ...CHECK, error: ERROR.replace(':7:', ':90:') }),
  });
const captured = async () => {
  const { json } = await requestWorker(home, { path: '/api/health' });
  return (json as { capture: { events: number } }).capture.events;
};
const marker = () => existsSync(path.join(home.dataDir, 'recall-on-failure'));

it('the hook prints nothing for a failed command when the setting is off', async () => {
  expect(marker()).toBe(false);
  expect((await failAgain()).stdout).toBe('');
});

it('the hook prints the earlier fix of the error when the setting is on, and the event is stored', async () => {
  const body = { CLAUDE_MEM_RECALL_ON_FAILURE: 'true' };
  const answer = await requestWorker(home, { method: 'POST', path: '/api/settings', body });
  expect(answer.status, answer.text).toBe(200);
  await waitFor(() => Promise.resolve(marker()), { what: 'the marker' });
  const before = await captured();
  expect(JSON.parse((await failAgain()).stdout)).toEqual({
    hookSpecificOutput: {
      hookEventName: 'PostToolUseFailure',
      additionalContext: expect.stringContaining('passes after edits of `src/limit.ts`') as string,
    },
  });
  await waitFor(async () => spooledFiles(home).length === 0 && (await captured()) > before, {
    what: 'the event to be stored',
  });
});
