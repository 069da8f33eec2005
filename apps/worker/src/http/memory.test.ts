import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentProvider } from '@claude-mem/agent-providers';
import { createLocalProvider } from '@claude-mem/agent-providers/local';
import type { Observation } from '@claude-mem/core';
import { createFixedClock } from '@claude-mem/core/testing';
import { loadDriver } from '@claude-mem/storage/driver';
import type { ForgetReply, RememberReply, SearchReply } from '@claude-mem/worker-protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { playTurn } from '../testing/play-turn.js';
import { startTestWorker, until, type TestWorker } from '../testing/start-test-worker.js';

let worker: TestWorker;
beforeEach(async () => {
  worker = await startTestWorker({ settings: { CLAUDE_MEM_EMBEDDER: 'none' } });
});
afterEach(() => worker[Symbol.asyncDispose]());

const send = async <Reply>(path: string, body: unknown, method = 'POST') => {
  const { status, json } = await worker.ask({ method, path, body });
  return { status, json: json as Reply };
};
const remember = (body: object) => send<RememberReply>('/api/memory', body);
const forget = (body: object) => send<ForgetReply>('/api/memory/forget', body);
const edit = (id: number, body: object) => send<Observation>(`/api/observations/${id}`, body, 'PATCH');
const found = async (words: string) => {
  const { json } = await worker.ask({ path: `/api/search?query=${encodeURIComponent(words)}` });
  return (json as SearchReply).items.flatMap(({ item }) => ('title' in item ? [item.title] : []));
};
const idOf = async (text: string, more = {}) =>
  (await remember({ text, cwd: worker.home.project, ...more })).json.observation.id;

describe('manual changes over HTTP', { timeout: 60_000 }, () => {
  it('B100: saves in exact words, shows by whom, and finds it at once', async () => {
    await playTurn(worker, 's-1');
    const session = { host: 'claude-code', contentSessionId: 's-1' };
    const { status, json } = await remember({
      text: 'Never deploy on Fridays\nThe release of May went wrong.',
      type: 'Decision',
      facts: ['Deploys: Monday to Thursday, before 3 pm'],
      concepts: ['gotcha'],
      files: ['deploy/release.sh'],
      session,
      pinned: true,
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      isNew: true,
      notes: [],
      observation: {
        source: 'manual',
        type: 'decision',
        title: 'Never deploy on Fridays',
        narrative: 'Never deploy on Fridays\nThe release of May went wrong.',
        facts: ['Deploys: Monday to Thursday, before 3 pm'],
        filesRead: ['deploy/release.sh'],
        pinned: true,
      },
    });
    const saver = await worker.ask({ path: `/api/sessions/${json.observation.sessionId}` });
    expect(saver.json).toMatchObject(session);
    expect(await found('deploy fridays')).toEqual(['Never deploy on Fridays']);
    const again = await remember({ text: 'Never deploy on Fridays', session });
    expect(again.json.observation.id).not.toBe(json.observation.id);
    const { json: first } = await worker.ask({ path: `/api/observations/${json.observation.id}` });
    expect(first).toEqual({ ...json.observation, project: 'demo', host: 'claude-code', supersedes: [] });
  });

  it('S10: forgets rejected events with a project or session, and reports them', async () => {
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

  it('S06: refuses an agent that pins, or supersedes a record that is pinned or saved manually', async () => {
    const savedBy = 'agent';
    expect(await remember({ text: 'Run curl', savedBy, pinned: true })).toMatchObject({ status: 403 });
    const pinned = await idOf('Rule of an agent', { savedBy });
    await edit(pinned, { pinned: true });
    const manual = await idOf('Old rule of a person');
    const plain = await idOf('Old rule of an agent', { savedBy });
    const request = { text: 'New rule', savedBy, cwd: worker.home.project };
    for (const id of [pinned, manual])
      expect(await remember({ ...request, supersedes: [id] })).toMatchObject({
        status: 403,
        json: { error: { message: expect.stringContaining(`only a person can supersede it: claude-mem`) } },
      });
    expect(await remember({ ...request, supersedes: [plain] })).toMatchObject({
      status: 200,
      json: { observation: { source: 'agent', pinned: false } },
    });
  });

  it('S06: reports how the person revives a record when an agent saves a superseded text of a person', async () => {
    const old = await idOf('Deploy with npm');
    const current = await idOf('Deploy after review', { supersedes: [old] });
    const { json } = await remember({ text: 'Deploy with npm', savedBy: 'agent', cwd: worker.home.project });
    expect(json).toMatchObject({ isNew: false, observation: { id: old, supersededBy: current } });
    expect(json.notes).toEqual([
      `#${old} is superseded by #${current}, and an agent cannot change that. The person can: claude-mem supersede ${old} --undo`,
    ]);
  });

  it('S06: refuses an agent that deletes a record that is pinned or saved manually, or that supersedes one', async () => {
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

  it('S06: forgets with "within" only records of that project', async () => {
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

  it('scrubs what is saved and edited, and says so', async () => {
    const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
    const { json } = await remember({ text: `The key is ${secret}`, cwd: worker.home.project });
    expect(json.notes).toEqual(['Private text and secrets were left out.']);
    expect(json.observation.title).not.toContain(secret);
    const edited = await edit(json.observation.id, { narrative: `key ${secret}`, facts: [`a ${secret}`] });
    expect(edited.status).toBe(200);
    expect(JSON.stringify(edited.json)).not.toContain(secret);
    expect((await remember({ text: '<private>only this</private>' })).status).toBe(409);
  });

  it('says everything that was cut, of what is saved and of what is edited', async () => {
    const { json } = await remember({
      text: `Title\n${'n'.repeat(10_001)}`,
      title: 't'.repeat(301),
      facts: ['f'.repeat(1_001), ...Array.from({ length: 50 }, (_, number) => `Fact ${number}`)],
      concepts: ['c'.repeat(101), 'd'.repeat(101)],
      files: Array.from({ length: 201 }, (_, number) => `file-${number}.ts`),
    });
    expect(json.notes).toEqual([
      'The title is longer than 300 characters and was cut.',
      'The text is longer than 10000 characters and was cut.',
      'Of 51 facts the first 50 were kept.',
      'One fact is longer than 1000 characters and was cut.',
      '2 concepts are longer than 100 characters and were cut.',
      'Of 201 files the first 200 were kept.',
    ]);
    const edited = await edit(json.observation.id, {
      type: 'Bugfix',
      subtitle: 's'.repeat(301),
      filesModified: ['m'.repeat(1_001)],
      narrative: 'short',
    });
    expect(edited.json).toMatchObject({
      type: 'bugfix',
      narrative: 'short',
      notes: [
        'The subtitle is longer than 300 characters and was cut.',
        'One changed file is longer than 1000 characters and was cut.',
      ],
    });
    expect((await edit(json.observation.id, { type: ' ' })).json).toMatchObject({
      type: 'bugfix',
      notes: ['A type needs a word: it stays as it was.'],
    });
  });

  it('takes the types of all modes, and says them where it is given another', async () => {
    const id = await idOf('A reading', { type: 'Finding' });
    for (const { status, json } of [
      await remember({ text: 'Else', type: 'nonsense' }),
      await edit(id, { type: 'nonsense' }),
    ])
      expect({ status, json }).toMatchObject({
        status: 400,
        json: {
          error: {
            message: expect.stringMatching(
              /^There is no type "nonsense"\. Types: bugfix, .*, finding, /,
            ) as string,
          },
        },
      });
    expect((await edit(id, { type: 'Source' })).json.type).toBe('source');
  });

  it('says so where what was superseded is said again, or what was known is pinned', async () => {
    const old = await idOf('Use yarn');
    const newer = await idOf('Use npm', { supersedes: [old] });
    const again = await remember({ text: 'Use yarn', cwd: worker.home.project, pinned: true });
    expect(again.json).toMatchObject({
      isNew: false,
      observation: { id: old, supersededBy: null, pinned: true },
      notes: [
        `#${newer} had superseded #${old}: it counts again, and supersedes #${newer}.`,
        `#${old} is pinned now.`,
      ],
    });
    const { json } = await worker.ask({
      path: `/api/context?cwd=${encodeURIComponent(worker.home.project)}`,
    });
    expect((json as { text: string }).text).toContain('Use yarn');
    expect((json as { text: string }).text).not.toContain('Use npm');
    const once = await remember({ text: 'Use yarn', cwd: worker.home.project, pinned: true });
    expect(once.json).toMatchObject({ isNew: false, notes: [] });
  });

  it('scrubs a secret also where it goes beyond the end of the title', async () => {
    const start = `The deploy of the shop reads its database from ${'x'.repeat(40)} at `;
    const secret = `postgres://admin:Sup3rS3cretPassw0rdThatIsVeryLong@db.example.com/shop`;
    const { json } = await remember({ text: `${start}${secret} and more`, cwd: worker.home.project });
    expect(JSON.stringify(json.observation)).not.toContain('Sup3rS3cret');
    expect(json.observation.title).toContain('The deploy of the shop');
  });

  it.each([
    { type: '' },
    { type: [] },
    { type: ' , ' },
    { project: [] },
    { project: '' },
    { project: '', type: 'discovery' },
    { concepts: [''], type: 'discovery' },
  ])('forgets nothing where a filter is empty: %j', async (filter) => {
    await idOf('Tea is at four');
    expect((await forget({ ...filter, confirm: true })).status).toBe(400);
    expect(await found('tea')).toEqual(['Tea is at four']);
  });

  it('refuses what it cannot file, and what the settings exclude', async () => {
    expect((await remember({ text: 'Of no project', project: 'neutral' })).status).toBe(200);
    expect((await remember({ text: 'x', session: { host: 'cursor' } })).status).toBe(200);
    expect((await remember({ text: 'x', session: { host: 'vim' } })).status).toBe(400);
    expect((await remember({ text: 'x', project: 'nowhere' })).json).toMatchObject({
      error: { message: expect.stringContaining('There is no project "nowhere"') as string },
    });
    const missing = join(worker.home.home, 'mistyped');
    expect((await remember({ text: 'x', project: missing })).json).toMatchObject({
      error: {
        message: expect.stringMatching(/There is no project .* create .*mistyped first\.$/) as string,
      },
    });
    mkdirSync(missing);
    expect((await remember({ text: 'Of a folder that is gone later', project: missing })).status).toBe(200);
    rmSync(missing, { recursive: true });
    expect((await remember({ text: 'y', project: missing })).status).toBe(200);
    expect((await remember({})).status).toBe(409);
    expect((await remember({ text: 'x', source: 'observer' })).status).toBe(400);
    await playTurn(worker, 's-1');
    await send('/api/settings', { CLAUDE_MEM_EXCLUDED_PROJECTS: [worker.home.project] });
    const refuses = async (where: object) => (await remember({ text: 'x', ...where })).status === 403;
    // The project of a folder is remembered for a moment.
    await until(() => refuses({ cwd: worker.home.project }));
    expect(await refuses({ project: worker.home.project })).toBe(true);
    expect(await refuses({ session: { host: 'claude-code', contentSessionId: 's-1' } })).toBe(true);
  });

  it('edits, pins and supersedes, with clear answers for what cannot be', async () => {
    const [a, b] = [await idOf('Use yarn'), await idOf('Use npm')];
    expect(await edit(a, { title: 'Use yarn 4' })).toMatchObject({
      status: 200,
      json: { title: 'Use yarn 4' },
    });
    expect(await edit(b, { pinned: true })).toMatchObject({ json: { pinned: true, title: 'Use npm' } });
    expect(await edit(a, { supersededBy: b })).toMatchObject({ json: { supersededBy: b } });
    expect(await edit(b, { supersededBy: a })).toMatchObject({ status: 409 });
    expect(await edit(999, { pinned: true })).toMatchObject({
      status: 404,
      json: { error: { message: 'There is no observation 999.' } },
    });
    expect(await edit(a, { supersededBy: 999 })).toMatchObject({ status: 404 });
    expect((await edit(a, {})).status).toBe(400);
    expect((await edit(a, { source: 'observer' })).status).toBe(400);
  });

  it('forgets by filter only after a look, and says which', async () => {
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

  it('forgets all that pass a filter, however many', async () => {
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

  it('forgets of a session also what still lies in the spool', async () => {
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

  it('forgets a session so that no byte of it is left in the data folder, and it does not come back', async () => {
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

  it('takes it out of the backups when asked, and says until when they hold it otherwise', async () => {
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

  it('takes earlier forgetting out of the backups alone, and leaves them where the file still holds it', async () => {
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

  it('begins the conversation of the observer anew after something of its session was edited or forgotten', async () => {
    const opened: (string | null)[] = [];
    await using observed = await startTestWorker({ providers: { local: async () => resuming(opened) } });
    const turn = async (number: number) => {
      const common = { session_id: 'observed', cwd: observed.home.project };
      await observed.hook('UserPromptSubmit', { ...common, prompt: `Raise the limit to ${number}` });
      await observed.hook('PostToolUse', {
        ...common,
        tool_name: 'Edit',
        tool_use_id: `toolu-${number}`,
        tool_input: { file_path: `${common.cwd}/a.ts`, old_string: 'a', new_string: `limit = ${number}` },
        tool_response: { filePath: `${common.cwd}/a.ts` },
      });
      await observed.hook('Stop', { ...common, last_assistant_message: `The limit is ${number} now.` });
      await observed.drained();
      const { json } = await observed.ask({ path: '/api/observations' });
      return (json as { items: Observation[] }).items[0]!.id;
    };
    const first = await turn(2);
    const second = await turn(3);
    expect(second).not.toBe(first);
    expect(opened).toEqual([null]);
    await observed.ask({ method: 'PATCH', path: `/api/observations/${first}`, body: { title: 'Other' } });
    await turn(4);
    expect(opened).toEqual([null, null]);
    await observed.ask({ method: 'POST', path: '/api/memory/forget', body: { ids: [second] } });
    await turn(5);
    expect(opened).toEqual([null, null, null]);
  });

  it('overwrites the old text in the file soon after an edit', async () => {
    const clock = createFixedClock(Date.now());
    await using edited = await startTestWorker({ clock });
    const request = (method: string, path: string, body: object) => edited.ask({ method, path, body });
    const saved = await request('POST', '/api/memory', {
      text: 'The ornithopter flies',
      facts: ['It flaps'],
    });
    const { id } = (saved.json as RememberReply).observation;
    const changes = { title: 'It flies', facts: [] };
    expect((await request('PATCH', `/api/observations/${id}`, changes)).status).toBe(200);
    await clock.advance(10_000);
    await until(() => filesWith(edited.home.paths.dataDir, /ornithopter/i).length === 0);
  });
});

/** The local observer, as if it went on with conversations; notes with which one each begins. */
function resuming(opened: (string | null)[]): AgentProvider {
  const local = createLocalProvider();
  return {
    ...local,
    capabilities: { ...local.capabilities, resumes: true },
    async startConversation(options = {}) {
      opened.push(options.resume ?? null);
      const memorySessionId = `conversation ${opened.length}`;
      const conversation = await local.startConversation(options);
      return {
        send: async (...parameters) => ({ ...(await conversation.send(...parameters)), memorySessionId }),
        [Symbol.asyncDispose]: () => conversation[Symbol.asyncDispose](),
      };
    },
  };
}

/** Another process in the middle of reading. */
function openReading(file: string) {
  const database = loadDriver().open(file, {});
  database.exec('BEGIN; SELECT count(*) FROM observations');
  return { end: () => database.close() };
}

/** A turn in which the word is everywhere. */
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

/** Files below a folder whose bytes hold it. */
function filesWith(folder: string, text: RegExp): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const file = join(folder, name);
    return statSync(file).isFile() && text.test(readFileSync(file).toString('latin1'));
  });
}
