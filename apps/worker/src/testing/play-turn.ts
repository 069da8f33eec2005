import type { TestWorker } from './start-test-worker.js';

/**
 * Sends one turn of a session in the demo project: a prompt, an edit and its end. Returns the response to the prompt.
 */
export async function playTurn(worker: TestWorker, session_id: string) {
  const inDemo = { session_id, cwd: worker.home.project };
  const prompted = await worker.hook('UserPromptSubmit', { ...inDemo, prompt: 'Raise the limit' });
  await worker.hook('PostToolUse', {
    ...inDemo,
    tool_name: 'Edit',
    tool_use_id: `toolu-${session_id}`,
    tool_input: {
      file_path: `${worker.home.project}/a.ts`,
      old_string: 'limit = 1',
      new_string: 'limit = 2',
    },
    tool_response: { filePath: `${worker.home.project}/a.ts` },
  });
  await worker.hook('Stop', { ...inDemo, last_assistant_message: 'I raised the limit in a.ts.' });
  return prompted;
}
