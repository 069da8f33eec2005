import { createObserverBatch } from '@claude-mem/core/testing';
import { expect, it } from 'vitest';
import { observeTurn } from './observe-turn.js';

const learned = (closing: string) =>
  observeTurn(createObserverBatch({ prompt: 'How does the archive work and where is it?', closing })).summary
    ?.learned ?? null;

it('keeps a complete list with the line that introduces it', () => {
  expect(
    learned(
      'The bug happens when:\n- Step one writes `base.txt` with commit A\n- Commit B is made, and the hook returns early\n\nSo `base.txt` is stale from then on, which is why the wrong session is found.',
    ),
  ).toBe(
    'According to the agent: The bug happens when: Step one writes `base.txt` with commit A; Commit B is made, and the hook returns early. `base.txt` is stale from then on, which is why the wrong session is found.',
  );
});

it('keeps the rows of a table in the answer', () => {
  const text = learned(
    'Gaps of the second adapter:\n\n| Feature | First | Second |\n|---|---|---|\n| Truncation | `truncateAt()` | missing |\n| Root | repository | current folder, a bug in `detect()` since the first version |\n| Sub-agents | `spawnedAgents()` reads their ids | missing |',
  );
  expect(text).toContain('Truncation | First: `truncateAt()` | Second: missing');
  expect(text).toContain('current folder, a bug in `detect()` since the first version');
});

it('includes the text below a heading with the word "verified"', () => {
  const text = learned(
    '## Final verified list\n\n- `write_file` is in the documentation and in recorded sessions\n- `replace` is in the documentation and in recorded sessions of the second host too, so both stay in the list',
  );
  expect(text).toContain('Final verified list: `write_file` is in the documentation');
});

it('begins with the answer when praise precedes it', () => {
  expect(
    learned(
      "That's a sharp observation. The archive list in `archive.ts` is fixed, and chunked transcripts are not in it, so they are never archived. The second session overwrites the files of the first one, because both have the same folder.",
    ),
  ).toMatch(/^According to the agent: The archive list/);
});

it('keeps the conclusion when the answer exceeds the limit', () => {
  const detail = (name: string) =>
    `The module \`${name}\` reads its settings, ${'and checks each value against the schema of the file, '.repeat(4)}then returns.`;
  const text = learned(
    [
      ...['one', 'two', 'three', 'four', 'five'].map(detail),
      "That's why the fix is to read `settings.json` once.",
    ].join('\n\n'),
  );
  expect(text).toContain("That's why the fix is to read `settings.json` once.");
  expect(text?.length).toBeLessThanOrEqual(1_000);
});

it('does not list possible actions of the user as open work', () => {
  const { summary } = observeTurn(
    createObserverBatch({
      prompt: 'Does the fix apply to resume too?',
      closing:
        'After the fix:\n- `restore()` restores all session transcripts and writes each of them to the storage of the host, with the id of its session, because the picker reads that folder\n- You can resume any of the restored sessions',
    }),
  );
  expect(summary?.learned).toContain('You can resume any');
  expect(summary?.nextSteps).toBeNull();
});

it('quotes the lines of a short code block after its lead-in', () => {
  expect(
    learned(
      'The archive has one folder per session:\n\n```\nab/c1/\n├── metadata.json\n└── 1/\n```\n\nThe number counts the sessions of one commit, so the second session of a commit is in `2/` and the first one stays where it has always been.',
    ),
  ).toContain('The archive has one folder per session: `ab/c1/`, `├── metadata.json`, `└── 1/`.');
});

it('counts the omitted lines of source code, except lines with only brackets', () => {
  const code = ['// the entry', 'export function entry() {', ...Array(18).fill('  step();'), '}'].join('\n');
  const text = learned(
    `The entry function is this one:\n\n\`\`\`ts\n${code}\n\`\`\`\n\nIt calls \`step()\` many times.`,
  );
  expect(text).toContain(
    'The entry function is this one: `// the entry`, `export function entry() {`, `step();`',
  );
  expect(text).toContain('and 6 more lines');
  expect(text).not.toContain('`}`');
});

it('counts the list items that exceed the limit', () => {
  const items = Array.from(
    { length: 12 },
    (_, at) => `- \`step${at}()\` ${'reads one more table of the archive, '.repeat(3)}then ends`,
  );
  expect(learned(`The archive is read in these steps:\n${items.join('\n')}`)).toMatch(
    /^According to the agent: The archive is read in these steps: `step0\(\)`.*; and \d+ more\.$/,
  );
});
