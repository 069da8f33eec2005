import { join } from 'node:path';
import { findUsed } from '@claude-mem/core';
import type { ReplayReply, SessionRow } from '@claude-mem/worker-protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openContextWorker } from '../testing/open-context-worker.js';

const context = await openContextWorker();
const { worker } = context;
afterAll(() => context[Symbol.asyncDispose]());

const QUESTION = 'Vouchers are lost again when the currency of the total changes';

const replay = async (contentSessionId: string, { of = context, limit = 500 } = {}) => {
  const { json } = await of.worker.ask({ path: '/api/sessions?limit=500' });
  const { items } = json as { items: SessionRow[] };
  const session = items.find((one) => one.contentSessionId === contentSessionId);
  const answer = await of.worker.ask({ path: `/api/sessions/${session!.id}/replay?limit=${limit}` });
  return (answer.json as ReplayReply).prompts;
};
let edits = 0;
const edit = async (session: string, file: string) => {
  const path = join(context.project, file);
  edits += 1;
  await context.hook('PostToolUse', session, {
    tool_name: 'Edit',
    tool_use_id: `edit-${edits}`,
    tool_input: { file_path: path, old_string: 'let a = 1;', new_string: `let a = ${edits + 1};` },
    tool_response: { filePath: path, success: true },
  });
};
const ask = async (session: string, prompt: string, files: readonly string[]) => {
  await context.hook('UserPromptSubmit', session, { prompt });
  for (const file of files) await edit(session, file);
  await context.hook('Stop', session, { last_assistant_message: 'I changed it.' });
  await worker.drained();
};

describe('replaySession', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    await ask('uses', QUESTION, ['src/cart.ts']);
    await ask('ignores', QUESTION, ['src/login.ts']);
    await ask('names', `${QUESTION}, see cart.ts`, ['src/cart.ts']);
    await ask('uses', `${QUESTION}, once more`, ['src/cart.ts']);
    await ask('talks', QUESTION, []);
  });

  it('lists the injected names that the turn used when the turn changed a named file', async () => {
    const [first] = await replay('uses');
    expect(first!.tokens).toBeGreaterThan(0);
    expect(first!.named.files).toContain('src/cart.ts');
    expect(findUsed(first!.named, first!.turn!.used)).toEqual(['src/cart.ts']);
    expect(findUsed(first!.named, first!.turn!.usedFirst)).toEqual(['src/cart.ts']);
  });

  it('injects a record only once in a session', async () => {
    const [, second] = await replay('uses');
    expect(second).toMatchObject({ tokens: 0, named: { files: [], identifiers: [] } });
    expect(second!.turn).toMatchObject({ used: { files: ['src/cart.ts'] }, usedFirst: { files: [] } });
  });

  it('counts no first use when the prompt names the file', async () => {
    const [only] = await replay('names');
    expect(findUsed(only!.named, only!.turn!.used)).toEqual(['src/cart.ts']);
    expect(only!.turn!.usedFirst.files).toEqual([]);
  });

  it('finds no used names when the turn changed another file', async () => {
    const [only] = await replay('ignores');
    expect(only!.tokens).toBeGreaterThan(0);
    expect(findUsed(only!.named, only!.turn!.used)).toEqual([]);
  });

  it('replays the first prompts when a session has more than one page of prompts', async () => {
    const session = 'long';
    await ask(session, QUESTION, ['src/cart.ts']);
    const later = Array.from({ length: 500 }, (_, index) => ({
      kind: 'prompt',
      uid: `prompt-${index}`,
      project: context.project,
      host: 'claude-code',
      session,
      prompt_number: index + 2,
      created_at: new Date(Date.now() + index).toISOString(),
      text: `Continue with step ${index}`,
    }));
    const { json } = await worker.ask({ method: 'POST', path: '/api/import', body: later });
    expect(json).toMatchObject({ inserted: 500 });
    const prompts = await replay(session, { limit: 2 });
    expect(prompts).toHaveLength(2);
    expect(prompts[0]!.tokens).toBeGreaterThan(0);
    expect(prompts[1]).toMatchObject({ tokens: 0 });
  });

  it('does not evaluate use when the turn has no tool results', async () => {
    expect((await replay('talks'))[0]).toMatchObject({ tokens: expect.any(Number), turn: null });
  });

  it('injects nothing from records that were stored after the prompt', async () => {
    expect((await replay('before'))[0]).toMatchObject({ tokens: 0 });
  });

  it('injects no record that was edited after the prompt', async () => {
    const { json } = await worker.ask({ path: '/api/observations?limit=200' });
    for (const { id } of (json as { items: { id: number }[] }).items)
      await worker.ask({ method: 'PATCH', path: `/api/observations/${id}`, body: { subtitle: 'edited' } });
    expect((await replay('uses'))[0]).toMatchObject({ tokens: 0 });
  });

  it('changes no record', async () => {
    const read = async () => (await worker.ask({ path: '/api/export?limit=500' })).text;
    const before = await read();
    await replay('uses');
    expect(await read()).toBe(before);
  });
});

it(
  'skips records that were injected at the session start or with a file read',
  { timeout: 60_000 },
  async () => {
    await using other = await openContextWorker();
    const ask = (session: string) => other.contextOf('UserPromptSubmit', session, { prompt: QUESTION });
    expect(await other.start('starts', 'startup')).toContain('Vouchers');
    expect(await ask('starts')).toBe('');
    await other.hook('UserPromptSubmit', 'reads', { prompt: 'Good morning' });
    expect(await other.poll(() => other.read('reads', 'src/cart.ts'))).toContain('Vouchers');
    expect(await ask('reads')).toBe('');
    expect(await other.poll(() => ask('neither'))).toContain('Vouchers');
    await other.worker.drained();
    expect(await replay('starts', { of: other })).toMatchObject([{ tokens: 0 }]);
    expect(await replay('reads', { of: other })).toMatchObject([{ tokens: 0 }, { tokens: 0 }]);
    expect((await replay('neither', { of: other }))[0]?.tokens).toBeGreaterThan(0);
  },
);
