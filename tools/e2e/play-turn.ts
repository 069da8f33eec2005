import { mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  claudePayloads,
  requestWorker,
  runHook,
  runProgram,
  type ClaudePayloads,
  type HookRun,
  type TempHome,
} from '@claude-mem/testing';
import { expect } from 'vitest';

export interface Turn {
  /** Working folder of the host. It is created when missing. */
  cwd: string;
  prompt?: string;
  /** The edited file, relative to `cwd`. @default 'src/limit.ts' */
  file?: string;
  message?: string;
  payloads?: ClaudePayloads;
}

/** Plays a complete turn through the real hook: start, prompt, edit, passing command, and end. */
export async function playTurn(home: TempHome, turn: Turn): Promise<ClaudePayloads> {
  const { cwd, prompt = 'Raise the limit to ten', file = 'src/limit.ts' } = turn;
  const { message = `Raised the limit to ten in ${file}; the tests pass.` } = turn;
  mkdirSync(cwd, { recursive: true });
  const payloads = turn.payloads ?? claudePayloads({ cwd });
  const fire = hookIn(home, cwd);
  const filePath = path.join(cwd, file);
  await fire('SessionStart', payloads.sessionStart());
  await fire('UserPromptSubmit', payloads.prompt(prompt));
  await fire(
    'PostToolUse',
    payloads.toolUse({
      input: { file_path: filePath, old_string: 'const limit = 1;', new_string: 'const limit = 10;' },
      response: {
        filePath,
        oldString: 'const limit = 1;',
        newString: 'const limit = 10;',
        structuredPatch: [],
      },
    }),
  );
  await fire(
    'PostToolUse',
    payloads.toolUse({
      name: 'Bash',
      input: { command: 'npm test', description: 'Run the tests' },
      response: { stdout: 'Tests  12 passed (12)', stderr: '', interrupted: false },
    }),
  );
  await fire('Stop', payloads.stop(message));
  return payloads;
}

/**
 * Creates a function that runs hooks in a folder like a host. It verifies each result: exit code 0, empty stderr, and
 * JSON or nothing on stdout.
 */
export function hookIn(home: TempHome, cwd: string) {
  return async (event: string, payload: unknown): Promise<HookRun> => {
    const run = await runHook(home, event, payload, { cwd, env: { CLAUDE_PROJECT_DIR: cwd } });
    expect(run, `${event}`).toMatchObject({ exit: 0, stderr: '' });
    if (run.stdout.trim()) expect(() => JSON.parse(run.stdout) as unknown, run.stdout).not.toThrow();
    return run;
  };
}

/** Time in milliseconds that a hook waits for a response with context. */
const RETRY_LIMIT_MS = 300;
const MAX_ATTEMPTS = 30;

/** Sends an event that needs a response. A hook can time out on a busy machine; then the next payload is sent. */
export async function ask(
  home: TempHome,
  { cwd, event, payload }: { cwd: string; event: string; payload: () => unknown },
): Promise<HookRun> {
  for (let attempt = 1; ; attempt += 1) {
    const run = await hookIn(home, cwd)(event, payload());
    if (run.stdout !== '' || run.ms < RETRY_LIMIT_MS || attempt === MAX_ATTEMPTS) return run;
  }
}

/** Returns the context that is injected into a session in that folder, or an empty string. */
export async function contextFor(home: TempHome, cwd: string): Promise<string> {
  const payload = () => claudePayloads({ cwd }).sessionStart();
  const run = await ask(home, { cwd, event: 'SessionStart', payload });
  const answer = JSON.parse(run.stdout || '{}') as { hookSpecificOutput?: { additionalContext?: string } };
  return answer.hookSpecificOutput?.additionalContext ?? '';
}

/** Returns the items of a route that lists records. */
export async function list<Item>(home: TempHome, route: string): Promise<readonly Item[]> {
  const answer = await requestWorker(home, { path: route });
  expect(answer.status, answer.text).toBe(200);
  return (answer.json as { items: readonly Item[] }).items;
}

/** Runs git in a folder with a fixed user name and without the settings of the machine. */
export async function git(home: TempHome, cwd: string, ...args: readonly string[]): Promise<void> {
  mkdirSync(cwd, { recursive: true });
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', '-c', 'init.defaultBranch=main'];
  const run = await runProgram('git', [...who, ...args], {
    cwd,
    env: { ...home.env, GIT_CONFIG_NOSYSTEM: '1' },
  });
  expect(run.exit, run.stderr).toBe(0);
}
