import { describe, expect, it } from 'vitest';
import { startTestWorker } from './testing/start-test-worker.js';

describe('a worker that receives the hooks of two sessions', { timeout: 60_000 }, () => {
  it('stores the work of the first session and injects it into the next session', async () => {
    await using worker = await startTestWorker();
    const cwd = worker.home.project;
    const base = { session_id: 's-1', cwd };
    const started = await worker.hook('SessionStart', { ...base, source: 'startup' });
    expect(JSON.parse(started.text)).toMatchObject({
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: '' },
    });
    await worker.hook('UserPromptSubmit', { ...base, prompt: 'Fix the crash in the parser' });
    await worker.hook('PostToolUse', {
      ...base,
      tool_name: 'Edit',
      tool_use_id: 't-1',
      tool_input: { file_path: `${cwd}/parser.ts`, old_string: 'a.b', new_string: 'a?.b' },
      tool_response: { filePath: `${cwd}/parser.ts`, oldString: 'a.b', newString: 'a?.b' },
    });
    const stop = await worker.hook('Stop', {
      ...base,
      last_assistant_message:
        'Fixed the crash in parser.ts: `a` was undefined for empty input. The cause was a missing guard.',
    });
    expect(stop).toMatchObject({ status: 200 });
    await worker.drained();
    const { items } = (await worker.ask({ path: '/api/observations' })).json as {
      items: { title: string }[];
    };
    expect(items.length).toBeGreaterThan(0);
    const next = await worker.hook('SessionStart', { session_id: 's-2', cwd, source: 'startup' });
    expect(JSON.parse(next.text).hookSpecificOutput.additionalContext).toContain('parser');
    expect((await worker.health()).queue).toMatchObject({ pending: 0, processing: 0, parked: 0 });
  });
});

it('R07: applies the network settings at its start, and reports invalid settings', async () => {
  await using worker = await startTestWorker({ settings: { CLAUDE_MEM_PROXY: 'socks://proxy.example' } });
  expect((await worker.health()).notices).toContainEqual(
    expect.stringContaining('CLAUDE_MEM_PROXY is not the address of an HTTP proxy'),
  );
});
