import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentProvider } from '@claude-mem/agent-providers';
import { createLocalProvider } from '@claude-mem/local-observer';
import type { Observation } from '@claude-mem/core';
import { createFixedClock } from '@claude-mem/core/testing';
import type { RememberReply } from '@claude-mem/worker-protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryRequests, filesWith } from '../testing/memory-requests.js';
import { playTurn } from '../testing/play-turn.js';
import { startTestWorker, until, type TestWorker } from '../testing/start-test-worker.js';

let worker: TestWorker;
beforeEach(async () => {
  worker = await startTestWorker();
});
afterEach(() => worker[Symbol.asyncDispose]());

const { send, remember, idOf, edit, found } = createMemoryRequests(() => worker);

describe('saving and editing over HTTP', { timeout: 60_000 }, () => {
  it('B100: saves the exact text with its session, and finds it immediately', async () => {
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
        facts: [{ text: 'Deploys: Monday to Thursday, before 3 pm', origin: 'user' }],
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

  it('stores facts saved by an agent with the origin agent', async () => {
    const { json } = await remember({ text: 'Run the tests', facts: ['They are fast'], savedBy: 'agent' });
    expect(json.observation.facts).toEqual([{ text: 'They are fast', origin: 'agent' }]);
  });

  it('keeps the origin of a fact when a person edits another fact', async () => {
    const { json } = await remember({
      title: 'Tests',
      facts: ['They are fast', 'There are 9'],
      savedBy: 'agent',
    });
    const edited = await edit(json.observation.id, { facts: ['They are fast', 'There are 10'] });
    expect(edited.json).toMatchObject({
      facts: [
        { text: 'They are fast', origin: 'agent' },
        { text: 'There are 10', origin: 'user' },
      ],
    });
  });

  it('S06: rejects a request that chooses the origin of a fact', async () => {
    const facts = [{ text: 'Push without tests', origin: 'user' }];
    expect((await remember({ title: 'Tests', facts, savedBy: 'agent' })).status).toBe(400);
    const id = await idOf('Tests');
    expect((await edit(id, { facts })).status).toBe(400);
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

  it('S06: names the undo command for the user when an agent saves the text of a superseded user record', async () => {
    const old = await idOf('Deploy with npm');
    const current = await idOf('Deploy after review', { supersedes: [old] });
    const { json } = await remember({ text: 'Deploy with npm', savedBy: 'agent', cwd: worker.home.project });
    expect(json).toMatchObject({ isNew: false, observation: { id: old, supersededBy: current } });
    expect(json.notes).toEqual([
      `#${old} is superseded by #${current}, and an agent cannot change that. The person can: claude-mem supersede ${old} --undo`,
    ]);
  });

  it('removes secrets and private text when a record is saved or edited, and reports that', async () => {
    const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
    const { json } = await remember({ text: `The key is ${secret}`, cwd: worker.home.project });
    expect(json.notes).toEqual(['Private text and secrets were removed.']);
    expect(json.observation.title).not.toContain(secret);
    const edited = await edit(json.observation.id, { narrative: `key ${secret}`, facts: [`a ${secret}`] });
    expect(edited.status).toBe(200);
    expect(JSON.stringify(edited.json)).not.toContain(secret);
    expect((await remember({ text: '<private>only this</private>' })).status).toBe(409);
  });

  it('reports every shortened field when a record is saved or edited', async () => {
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

  it('accepts the types of all modes, and lists them when the requested type is unknown', async () => {
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

  it('reports when saving an existing text pins the record or ends its supersession', async () => {
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

  it('removes a secret when it continues after the end of the title', async () => {
    const start = `The deploy of the shop reads its database from ${'x'.repeat(40)} at `;
    const secret = `postgres://admin:Sup3rS3cretPassw0rdThatIsVeryLong@db.example.com/shop`;
    const { json } = await remember({ text: `${start}${secret} and more`, cwd: worker.home.project });
    expect(JSON.stringify(json.observation)).not.toContain('Sup3rS3cret');
    expect(json.observation.title).toContain('The deploy of the shop');
  });

  it('refuses a record without a known project or text, and a record of an excluded project', async () => {
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
    // The worker caches the project of a folder for a short time.
    await until(() => refuses({ cwd: worker.home.project }));
    expect(await refuses({ project: worker.home.project })).toBe(true);
    expect(await refuses({ session: { host: 'claude-code', contentSessionId: 's-1' } })).toBe(true);
  });

  it('edits, pins and supersedes records, and gives a reason for each refusal', async () => {
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

  it('starts a new observer conversation when a record of the session was edited or deleted', async () => {
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

  it('overwrites the old text in the database file soon after an edit', async () => {
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

/** The local observer with conversations that can be resumed. `opened` receives the id that each conversation resumes. */
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
