import { toFacts, type ImportedRecord } from '@claude-mem/core';
import { createFixedClock } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { importRecords } from './import-records.js';

const NOW = 1_764_340_200_000;

async function take(request: Parameters<typeof importRecords>[0]) {
  const stored: ImportedRecord[] = [];
  const sizes: number[] = [];
  const reply = await importRecords(request, {
    store: {
      importRecords: async (records) => {
        if (records.length > 0) sizes.push(records.length);
        stored.push(...records);
        const none = {
          known: 0,
          forgotten: 0,
          failed: [],
          pinned: 0,
          manual: 0,
          userFacts: 0,
          superseded: 0,
        };
        return { inserted: records.length, ...none, notSuperseded: [], existingUpTo: 7 };
      },
    },
    findProject: (project) => ({
      project: project === '/links/demo' ? { key: '/repos/demo', name: 'demo' } : null,
      isExcluded: project === '/secret',
    }),
    clock: createFixedClock(NOW),
  });
  return { reply, stored, sizes };
}

const lines = (...values: unknown[]) => ({ lines: values.map((value) => JSON.stringify(value)) });

describe('importRecords', () => {
  it('removes private text that begins in one field and ends in another', async () => {
    const { stored } = await take(
      lines(
        { uid: 'a', title: 'A <private>', narrative: 'zeta9', facts: ['zeta9</private>', 'b'] },
        { uid: 'b', title: 'Another' },
      ),
    );
    expect(stored).toMatchObject([{ title: 'A', facts: toFacts(['', 'b'], null) }, { title: 'Another' }]);
    expect(JSON.stringify(stored)).not.toContain('zeta9');
  });

  it('imports a record with all fields, and a record with only the required fields', async () => {
    const { reply, stored } = await take(
      lines(
        {
          uid: 'a',
          project: '/repos/demo',
          session: 's-1',
          prompt_number: 3,
          type: 'bugfix',
          title: 'Title',
          subtitle: 'Sub',
          narrative: 'Text',
          facts: [
            'one',
            { text: 'two', origin: 'evidence' },
            { text: 'three', origin: 'of a later version' },
          ],
          concepts: ['gotcha'],
          files_read: ['a.ts'],
          files_modified: ['b.ts'],
          created_at: '2026-01-02T03:04:05.678Z',
          file_states: [
            { path: 'b.ts', role: 'modified', blob: 'b'.repeat(40) },
            { path: 'a.ts', role: 'read', blob: '--output=x' },
            { path: 'c.ts', role: 'of a later version', blob: null },
          ],
          conversation_hash: 'h',
          unknown: { is: 'passed over' },
        },
        { uid: 7, facts: ['only a fact'] },
      ),
    );
    expect(reply).toMatchObject({ inserted: 2, known: 0, forgotten: 0, failed: [] });
    expect(stored).toEqual([
      {
        uid: 'a',
        project: '/repos/demo',
        host: null,
        session: 's-1',
        promptNumber: 3,
        type: 'bugfix',
        title: 'Title',
        subtitle: 'Sub',
        narrative: 'Text',
        facts: [
          { text: 'one', origin: null },
          { text: 'two', origin: 'evidence' },
          { text: 'three', origin: null },
        ],
        concepts: ['gotcha'],
        filesRead: ['a.ts'],
        filesModified: ['b.ts'],
        createdAtEpoch: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
        updatedAtEpoch: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
        pinned: false,
        supersededBy: null,
        supersedes: [],
        source: 'import',
        provider: null,
        model: null,
        agentId: null,
        agentType: null,
        discoveryTokens: 0,
        fileStates: [
          { path: 'b.ts', role: 'modified', blob: 'b'.repeat(40) },
          { path: 'a.ts', role: 'read', blob: null },
        ],
        conversationHash: 'h',
      },
      expect.objectContaining({
        uid: '7',
        project: null,
        session: null,
        promptNumber: 0,
        type: 'discovery',
        title: null,
        createdAtEpoch: NOW,
      }),
    ]);
  });

  const unusable: [unknown, RegExp][] = [
    [[], /no JSON object/],
    [null, /no JSON object/],
    ['text', /no JSON object/],
    [{ title: 'x' }, /uid is missing/],
    [{ uid: ' ', title: 'x' }, /uid is missing/],
    [{ uid: {}, title: 'x' }, /uid must be a text/],
    [{ uid: 'a' }, /neither title nor narrative nor facts/],
    [{ uid: 'a', title: ' ', facts: [''] }, /neither title nor narrative nor facts/],
    [{ uid: 'a', title: 5 }, /title must be a text/],
    [{ uid: 'a', title: 'x', facts: 'y' }, /facts must be a list of texts/],
    [{ uid: 'a', title: 'x', facts: [{ origin: 'user' }] }, /facts must be a list of texts/],
    [{ uid: 'a', title: 'x', concepts: [1] }, /concepts must be a list of texts/],
    [{ uid: 'a', title: 'x', prompt_number: -1 }, /prompt_number/],
    [{ uid: 'a', title: 'x', prompt_number: '3' }, /prompt_number/],
    [{ uid: 'a', title: 'x', created_at: 'yesterday' }, /created_at/],
    [{ uid: 'a', title: 'x', created_at: '2026-02-30' }, /created_at/],
    [{ uid: 'a', title: 'x', created_at: -5 }, /created_at/],
    [{ uid: 'a', title: 'x', created_at: true }, /created_at/],
    [{ uid: 'a', title: 'x', project: '/secret' }, /excluded/],
    [{ uid: 'a', title: '<private>all of it</private>' }, /nothing is left/],
    [{ kind: 'other', uid: 'a', title: 'x' }, /kind must be one of observation, project/],
    [{ uid: 'a', title: 'x', host: 'nowhere' }, /host must be one of/],
    [{ uid: 'a', title: 'x', pinned: 'yes' }, /pinned must be true or false/],
    [{ kind: 'prompt', uid: 'a' }, /text is missing/],
    [{ kind: 'prompt', uid: 'a', text: 'x', agent_reply: 5 }, /agent_reply must be a text/],
    [{ kind: 'session', uid: 'a', tool_uses: [{ tool: 'Read' }] }, /tool_uses must be a list/],
    [{ kind: 'session', uid: 'a', completed_at: 'later' }, /completed_at/],
    [{ uid: 'a', title: 'x', file_states: 'y' }, /file_states must be a list/],
    [{ kind: 'summary', learned: 'x' }, /uid is missing/],
    [{ kind: 'project', name: 'x' }, /project is missing/],
    [{ kind: 'project', project: '/secret' }, /excluded/],
  ];
  it.each(unusable)('reports the line of %j and imports the other lines', async (record, reason) => {
    const { reply, stored } = await take(
      lines({ uid: 'before', title: 'x' }, record, { uid: 'after', title: 'x' }),
    );
    expect(stored.map((record) => 'uid' in record && record.uid)).toEqual(['before', 'after']);
    expect(reply).toMatchObject({
      inserted: 2,
      known: 0,
      forgotten: 0,
      failed: [{ line: 2, reason: expect.stringMatching(reason) }],
    });
  });

  it('reports that a line is not JSON without repeating its content', async () => {
    const { reply } = await take({
      lines: ['{"uid":"a","title":"password=hunter2hunter2', '', `${'['.repeat(50_000)}`],
    });
    expect(reply.failed).toEqual([
      { line: 1, reason: 'it is no JSON: it cannot be parsed' },
      { line: 3, reason: 'it is no JSON: it is nested too deep' },
    ]);
  });

  it('stores no secret and no private text', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const { stored } = await take([
      {
        uid: 'a',
        title: `Use ${secret}`,
        narrative: `x <private>hidden words</private> y`,
        facts: [secret, { text: secret, origin: 'agent' }],
        concepts: [secret],
        files_read: [secret],
        file_states: [{ path: secret, role: 'read', blob: null }],
      },
    ]);
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toMatch(/ghp_a1B2|hidden words/);
  });

  it('R04: stores a record under the same project for every path of its folder', async () => {
    const { stored } = await take(
      lines(
        { uid: 'a', project: '/links/demo', title: 'x' },
        { kind: 'session', uid: 'b', project: '/links/demo', session: 's' },
        { uid: 'c', project: 'a name', title: 'x' },
      ),
    );
    const demo = { key: '/repos/demo', name: 'demo' };
    expect(stored.map(({ project }) => project)).toEqual([demo, demo, 'a name']);
  });

  it('stores no secret of a session, prompt, summary or project', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const text = `Use ${secret} <private>hidden words</private>`;
    const { stored, reply } = await take(
      lines(
        { kind: 'project', project: '/p', name: text },
        { kind: 'session', uid: 's', cwd: text, title: text, user_prompt: text },
        { kind: 'session', uid: 't', tool_uses: [{ tool: text, count: 1, failed: 0 }] },
        { kind: 'prompt', uid: 'p', text, agent_reply: text, branch: text, head_commit: text },
        { kind: 'summary', uid: 'm', request: text, notes: text, files_read: [text] },
      ),
    );
    expect(reply.failed).toEqual([]);
    expect(stored).toHaveLength(5);
    expect(stored).toContainEqual(expect.objectContaining({ agentReply: expect.stringContaining('Use ') }));
    expect(JSON.stringify(stored)).not.toMatch(/ghp_a1B2|hidden words/);
  });

  it('stores many records in small transactions', async () => {
    const { reply, sizes } = await take(
      Array.from({ length: 120 }, (_, index) => ({ uid: `u-${index}`, title: 'x' })),
    );
    expect(reply.inserted).toBe(120);
    expect(sizes).toEqual([50, 50, 20]);
  });
});
