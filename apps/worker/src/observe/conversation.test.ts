import { createScriptedProvider } from '@claude-mem/agent-providers/testing';
import { openStorageReader } from '@claude-mem/storage';
import { describe, expect, it } from 'vitest';
import { startTestWorker, until, type TestWorker } from '../testing/start-test-worker.js';

const SECRET = `ghp_${'a1B2'.repeat(9)}`;

async function startWorker() {
  const provider = createScriptedProvider([], { capabilities: { readsBatch: true } });
  const worker = await startTestWorker({ providers: { local: async () => provider } });
  return { worker, batches: () => provider.requests.map(({ batch }) => batch) };
}

async function talk(worker: TestWorker, prompt: string, last_assistant_message: string) {
  const base = { session_id: 'talk', cwd: worker.home.project };
  await worker.hook('UserPromptSubmit', { ...base, prompt });
  await worker.hook('Stop', { ...base, last_assistant_message });
  await worker.drained();
}

describe('the conversation in a batch', { timeout: 60_000 }, () => {
  it('contains all turns so far when the turn has ended, including turns without tool calls', async () => {
    const { worker, batches } = await startWorker();
    await using _ = worker;
    const long = `npm it is. ${'.'.repeat(9_000)} The lock file is committed.`;
    await talk(worker, 'Which tool?', 'npm or yarn.');
    await talk(worker, 'npm', long);
    await talk(worker, 'Go on', 'Done.');
    const first = { promptNumber: 1, prompt: 'Which tool?', reply: 'npm or yarn.' };
    const bounded = expect.stringMatching(/^npm it is\. .*characters left out.* committed\.$/s);
    expect(batches().map(({ conversation }) => conversation)).toEqual([
      [first],
      [first, { promptNumber: 2, prompt: 'npm', reply: long }],
      [
        first,
        { promptNumber: 2, prompt: 'npm', reply: bounded },
        { promptNumber: 3, prompt: 'Go on', reply: 'Done.' },
      ],
    ]);
  });

  it('is empty when the turn has not ended', async () => {
    const { worker, batches } = await startWorker();
    await using _ = worker;
    const base = { session_id: 'talk', cwd: worker.home.project };
    await worker.hook('UserPromptSubmit', { ...base, prompt: 'Which tool?' });
    await worker.hook('PostToolUse', {
      ...base,
      tool_name: 'Bash',
      tool_use_id: 'one',
      tool_input: { command: 'make' },
      tool_response: { stdout: 'ok' },
    });
    await worker.hook('PreCompact', { ...base, trigger: 'auto' });
    await until(() => batches().length > 0);
    expect(batches()).toMatchObject([{ closing: null, conversation: [] }]);
  });

  it('contains no secrets and no private text that the host sent', async () => {
    const { worker, batches } = await startWorker();
    await using _ = worker;
    await talk(worker, 'Deploy it', `Deployed with ${SECRET}. <private>hidden words</private> All is well.`);
    await talk(worker, 'Go on', 'Done.');
    const reader = openStorageReader({ file: worker.home.paths.database });
    const stored = await reader.store.conversation(1, { throughPrompt: 2, limit: 60 });
    await reader.close();
    expect(stored[0]?.reply).toMatch(/^Deployed with .* All is well\.$/);
    expect(JSON.stringify([stored, batches()])).not.toMatch(/ghp_a1B2|hidden words/);
  });
});
