import { join } from 'node:path';
import { estimateTokens } from '@claude-mem/core';
import type { SessionInjections, SessionRow } from '@claude-mem/worker-protocol';
import { afterAll, describe, expect, it } from 'vitest';
import { openContextWorker } from '../testing/open-context-worker.js';

const context = await openContextWorker();
const { worker } = context;
afterAll(() => context[Symbol.asyncDispose]());

const QUESTION = 'Vouchers are lost again when the currency of the total changes';

const injectionsOf = async (contentSessionId: string) => {
  const { json } = await worker.ask({ path: '/api/sessions?limit=500' });
  const { items } = json as { items: SessionRow[] };
  const session = items.find((one) => one.contentSessionId === contentSessionId);
  const answer = await worker.ask({ path: `/api/sessions/${session!.id}/injections` });
  return (answer.json as SessionInjections).items;
};
const edit = async (session: string, file: string) => {
  const filePath = join(context.project, file);
  await context.hook('PostToolUse', session, {
    tool_name: 'Edit',
    tool_use_id: `edit-${session}-${file}`,
    tool_input: { file_path: filePath, old_string: 'let a = 1;', new_string: 'let b = 2;' },
    tool_response: { filePath, success: true },
  });
  await context.hook('Stop', session, { last_assistant_message: 'I changed it.' });
  await worker.drained();
};

describe('describeInjections', { timeout: 60_000 }, () => {
  it('lists an injection with the names from its records that the session used afterwards', async () => {
    const text = await context.start('starts', 'startup');
    await context.hook('UserPromptSubmit', 'starts', { prompt: 'Hello' });
    await edit('starts', 'src/cart.ts');
    const [start] = await injectionsOf('starts');
    expect(start).toMatchObject({ kind: 'start', promptNumber: 0, conversations: 0, forgotten: 0 });
    expect(start!.tokens).toBe(estimateTokens(text));
    expect(start!.records).toEqual([expect.objectContaining({ used: ['src/cart.ts'] })]);
  });

  it('lists the turn of the prompt, and no used names when the session changed another file', async () => {
    await context.hook('UserPromptSubmit', 'asks', { prompt: 'Hello' });
    await edit('asks', 'src/cart.ts');
    await context.poll(() => context.contextOf('UserPromptSubmit', 'asks', { prompt: QUESTION }));
    await edit('asks', 'src/login.ts');
    const listed = await injectionsOf('asks');
    expect(listed).toHaveLength(1);
    expect(listed[0]!.kind).toBe('prompt');
    expect(listed[0]!.promptNumber).toBeGreaterThanOrEqual(2);
    expect(listed[0]!.records.map(({ used }) => used)).toContainEqual([]);
  });

  it('does not evaluate use when the injection is a file history', async () => {
    await context.hook('UserPromptSubmit', 'reads', { prompt: 'Hello' });
    await context.poll(() => context.read('reads', join(context.project, 'src/cart.ts')));
    await edit('reads', 'src/cart.ts');
    const [file] = await injectionsOf('reads');
    expect(file!.kind).toBe('file');
    expect(file!.records.length).toBeGreaterThan(0);
    expect(file!.records.every(({ used }) => used === null)).toBe(true);
  });

  it('counts a deleted record without showing its title', async () => {
    const [before] = await injectionsOf('starts');
    const { id, title } = before!.records[0]!;
    await context.post('/api/memory/forget', { ids: [id] });
    const after = await injectionsOf('starts');
    expect(after[0]).toMatchObject({ records: [], forgotten: 1 });
    expect(JSON.stringify(after)).not.toContain(title);
  });
});
