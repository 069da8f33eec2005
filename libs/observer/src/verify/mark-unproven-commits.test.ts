import { toFacts } from '@claude-mem/core';
import { createObserverBatch } from '@claude-mem/core/testing';
import { describe, expect, it } from 'vitest';
import { markUnprovenCommits } from './mark-unproven-commits.js';

const batch = createObserverBatch({
  prompt: 'Look at commit 1234abc.',
  recordedTitles: ['Reverted 77aa77bb'],
  toolUses: [
    {
      toolName: 'Bash',
      input: { command: 'git commit -m x' },
      response: { stdout: '[main 9f8e7d6] Lower the limit' },
    },
  ],
});

function marked(text: string): string {
  const draft = { type: 'change', title: null, subtitle: null, narrative: text, concepts: [] };
  const { observations } = markUnprovenCommits(
    { observations: [{ ...draft, facts: [], filesRead: [], filesModified: [] }], summary: null },
    batch,
  );
  return observations[0]?.narrative ?? '';
}

describe('markUnprovenCommits', () => {
  it.each([
    ['commit deadbee1', 'commit deadbee1 (unverified)'],
    ['Committed as `deadbee1` on main.', 'Committed as `deadbee1 (unverified)` on main.'],
    ['Commits 9f8e7d6 and deadbee1', 'Commits 9f8e7d6 and deadbee1 (unverified)'],
    [
      'Fixed in a.ts (commit deadbee1, not pushed).',
      'Fixed in a.ts (commit deadbee1 (unverified), not pushed).',
    ],
    ['commit deadbeef', 'commit deadbeef (unverified)'],
  ])('B160: marks a commit without proof: %s', (text, expected) => {
    expect(marked(text)).toBe(expected);
  });

  it.each([
    'commit 9f8e7d6',
    'commit 9f8e7d6f00ba',
    'commit 1234abc was asked about',
    'commit 77aa77bb is older',
    'The colour is #ff00aa now; commit #ff00aa nowhere',
    'The md5 of the file is 00112233445566778899aabbccddeeff',
    'committed 1234567 rows',
    'see https://host/x/commit/deadbee1',
    'session 5a3b1e00-0000-4000-8000-000000000002 was committed',
  ])('B160: does not mark a proven commit, or text that is not about a commit: %s', (text) => {
    expect(marked(text)).toBe(text);
  });

  it('marks a commit in every text field of observations and summary', () => {
    const bad = 'commit deadbee1';
    const good = `${bad} (unverified)`;
    const files = { filesRead: [], filesModified: [] };
    const texts = {
      request: bad,
      investigated: bad,
      learned: bad,
      completed: bad,
      nextSteps: bad,
      notes: bad,
    };
    const { observations, summary } = markUnprovenCommits(
      {
        observations: [
          {
            type: 'change',
            title: bad,
            subtitle: bad,
            narrative: bad,
            facts: toFacts([bad], null),
            concepts: [],
            ...files,
          },
        ],
        summary: { ...texts, filesRead: [], filesEdited: [] },
      },
      batch,
    );
    expect(observations[0]).toMatchObject({
      title: good,
      subtitle: good,
      narrative: good,
      facts: toFacts([good], null),
    });
    expect(Object.values({ ...summary, filesRead: good, filesEdited: good })).toEqual(Array(8).fill(good));
  });
});
