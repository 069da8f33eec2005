import { toFacts } from '@claude-mem/core';
import { expect, it } from 'vitest';
import { readIssueCodes, read } from './reply-fixtures.js';

const ONE = {
  type: 'bugfix',
  title: 'Timer is reset',
  narrative: 'It was never cleared.\nNow it is.',
  facts: toFacts(['reset() in `queue.ts`', 'npm test: 12 passed'], 'agent'),
  concepts: ['gotcha', 'pattern'],
  filesModified: ['src/queue.ts'],
};

it.each([
  [
    'labels in bold',
    `Sure!\n\n## Observation 1\n\n**Type:** bugfix\n**Title:** Timer is reset\n**Narrative:** It was never cleared.\nNow it is.\n**Facts:**\n- reset() in \`queue.ts\`\n- npm test: 12 passed\n**Concepts:** gotcha, pattern\n**Files modified:** \`src/queue.ts\`\n\n## Summary\n**Request:** Fix it.\n**Next steps:** none\n**Completed:** Fixed.\n`,
  ],
  [
    'labels in a list',
    `- **Type**: \`bugfix\`\n- **Title**: Timer is reset\n- **Narrative**: It was never cleared.\nNow it is.\n- **Facts**:\n  1. reset() in \`queue.ts\`\n  2. npm test: 12 passed\n- **Concepts**: gotcha, pattern\n- **Files Modified**: src/queue.ts\n\n**Summary**\n- **Request**: Fix it.\n- **Completed**: Fixed.`,
  ],
  [
    'headings',
    `\`\`\`markdown\n# Observation: **Timer is reset**\n### Type\nbugfix\n### Narrative\nIt was never cleared.\nNow it is.\n### Facts\n* reset() in \`queue.ts\`\n* npm test: 12 passed\n\nAnything else?\n### Concepts\n- gotcha\n- pattern\n### Files modified\n- src/queue.ts\n---\n# Session summary\n### Request\nFix it.\n### Completed\nFixed.\n\`\`\``,
  ],
  [
    'plain lines',
    `Type: bugfix\nTitle: Timer is reset\nNarrative: It was never cleared.\nNow it is.\nFacts:\n- reset() in \`queue.ts\`\n- npm test: 12 passed\nConcepts: gotcha, pattern\nFiles_modified: src/queue.ts\nRequest: Fix it.\nCompleted: Fixed.`,
  ],
])('reads Markdown records: %s', (_name, text) => {
  expect(read(text)).toMatchObject({
    observations: [ONE],
    summary: { request: 'Fix it.', completed: 'Fixed.', nextSteps: null },
    issues: [],
  });
});

it('begins another record when a label repeats, and reports offsets in the reply', () => {
  const text = '**Title:** One\n**Narrative:** a\n\n**Title:** Two\n**Narrative:** b';
  expect(read(text).observations).toMatchObject([
    { title: 'One', narrative: 'a' },
    { title: 'Two', narrative: 'b' },
  ]);
  expect(read(text).issues).toMatchObject([
    { code: 'missing-type', offset: 0 },
    { code: 'missing-type', offset: text.indexOf('**Title:** Two') },
  ]);
});

it('reads no record from prose that contains a labeled line', () => {
  for (const text of ['Title: Overloaded', 'Type: error\nNotes: try again later', '## Summary\nAll is well.'])
    expect(readIssueCodes(text), text).toEqual(['no-records']);
});
