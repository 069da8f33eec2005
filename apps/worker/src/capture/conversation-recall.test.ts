import { estimateTokens } from '@claude-mem/core';
import { RECALL_TOKENS } from '@claude-mem/context-render';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openContextWorker } from '../testing/open-context-worker.js';

const context = await openContextWorker();
const { worker } = context;
afterAll(() => context[Symbol.asyncDispose]());

type Exchange = [prompt: string, reply: string | null];

async function talk(session: string, exchanges: readonly Exchange[]): Promise<void> {
  for (const [prompt, reply] of exchanges) {
    await context.hook('UserPromptSubmit', session, { prompt });
    if (reply !== null) await context.hook('Stop', session, { last_assistant_message: reply });
    await worker.drained();
  }
}

interface Listed {
  id: number;
  title: string;
  type: string;
  supersededBy: number | null;
  facts: { text: string; origin: string | null }[];
}
const decisions = async () => {
  const { json } = await worker.ask({ path: '/api/observations?limit=200' });
  return (json as { items: Listed[] }).items.filter(({ type }) => type === 'decision');
};
const ask = (session: string, prompt: string) => context.contextOf('UserPromptSubmit', session, { prompt });

const PARCELS: Exchange[] = [
  [
    'Parcels to the islands are handed over a day late since Monday, and the harbour depot complains.',
    'The handover cutoff is read in UTC. I will move the cutoff to 18:00 for all depots. Should every depot use the same hour?',
  ],
  [
    'No. Each depot keeps its own handover cutoff in its own time zone, never a shared one. The ferry contract names 16:30 for the harbour depot.',
    'Understood: each depot has its own handover cutoff in its own time zone, and the harbour depot uses 16:30 as in the ferry contract.',
  ],
  ['Right.', 'Done.'],
];
const QUESTION =
  'Customers report parcels for the islands that miss the ferry: the handover at the harbour depot is late.';

describe('recall of statements from conversations', { timeout: 60_000 }, () => {
  beforeAll(() => talk('parcels', PARCELS));

  it('creates one decision record from a conversation without tool calls, with the origin of each fact', async () => {
    const [record, ...others] = await decisions();
    expect(others).toEqual([]);
    expect(record?.facts).toContainEqual({
      text: 'No. Each depot keeps its own handover cutoff in its own time zone, never a shared one.',
      origin: 'user',
    });
    expect(record?.facts).toContainEqual(expect.objectContaining({ origin: 'agreed' }));
  });

  it('injects the statements once per session when a prompt has the same subject', async () => {
    const text = await context.poll(() => ask('asks', QUESTION));
    expect(text).toMatch(/Decided in an earlier conversation \(#\d+, .+\):\n- User: /);
    expect(text).toContain('16:30');
    expect(await ask('asks', QUESTION)).not.toContain('16:30');
    const preview = await context.preview({ prompt: QUESTION });
    expect(preview.statements).toBe(preview.text.match(/^- /gm)?.length);
  });

  it('lists the decision at the start of a session', async () => {
    const text = await context.contextOf('SessionStart', 'starts', { source: 'startup' });
    expect(text).toMatch(
      /## Decided in earlier conversations[^#]*\n- #\d+, .+: "User: No\. Each depot keeps its own/,
    );
  });

  it('injects no statements when a prompt has another subject', async () => {
    expect(await ask('other', 'The login page shows the wrong language after a redirect.')).not.toContain(
      'cutoff',
    );
  });

  it('injects the current rule and not the rule that it replaced', async () => {
    await talk('ferry', [
      [
        'Amendment to the handover cutoff of the depots: the ferry contract changed.',
        'Which hour replaces 16:30 at the harbour depot?',
      ],
      [
        'From now on 15:00. Each depot still has its own cutoff in its own time zone.',
        'Understood: the harbour depot uses 15:00 as handover cutoff, superseding 16:30. Each depot keeps its own cutoff in its own time zone.',
      ],
    ]);
    const [newest, oldest] = await decisions();
    expect(oldest?.supersededBy).toBe(newest?.id);
    const text = await context.poll(() => ask('asks later', QUESTION));
    expect(text).toContain('15:00');
    expect(text).not.toContain('The ferry contract names 16:30');
  });

  it('injects the matching facts when a person added more facts to the record', async () => {
    const [record] = await decisions();
    const facts = [
      'The harbour depot uses 14:00.',
      ...Array.from({ length: 20 }, (_, at) => `${at} `.repeat(90)),
    ];
    await worker.ask({ method: 'PATCH', path: `/api/observations/${record!.id}`, body: { facts } });
    const text = await context.poll(() => ask('asks after an edit', QUESTION));
    expect(text).toContain('- User: The harbour depot uses 14:00.');
    expect(estimateTokens(text)).toBeLessThanOrEqual(RECALL_TOKENS);
  });

  it('lists a record that a person edited when it has no facts', async () => {
    const [record] = await decisions();
    const narrative = 'Forklift batteries are swapped at the quay before the zeppelin departs.';
    const body = { title: 'Forklift batteries of the zeppelin quay', facts: [], narrative };
    await worker.ask({ method: 'PATCH', path: `/api/observations/${record!.id}`, body });
    await worker.drained();
    const text = await context.poll(() =>
      ask('asks without facts', 'Which forklift batteries do we swap at the quay of the zeppelin?'),
    );
    expect(text).toContain(`#${record!.id}`);
  });

  it('injects nothing of a conversation whose record was deleted', async () => {
    const ids = (await decisions()).map(({ id }) => id);
    await context.post('/api/memory/forget', { ids });
    expect(await ask('asks at last', QUESTION)).not.toContain('cutoff');
  });
});
