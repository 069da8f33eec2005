import { join } from 'node:path';
import type { Status } from '../commands/status.js';
import { BUILT_PROGRAM, runProgram } from './installed-program.js';
import type { ProgramHome } from './run-inside.js';

/** Runs the built program and hooks of Claude Code in the current home. */
export function createProgramActions(current: () => ProgramHome) {
  const status = async () => JSON.parse((await current().run('status', '--json')).stdout) as Status;
  const hook = (event: string, payload: object) => {
    const { env, project } = current();
    return runProgram('sh', [join(BUILT_PROGRAM, 'hook.sh'), 'claude-code', event], {
      env: { ...env, CLAUDE_PROJECT_DIR: project },
      cwd: project,
      input: `${JSON.stringify({ session_id: 's-1', cwd: project, hook_event_name: event, ...payload })}\n`,
    });
  };
  const editFields = () => {
    const file = join(current().project, 'a.ts');
    return {
      tool_name: 'Edit',
      tool_use_id: 'toolu_1',
      tool_input: { file_path: file, old_string: 'limit = 1', new_string: 'limit = 2' },
      tool_response: { filePath: file, oldString: 'limit = 1', newString: 'limit = 2' },
    };
  };
  return {
    run: (...args: string[]): ReturnType<ProgramHome['run']> => current().run(...args),
    /** Runs the built program as a process. */
    runProcess: (args: readonly string[], dist = BUILT_PROGRAM) =>
      runProgram(process.execPath, [join(dist, 'claude-mem.js'), ...args], {
        env: current().env,
        cwd: current().project,
      }),
    status,
    hook,
    editFields,
    /** A hook that times out on a busy worker leaves its event in the spool. */
    waitForSpool: () => waitFor(async () => (await status()).spool.waiting === 0),
    async rememberOneTurn() {
      await hook('UserPromptSubmit', { prompt: 'Raise the limit' });
      await hook('PostToolUse', editFields());
      await hook('Stop', {
        last_assistant_message: 'I raised the upload limit to 2 in a.ts because uploads failed.',
      });
      await waitFor(async () => {
        const { queue, memory } = await status();
        return queue?.pending === 0 && queue.processing === 0 && (memory?.observations ?? 0) > 0;
      });
    },
  };
}

export async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 50_000; !(await condition());) {
    if (Date.now() > deadline) throw new Error('waited 50 s for a condition');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
