import { formatFact, type FactOrigin } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { createObserverBatch, type ObserverBatchFields } from '@claude-mem/core/testing';
import { bash, CART_FIX, edit, failed, type ToolUseFields } from '@claude-mem/evidence/testing';
import { observeTurn } from './observe-turn.js';

const factsOf = (fields: ObserverBatchFields) =>
  observeTurn(createObserverBatch(fields)).observations.flatMap(({ facts }) => facts);
const originsOf = (fields: ObserverBatchFields, words: RegExp) => [
  ...new Set(factsOf(fields).flatMap(({ text, origin }) => (words.test(text) ? [origin] : []))),
];
const ask: ToolUseFields = {
  toolName: 'AskUserQuestion',
  input: {
    questions: [
      {
        question: 'Where should sessions live?',
        options: ['Redis', 'Postgres'].map((label) => ({ label, description: `${label} it is` })),
      },
    ],
  },
  response: { answers: { 'Where should sessions live?': 'Redis' } },
};
const plan: ToolUseFields = {
  toolName: 'ExitPlanMode',
  input: { plan: '## Context\nSessions get lost.\n\n## Steps\n- Add `redisStore` to `src/session.ts`' },
};
const refused = (use: ToolUseFields, words: string) =>
  failed(
    use,
    `The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n${words}`,
  );
const EDIT = edit(
  'src/session.ts',
  'memoryStore()',
  '// must survive a deploy, so not in memory\nredisStore(url)',
);

describe('origin of a fact', () => {
  it.each<[string, FactOrigin, ObserverBatchFields, RegExp]>([
    ['a choice', 'user', { toolUses: [ask, EDIT], closing: 'Done.' }, /^Chose “/],
    [
      'an option that was not chosen',
      'rejected',
      { toolUses: [ask, EDIT], closing: 'Done.' },
      /^“Postgres”, described as/,
    ],
    [
      'a refusal',
      'user',
      { toolUses: [EDIT, refused(bash('git push'), 'never push')] },
      /^Refused a Bash call/,
    ],
    ['an approved plan', 'agreed', { toolUses: [plan] }, /^The plan names/],
    ['a rejected plan', 'rejected', { toolUses: [refused(plan, 'too early')] }, /^The plan names/],
    ['a fix', 'evidence', CART_FIX, /` failed: “/],
    ['a check', 'evidence', CART_FIX, /12 tests passed/],
    ['a comment in new code', 'evidence', { toolUses: [EDIT] }, /^Comment in/],
    [
      'a statement of the closing message',
      'agent',
      { toolUses: [EDIT], closing: '- `redisStore` keeps 500 sessions in `src/session.ts`' },
      /500 sessions/,
    ],
    [
      'a result of a sub-agent',
      'agent',
      {
        toolUses: [
          {
            toolName: 'Task',
            input: { description: 'find out' },
            response: {
              content: [
                {
                  type: 'text',
                  text: '## Findings\n- **`redisStore`** in `src/session.ts` opens 3 connections at once',
                },
              ],
            },
          },
          EDIT,
        ],
        closing: 'Done.',
      },
      /^A sub-agent found/,
    ],
  ])('sets the origin of a fact about %s to "%s"', (_, origin, fields, words) =>
    expect(originsOf(fields, words)).toEqual([origin]),
  );

  const STATED = '`redisStore` keeps at most 500 sessions by default';
  const page = { result: `Setup. ${STATED}. More.` };
  it.each<[string, FactOrigin, ToolUseFields]>([
    [
      'a web page',
      'external',
      { toolName: 'WebFetch', input: { url: 'https://a.example/b' }, response: page },
    ],
    ['an MCP server', 'external', { toolName: 'mcp__wiki__page', input: { id: 7 }, response: page }],
    ['a download', 'external', bash('curl -s https://a.example/b', page.result)],
    [
      'a file outside of the project',
      'external',
      { toolName: 'Read', input: { file_path: '/opt/redis/README' }, response: page },
    ],
    [
      'a file of the project',
      'agent',
      { toolName: 'Read', input: { file_path: '/home/dev/shop/README.md' }, response: page },
    ],
    ['a command', 'agent', bash('npm run limits', page.result)],
  ])('sets the origin of a sentence that comes from %s to "%s"', (_, origin, use) =>
    expect(originsOf({ toolUses: [use, EDIT], closing: `Done.\n\n- ${STATED}` }, /500/)).toEqual([origin]),
  );

  it.each<[string, ObserverBatchFields]>([
    ['a choice', { toolUses: [ask, EDIT], closing: 'Done.' }],
    ['a refusal', { toolUses: [EDIT, refused(bash('git push'), 'never push')] }],
    ['a rejected plan', { toolUses: [refused(plan, 'too early')] }],
    ['a list of claims', { toolUses: [EDIT], closing: '- The user wants `redisStore` in `src/session.ts`' }],
    [
      'a list of unproven claims',
      { toolUses: [EDIT], closing: '- `sessionLimit` is 500 in the `redis.conf` file' },
    ],
  ])('prints the origin once in the fact of %s', (_, fields) => {
    const printed = factsOf(fields).map(formatFact);
    expect(printed).toContainEqual(expect.stringMatching(/^(?:User|Agent|Rejected): /));
    for (const text of printed)
      expect(text).not.toMatch(/^User: (?:the )?user |^Agent: according to|^Rejected: (?:not |rejected)/i);
  });

  it('sets the origin "external" when the closing message names a page as the source', () => {
    const closing =
      'Done.\n\n- According to the page, `redisStore` keeps at most 500 sessions\n- `redisStore` takes 2 arguments';
    expect(originsOf({ toolUses: [EDIT], closing }, /500/)).toEqual(['external']);
    expect(originsOf({ toolUses: [EDIT], closing }, /2 arguments/)).toEqual(['agent']);
  });
});
