import { toFacts } from '@claude-mem/core';
import { expect, it } from 'vitest';
import { readIssueCodes, draft, read, summaryDraft } from './reply-fixtures.js';

const records = { observations: [draft(), draft({ title: 'Another' })], summary: summaryDraft() };
const formatReply = (value: unknown) =>
  JSON.stringify(value, (_key, one: unknown) => one)
    .replaceAll('filesRead', 'files_read')
    .replaceAll('filesModified', 'files_modified')
    .replaceAll('filesEdited', 'files_edited')
    .replaceAll('nextSteps', 'next_steps');

it('reads JSON records like XML records with any spelling of the keys', () => {
  expect(read(JSON.stringify(records))).toEqual({ ...records, skippedSummary: null, issues: [] });
  expect(read(formatReply(records))).toEqual({ ...records, skippedSummary: null, issues: [] });
  expect(read(formatReply(records.observations))).toMatchObject({
    observations: records.observations,
    issues: [],
  });
  expect(read(formatReply(records.observations[0]))).toMatchObject({
    observations: [records.observations[0]],
  });
  expect(
    read(formatReply({ observation: records.observations[0], skip_summary: { reason: 'a question' } })),
  ).toMatchObject({
    observations: [records.observations[0]],
    skippedSummary: 'a question',
  });
  expect(read(formatReply(records.summary)).summary).toEqual(records.summary);
});

it('ignores prose, code fences, thoughts and a byte order mark around the JSON', () => {
  const json = JSON.stringify(records, null, 2);
  for (const text of [
    `Here you {go}:\n\`\`\`json\n${json}\n\`\`\`\nAnything "else"?`,
    `\ufeff${json}`,
    `<think>perhaps {"title": "no", "narrative": "no"}</think>\n${json}`,
    records.observations.map((one) => JSON.stringify(one)).join('\n') +
      JSON.stringify({ summary: records.summary }),
  ])
    expect(read(text), text).toEqual({ ...records, skippedSummary: null, issues: [] });
});

it('reads objects as items, text as lists and numbers as text, and ignores other values', () => {
  const text =
    '{"title": "T", "type": "bugfix", "narrative": null, "facts": [{"fact": "a &lt; b"}, 7, null, ["x"]], "concepts": "gotcha, pattern", "files_modified": [{"path": "./a.ts"}]}';
  expect(read(text)).toMatchObject({
    observations: [
      {
        title: 'T',
        narrative: null,
        facts: toFacts(['a < b', '7'], 'agent'),
        concepts: ['gotcha', 'pattern'],
        filesModified: ['a.ts'],
      },
    ],
    issues: [],
  });
});

it('accepts line breaks in strings and trailing commas', () => {
  expect(
    read('{"type": "bugfix", "title": "T", "narrative": "a\n\tb, ]", "facts": ["x",],}').observations,
  ).toMatchObject([{ title: 'T', narrative: 'a\n\tb, ]', facts: toFacts(['x'], 'agent') }]);
});

it('B088: skips only the truncated record and reports one issue', () => {
  const [one, two] = ['One', 'Two'].map((title) => JSON.stringify(draft({ title })));
  const text = `{"observations": [${one}, ${two}, {"title": "Three", "facts": ["a"], "narr`;
  expect(read(text).observations.map(({ title }) => title)).toEqual(['One', 'Two']);
  expect(read(text).issues).toMatchObject([{ code: 'cut-off', offset: 0 }]);
  const broken = `[${one}]\n{"title": "T", "narrative": oops}\n[${two}]`;
  expect(read(broken).observations.map(({ title }) => title)).toEqual(['One', 'Two']);
  expect(read(broken).issues).toMatchObject([{ code: 'cut-off', offset: broken.indexOf('{"title": "T"') }]);
});

it('handles examples, empty records and unknown types like in XML', () => {
  expect(readIssueCodes('[{"type": "bugfix", "title": "Doors close when the train leaves"}]')).toEqual([
    'template-echo',
  ]);
  expect(readIssueCodes('[{"type": "bugfix", "title": ""}]')).toEqual(['empty-block']);
  expect(readIssueCodes('[{"type": "x", "title": "T"}]')).toEqual(['unknown-type']);
});

it('S06: reads the origins "user" and "evidence" only when a fact names its origin', () => {
  const origins = ['user', 'evidence', 'agreed', 'external'];
  const facts = origins.map((origin, index) => ({ origin, text: `Fact ${index}` }));
  const text = JSON.stringify({ type: 'bugfix', title: 'T', facts });
  expect(read(text).observations[0]?.facts).toEqual([
    { text: 'Fact 0', origin: 'user' },
    { text: 'Fact 1', origin: 'evidence' },
    { text: 'Fact 2', origin: 'agent' },
    { text: 'Fact 3', origin: 'agent' },
  ]);
});
