import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadDriver } from '@claude-mem/storage/driver';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryRequests, filesWith } from '../testing/memory-requests.js';
import { playTurn } from '../testing/play-turn.js';
import { startTestWorker, type TestWorker } from '../testing/start-test-worker.js';

let worker: TestWorker;
beforeEach(async () => {
  worker = await startTestWorker();
});
afterEach(() => worker[Symbol.asyncDispose]());

const { send, remember, idOf, forget, edit, found } = createMemoryRequests(() => worker);

describe('deletion over HTTP', { timeout: 60_000 }, () => {
  it('S10: deletes rejected spool files when a project or session is deleted, and reports them', async () => {
    const { rejectedDir } = worker.home.paths;
    const reject = () => writeFileSync(join(rejectedDir, 'claude-code.Stop.a.json'), 'half an ev');
    await playTurn(worker, 's-rejected');
    reject();
    const body = { session: 's-rejected', confirm: true };
    await forget({ ...body, dryRun: true });
    expect(readdirSync(rejectedDir)).toHaveLength(1);
    expect((await forget({ ids: [await idOf('Not all of it')] })).status).toBe(200);
    expect(readdirSync(rejectedDir)).toHaveLength(1);
    expect((await forget(body)).json.notes).toContain(
      'Rejected spool files deleted: 1. They can belong to any project.',
    );
    expect(readdirSync(rejectedDir)).toEqual([]);
    reject();
    await playTurn(worker, 's-rejected-2');
    await forget({ project: 'demo', confirm: true });
    expect(readdirSync(rejectedDir)).toEqual([]);
  });

  it('S06: refuses a deletion by an agent when the record is pinned, manually saved, or supersedes such a record', async () => {
    const manual = await idOf('Rule of a person');
    const superseded = await idOf('Old rule of a person');
    const pinned = await idOf('Proposed rule', { savedBy: 'agent' });
    const successor = await idOf('Rule that a person accepted', { savedBy: 'agent' });
    const plain = await idOf('Note of an agent', { savedBy: 'agent' });
    await edit(pinned, { pinned: true });
    await edit(superseded, { supersededBy: successor });
    const request = { within: worker.home.project, forgottenBy: 'agent', undoSeconds: 86_400 };
    for (const id of [manual, pinned, successor])
      for (const dryRun of [true, false])
        expect(await forget({ ...request, dryRun, ids: [plain, id] }), `#${id}`).toMatchObject({
          status: 403,
          json: {
            error: {
              message: expect.stringContaining(`nothing was deleted: claude-mem forget ${id}`) as string,
            },
          },
        });
    expect((await forget({ ...request, ids: [plain] })).json).toMatchObject({ observations: 1 });
    expect((await forget({ ids: [manual] })).json).toMatchObject({ observations: 1 });
  });

  it('S06: deletes only records of the project when "within" is set', async () => {
    const own = await idOf('Of this project');
    const { json } = await remember({ text: 'Of no project', project: 'neutral' });
    const other = json.observation.id;
    const { json: first } = await worker.ask({ path: `/api/observations/${own}` });
    const within = worker.home.project;
    expect(first).toMatchObject({ project: 'demo' });
    expect((await forget({ ids: [own, other], within, undoSeconds: 86_400 })).json).toMatchObject({
      observations: 1,
      titles: [{ id: own }],
      missing: [other],
      undo: { forgetId: expect.any(Number) },
    });
    expect((await forget({ ids: [other], within: '/nowhere' })).json).toMatchObject({ observations: 0 });
    expect((await forget({ project: 'demo', within, confirm: true })).status).toBe(400);
  });

  it.each([
    { type: '' },
    { type: [] },
    { type: ' , ' },
    { project: [] },
    { project: '' },
    { project: '', type: 'discovery' },
    { concepts: [''], type: 'discovery' },
  ])('deletes nothing when the filter %j is empty', async (filter) => {
    await idOf('Tea is at four');
    expect((await forget({ ...filter, confirm: true })).status).toBe(400);
    expect(await found('tea')).toEqual(['Tea is at four']);
  });

  it('deletes by filter only with "confirm", and lists the records in a dry run', async () => {
    await idOf('Keep this');
    const ids = [await idOf('Drop one', { type: 'change' }), await idOf('Drop two', { type: 'change' })];
    expect((await forget({ type: 'change' })).status).toBe(400);
    const look = await forget({ type: 'change', dryRun: true });
    expect(look.json).toMatchObject({
      observations: 2,
      titles: [
        { id: ids[1], title: 'Drop two' },
        { id: ids[0], title: 'Drop one' },
      ],
    });
    expect(await found('drop')).toHaveLength(2);
    expect((await forget({ type: 'change', confirm: true })).json).toMatchObject({
      observations: 2,
      isErased: true,
    });
    expect(await found('drop keep')).toEqual(['Keep this']);
    expect((await forget({})).status).toBe(400);
    expect((await forget({ ids: [1], project: 'demo' })).status).toBe(400);
    expect((await forget({ project: 'nowhere', confirm: true })).status).toBe(404);
  });

  it('deletes all matching records when they fill more than one page', async () => {
    await idOf('Keep this');
    const many = Array.from({ length: 450 }, (_, index) => ({
      uid: `many-${index}`,
      project: '/repos/many',
      title: `Drop ${index}`,
      type: 'gossip',
    }));
    await send('/api/import', many);
    expect((await forget({ type: 'gossip', project: '/repos/many', confirm: true })).json.observations).toBe(
      450,
    );
    expect(await found('drop keep')).toEqual(['Keep this']);
  });

  it('deletes the events of the session that are still in the spool', async () => {
    await playTurn(worker, 's-1');
    await worker.drained();
    const file = join(worker.home.paths.spoolDir, 'claude-code.UserPromptSubmit.late.json');
    const prompt = { session_id: 's-1', cwd: worker.home.project, prompt: 'The ornithopter flies' };
    writeFileSync(
      file,
      `host: claude-code\nevent: UserPromptSubmit\nevent-id: late\n\n${JSON.stringify(prompt)}`,
    );
    expect((await forget({ session: 's-1', confirm: true })).json).toMatchObject({ sessions: 1, prompts: 2 });
    expect(filesWith(worker.home.paths.dataDir, /ornithopter/i)).toEqual([]);
  });

  it('leaves no byte of a deleted session in the data folder, and ignores its later events', async () => {
    await playOrnithopter();
    await worker.drained();
    await idOf('An ornithopter flaps', { session: { host: 'claude-code', contentSessionId: 'planted' } });
    expect(filesWith(worker.home.paths.dataDir, /ornithopter/i)).not.toEqual([]);
    const { json } = await forget({ session: 'planted', confirm: true, backups: true });
    expect(json).toMatchObject({ sessions: 1, prompts: 1, isErased: true, backups: 0, notes: [] });
    expect(filesWith(worker.home.paths.dataDir, /ornithopter/i)).toEqual([]);
    await playOrnithopter();
    await worker.drained();
    expect(filesWith(worker.home.paths.dataDir, /ornithopter/i)).toEqual([]);
  });

  it('deletes the record from backups with "backups", and otherwise reports until when backups can contain it', async () => {
    const kept = await idOf('Backed up quetzalcoatl');
    const other = await idOf('Stays here');
    await forget({ ids: [other], backups: true });
    const { json } = await forget({ ids: [kept] });
    expect(json.backups).toBe(1);
    expect(json.notes[0]).toMatch(/^Backups may still hold it \(1\), the last until about \d{4}-/);
    expect(filesWith(worker.home.paths.backupsDir, /quetzalcoatl/i)).toHaveLength(1);
    const [unrelated] = [await idOf('Another')];
    expect((await forget({ ids: [unrelated!], backups: true })).json.backups).toBe(0);
    expect(filesWith(worker.home.paths.dataDir, /quetzalcoatl/i)).toEqual([]);
  });

  it('removes earlier deletions from the backups only after the database file no longer contains them', async () => {
    const kept = await idOf('Backed up quetzalcoatl');
    await forget({ ids: [await idOf('Stays here')], backups: true });
    const held = () => filesWith(worker.home.paths.backupsDir, /quetzalcoatl/i).length;
    const reader = openReading(worker.home.paths.database);
    try {
      const { json } = await forget({ ids: [kept], backups: true });
      expect(json).toMatchObject({ observations: 1, isErased: false, backups: 1 });
      expect(json.notes[0]).toMatch(/left as they are.*claude-mem forget --backups/);
      expect(json.notes[1]).toBe('What is left of it in the file is overwritten later.');
      expect((await forget({ backups: true })).status).toBe(400);
      const look = await forget({ backups: true, dryRun: true });
      expect(look.json).toMatchObject({
        backups: 1,
        notes: [expect.stringContaining('Backups may') as string],
      });
      const again = await forget({ backups: true, confirm: true });
      expect(again.json).toMatchObject({ observations: 0, isErased: false, backups: 1 });
      expect(held()).toBe(1);
    } finally {
      reader.end();
    }
    const { json } = await forget({ backups: true, confirm: true });
    expect(json).toMatchObject({ observations: 0, isErased: true, backups: 0, notes: [] });
    expect(held()).toBe(0);
    expect(filesWith(worker.home.paths.dataDir, /quetzalcoatl/i)).toEqual([]);
  });
});

/** Opens a transaction that reads the database, as another process does. */
function openReading(file: string) {
  const database = loadDriver().open(file, {});
  database.exec('BEGIN; SELECT count(*) FROM observations');
  return { end: () => database.close() };
}

/** Sends a turn that contains the word in every field. */
async function playOrnithopter() {
  const { project } = worker.home;
  const common = { session_id: 'planted', cwd: project };
  await worker.hook('UserPromptSubmit', { ...common, prompt: 'How does the ornithopter fly?' });
  await worker.hook('PostToolUse', {
    ...common,
    tool_name: 'Edit',
    tool_use_id: 'toolu-planted',
    tool_input: { file_path: `${project}/ornithopter.ts`, old_string: 'a', new_string: 'ornithopter()' },
    tool_response: { filePath: `${project}/ornithopter.ts` },
  });
  await worker.hook('Stop', {
    ...common,
    last_assistant_message: 'The ornithopter flaps in ornithopter.ts.',
  });
}
