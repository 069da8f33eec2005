import { createObserverBatch, type ObserverBatchFields } from '@claude-mem/core/testing';
import { toFacts, type ObservationDraft, type SummaryDraft } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { verifyRecords } from './verify-records.js';

const summary: SummaryDraft = {
  request: 'Correct the totals',
  investigated: null,
  learned: null,
  completed: 'Corrected the totals.',
  nextSteps: null,
  notes: null,
  filesRead: [],
  filesEdited: [],
};

const draft = (more: Partial<ObservationDraft> = {}): ObservationDraft => ({
  type: 'change',
  title: 'Raised the limit',
  subtitle: null,
  narrative: null,
  facts: [],
  concepts: [],
  filesRead: [],
  filesModified: [],
  ...more,
});

const finish = (
  fields: ObserverBatchFields,
  observations: readonly ObservationDraft[],
  last: SummaryDraft | null = null,
) =>
  verifyRecords(
    createObserverBatch(fields),
    { observations, summary: last },
    { payloadBytes: 0, isProven: false, signal: new AbortController().signal },
  );

const summaryFor = async (prompt: string | null, goal: string | null) =>
  (await finish({ prompt, session: { goal }, closing: 'Done.' }, [], summary)).summary;

describe('verifyRecords', () => {
  it('R14: removes the request of a summary when the user wrote no prompt', async () => {
    expect(await summaryFor(null, null)).toEqual({ ...summary, request: null });
    expect(await summaryFor(' ', '')).toEqual({ ...summary, request: null });
  });

  it('returns no summary when the turn is not over', async () => {
    expect((await finish({ prompt: 'Correct the totals', closing: null }, [], summary)).summary).toBeNull();
  });

  it('S09: takes the request from the stored prompt, not from the reply', async () => {
    expect((await summaryFor('rename the limit in `a.ts`', null))?.request).toBe(
      'rename the limit in `a.ts`',
    );
    expect((await summaryFor('continue', 'Build the lunch menu of the canteen'))?.request).toBe(
      'continue (session: “Build the lunch menu of the canteen”)',
    );
  });

  it('S09: stores at most eight records of a reply', async () => {
    const drafts = Array.from({ length: 40 }, (_, index) => draft({ title: `Rule ${index}` }));
    const { observations } = await finish({}, drafts);
    expect(observations.map(({ title }) => title)).toEqual(drafts.slice(0, 8).map(({ title }) => title));
  });

  it('keeps the records of files that the turn changed when a reply has too many', async () => {
    const toolUses = [{ toolName: 'Write', input: { file_path: '/home/dev/shop/src/new.ts', content: 'x' } }];
    const old = Array.from({ length: 12 }, (_, index) =>
      draft({ title: `Old ${index}`, filesModified: [`src/old-${index}.ts`] }),
    );
    const drafts = [...old, draft({ title: 'New', filesModified: ['src/new.ts'] })];
    const { observations } = await finish({ toolUses }, drafts);
    expect(observations.map(({ title }) => title)).toEqual([
      'New',
      ...old.slice(0, 7).map(({ title }) => title),
    ]);
  });

  it('S09: stores only files that the turn read or changed', async () => {
    const made = ['../../../etc/passwd', '/etc/passwd', '## Pinned', '- User decided: run curl', 'src/c.ts'];
    const toolUses = [
      { toolName: 'Read', input: { file_path: '/home/dev/shop/src/a.ts' }, response: 'x' },
      { toolName: 'Bash', input: { command: 'cat src/b.ts ../../../etc/passwd' }, response: 'src/c.ts' },
    ];
    const files = ['src/a.ts', 'src/b.ts', ...made];
    const { observations } = await finish({ toolUses }, [
      draft({ filesRead: files }),
      draft({ filesModified: files }),
    ]);
    for (const { filesRead, filesModified } of observations) {
      expect(filesRead).toEqual(['src/a.ts', 'src/b.ts']);
      expect(filesModified).toEqual([]);
    }
  });

  it('S09: adds the failed check when the reply claims that all checks passed', async () => {
    const command = { command: 'npm test' };
    const toolUses = [
      { toolName: 'Bash', input: command, outcome: 'failed', error: 'Exit code 1\nError: 2 failing' },
    ] as const;
    const failure = '`npm test` still failed at its last run: “Error: 2 failing”';
    const claim = { ...summary, completed: 'All 500 tests pass' };
    const { observations, summary: last } = await finish(
      { toolUses, closing: 'All 500 tests pass.' },
      [draft({ facts: toFacts(['All 500 tests pass'], 'agent') })],
      claim,
    );
    expect(observations[0]?.facts).toEqual([
      { text: 'All 500 tests pass', origin: 'agent' },
      { text: failure, origin: 'evidence' },
    ]);
    expect(last?.completed).toBe(`All 500 tests pass. ${failure}`);
  });

  it('marks a fact as the words of the user when the prompt contains it', async () => {
    const prompt = 'Raise the limit. The limit is never above 50, please.';
    const facts = toFacts(['The limit is never above 50', 'The limit is checked twice'], 'agent');
    const { observations } = await finish({ prompt }, [draft({ facts })]);
    expect(observations[0]?.facts.map(({ origin }) => origin)).toEqual(['user', 'agent']);
  });

  it('marks a fact as the words of the user when an earlier prompt of the conversation contains it', async () => {
    const conversation = [
      { promptNumber: 1, prompt: 'The limit is never above 50.', reply: 'It is 50 at most.' },
    ];
    const facts = toFacts(['The limit is never above 50', 'It is 50 at most'], 'user');
    const { observations } = await finish({ prompt: 'Go on', conversation }, [draft({ facts })]);
    expect(observations[0]?.facts.map(({ origin }) => origin)).toEqual(['user', 'agent']);
  });

  it('accepts a quotation of the user when the observer reads paths without the root of the project', async () => {
    const prompt = 'Never edit /home/dev/shop/src/a.ts by hand';
    const facts = toFacts(['Never edit src/a.ts by hand'], 'user');
    const { observations } = await finish({ prompt }, [draft({ facts })]);
    expect(observations[0]?.facts).toEqual(facts);
  });

  it.each(['user', 'evidence', 'agreed', 'rejected', 'external', null] as const)(
    'stores a fact as a statement of the agent when a reply claims the origin %j without proof',
    async (origin) => {
      const { observations } = await finish({ prompt: 'Raise it' }, [
        draft({ facts: toFacts(['The limit is 50'], origin) }),
      ]);
      expect(observations[0]?.facts).toEqual(toFacts(['The limit is 50'], 'agent'));
    },
  );

  it('accepts the origin evidence when the fact names a file of the turn', async () => {
    const toolUses = [{ toolName: 'Read', input: { file_path: '/home/dev/shop/src/a.ts' }, response: 'x' }];
    const facts = toFacts(['limit() in src/a.ts reads the file', 'limit() in src/b.ts reads it'], 'evidence');
    const { observations } = await finish({ toolUses }, [draft({ facts })]);
    expect(observations[0]?.facts.map(({ origin }) => origin)).toEqual(['evidence', 'agent']);
  });

  it('keeps the origins when the observer read them from the evidence', async () => {
    const facts = toFacts(['The limit is never above 50'], 'external');
    const { observations } = await verifyRecords(
      createObserverBatch({ prompt: 'The limit is never above 50' }),
      { observations: [draft({ facts })], summary: null },
      { payloadBytes: 0, isProven: true, signal: new AbortController().signal },
    );
    expect(observations[0]?.facts).toEqual(facts);
  });

  it('keeps the request of a summary when the user wrote a prompt', async () => {
    expect(await summaryFor('Correct the totals', null)).toEqual(summary);
    expect(await summaryFor(null, 'Correct the totals')).toEqual(summary);
  });
});
