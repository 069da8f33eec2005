import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openContextWorker } from '../testing/open-context-worker.js';
import { until } from '../testing/start-test-worker.js';

const context = await openContextWorker({ CLAUDE_MEM_RECALL_ON_FAILURE: true });
const { worker, project } = context;
afterAll(() => context[Symbol.asyncDispose]());

const error = (line: number, name = 'total', file = 'src/money.ts') =>
  `Exit code 2\n${file}:${line}:5: error TS2304: Cannot find name '${name}'`;
const use = (fields: object) => ({ tool_use_id: randomUUID(), ...fields });
const check = { tool_name: 'Bash', tool_input: { command: 'npx tsc --noEmit' } };

/** The text for a result in the spool, which the worker answers before it stores the event. */
async function resultOf(event: string, session: string, fields: object): Promise<string> {
  const payload = use({ session_id: session, cwd: project, ...check, ...fields });
  const body = `host: claude-code\nevent: ${event}\nevent-id: ${randomUUID()}\n\n${JSON.stringify(payload)}`;
  const { text } = await worker.hook(event, body, { 'content-type': 'application/x-claude-mem-hook' });
  return text;
}
const fail = (session: string, fields: object = { error: error(90) }) =>
  resultOf('ToolFailure', session, fields);

/** A turn whose check fails, and passes after an edit. */
async function repair(session: string, path = 'src/money.ts'): Promise<void> {
  await context.hook('UserPromptSubmit', session, { prompt: 'Repair the types of the money module' });
  await context.hook('PostToolUseFailure', session, use({ ...check, error: error(7, 'total', path) }));
  const file = join(project, path);
  await context.hook(
    'PostToolUse',
    session,
    use({
      tool_name: 'Edit',
      tool_input: { file_path: file, old_string: 'total', new_string: 'sum' },
      tool_response: { filePath: file, success: true },
    }),
  );
  await context.hook('PostToolUse', session, use({ ...check, tool_response: { stdout: '', stderr: '' } }));
  await context.hook('Stop', session, { last_assistant_message: 'The name was wrong; the types are right.' });
  await worker.drained();
}

describe('recall after a failed command', { timeout: 60_000 }, () => {
  beforeAll(() => repair('first'));

  it('injects the earlier fix of the same error once per session when a command fails', async () => {
    const text = await context.poll(() => fail('second'));
    expect(JSON.parse(text)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PostToolUseFailure',
        additionalContext: expect.stringMatching(
          /Seen before: “src\/money\.ts:7:5: error TS2304: Cannot find name 'total'”, fixed in #\d+: `npx tsc --noEmit` passes after edits of `src\/money.ts`\n/,
        ) as string,
      },
    });
    expect(await fail('second')).toBe('');
  });

  it('injects the fix when the output of a command shows a failure but the host reports success', async () => {
    const piped = {
      tool_input: { command: 'npx tsc --noEmit 2>&1 | tail -5' },
      tool_response: { stdout: error(12).replace('Exit code 2\n', ''), stderr: '', interrupted: false },
    };
    expect(await context.poll(() => resultOf('ToolResult', 'piped', piped))).toContain('"PostToolUse"');
  });

  it('injects nothing when the error is different, the command succeeded, or a sub-agent ran it', async () => {
    expect(await fail('third', { error: error(90, 'count') })).toBe('');
    expect(await resultOf('ToolResult', 'third', { tool_response: { stdout: '', stderr: '' } })).toBe('');
    expect(await fail('third', { error: error(90), agent_id: 'a1', agent_type: 'Explore' })).toBe('');
    expect(await context.poll(() => fail('third'))).toContain('Seen before');
  });

  it('injects nothing into the session that fixed the error', async () => {
    expect(await fail('first')).toBe('');
  });

  it('injects nothing in another project', async () => {
    expect(await fail('elsewhere', { error: error(90), cwd: join(worker.home.home, 'work', 'garden') })).toBe(
      '',
    );
  });

  it('injects nothing when the file of the fix has been deleted', async () => {
    const path = 'src/expired.ts';
    writeFileSync(join(project, path), 'export {};\n');
    await repair('expiring', path);
    const again = { error: error(90, 'total', path) };
    expect(await context.poll(() => fail('before the deletion', again))).toContain(path);
    rmSync(join(project, path));
    await context.start('after', 'startup');
    await until(async () => (await worker.ask({ path: '/api/stale' })).text.includes('"verdict":"gone"'));
    expect(await fail('after the deletion', again)).toBe('');
    expect(await context.poll(() => fail('after the deletion'))).toContain('src/money.ts');
  });

  it('leaves the event in the spool until it is stored', async () => {
    const before = await context.capturedEvents();
    const { spoolDir } = worker.home.paths;
    const payload = use({ session_id: 'spooled', cwd: project, ...check, error: error(90) });
    const body = `host: claude-code\nevent: ToolFailure\nevent-id: failure-1\n\n${JSON.stringify(payload)}`;
    const file = join(spoolDir, 'claude-code.ToolFailure.failure-1.tmp');
    writeFileSync(file, body);
    await worker.hook('ToolFailure', body, { 'content-type': 'application/x-claude-mem-hook' });
    expect(existsSync(file)).toBe(false);
    await until(async () => (await context.capturedEvents()) === before + 1);
  });

  it('creates the marker for the hooks, and removes it when the setting is off', async () => {
    const { failureRecallMarker } = worker.home.paths;
    expect(existsSync(failureRecallMarker)).toBe(true);
    await context.post('/api/settings', { CLAUDE_MEM_RECALL_ON_FAILURE: 'false' });
    await until(() => !existsSync(failureRecallMarker));
    expect(await fail('switched off')).toBe('');
    await context.post('/api/settings', { CLAUDE_MEM_RECALL_ON_FAILURE: 'true' });
    await until(() => existsSync(failureRecallMarker));
  });
});
