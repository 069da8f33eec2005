import { createObserverBatch } from '@claude-mem/core/testing';
import { bash, edit, failedBash, read, type ToolUseFields } from '@claude-mem/evidence/testing';
import { describe, expect, it } from 'vitest';
import { observeTurn } from './observe-turn.js';

const NEGATIVE = /nothing|not committed|no (?:file|test|edit|check)\b|did not|was not (?:changed|written)/i;

const textOf = (toolUses: readonly ToolUseFields[], closing: string) =>
  JSON.stringify(observeTurn(createObserverBatch({ prompt: 'Publish the kiln table', toolUses, closing })));

describe('statements about events that did not happen', () => {
  const closing =
    'The kiln table in `src/kiln.ts` is published on `main` with 12 rows. The old branch `glaze` held 3 rows, because `firingOf()` ran twice.';

  it.each<[string, ToolUseFields]>([
    ['a push', bash('git push origin main', 'main -> main')],
    ['a deleted branch', bash('git branch -D glaze', 'Deleted branch glaze')],
    ['git read-tree', bash('git read-tree -m -u HEAD')],
    ['a commit through a wrapper', bash('rtk git commit -m "Add kiln"', 'ok 1 file')],
    ['an unknown tool', { toolName: 'publish_table', input: { name: 'kiln' }, response: 'done' }],
    ['an MCP tool', { toolName: 'mcp__tables__update', input: { name: 'kiln' }, response: 'done' }],
    ['a sub-agent', { toolName: 'Task', input: { prompt: 'Publish' }, response: 'Published the kiln table' }],
  ])('creates no negative statement when the turn ran %s', (_, use) => {
    const reads = [read('src/kiln.ts', 'firingOf()'), read('src/glaze.ts', 'main')];
    expect(textOf([...reads, use], closing)).not.toMatch(NEGATIVE);
  });

  it('creates no negative statement when a quiet commit followed an edit', () => {
    const toolUses = [edit('src/kiln.ts', 'a', 'firingOf()'), bash('git commit -qam "Add kiln"')];
    expect(textOf(toolUses, 'Added `firingOf()` to `src/kiln.ts`. All tests pass.')).not.toMatch(NEGATIVE);
  });

  it('creates no negative statement when a script checked an edit and the linter failed', () => {
    const toolUses = [
      edit('src/kiln.ts', 'a', 'firingOf()'),
      bash('./verify.sh', '12 tests passed'),
      failedBash('npm run lint', 'src/glaze.ts:3:1: error: unused name'),
    ];
    expect(textOf(toolUses, 'Added `firingOf()` to `src/kiln.ts`. All tests pass.')).not.toMatch(NEGATIVE);
  });

  it('creates no negative statement when another tool wrote the file after a failed edit', () => {
    const refused: ToolUseFields = {
      ...edit('src/kiln.ts', 'a', 'firingOf()'),
      outcome: 'failed',
      response: null,
      error: 'Claude requested permissions to write to src/kiln.ts, but you have not granted it yet.',
    };
    const toolUses = [refused, { toolName: 'write_table', input: { name: 'kiln' }, response: 'done' }];
    const text = textOf(toolUses, closing);
    expect(text).not.toMatch(NEGATIVE);
    expect(text).toContain('An edit of `src/kiln.ts` was not permitted');
  });
});
