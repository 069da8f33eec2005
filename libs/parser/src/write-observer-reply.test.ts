import { toFacts } from '@claude-mem/core';
import { randomFrom } from '@claude-mem/core/testing';
import { expect, it } from 'vitest';
import { draft, read, summaryDraft } from './reply-fixtures.js';
import { writeObserverReply } from './write-observer-reply.js';

it('writes strict XML without elements for missing values', () => {
  const observation = draft({
    subtitle: null,
    narrative: 'a < b && c > "d"',
    facts: [],
    concepts: [],
    filesRead: [],
  });
  expect(writeObserverReply({ observations: [observation] })).toBe(`<observation>
<type>bugfix</type>
<title>Queue timer is reset after each retry</title>
<narrative>a &lt; b &amp;&amp; c &gt; "d"</narrative>
<files_modified><file>src/queue.ts</file></files_modified>
</observation>`);
  expect(writeObserverReply({})).toBe('');
  expect(writeObserverReply({ skippedSummary: 'a "b"' })).toBe('<skip_summary reason="a &quot;b&quot;"/>');
});

it('writes records that are read back unchanged with any content', () => {
  const pieces = [
    '<title>',
    '</observation>',
    '&amp;',
    '&lt;',
    ']]>',
    '<![CDATA[',
    '"',
    "'",
    'a',
    ' ',
    'é',
    '日本',
    '😀',
    '\\',
    '/',
    '[',
    ',x',
    '- ',
  ];
  const random = randomFrom(7);
  const text = (isLine = true) => {
    const parts = Array.from(
      { length: 1 + Math.floor(random() * 8) },
      () => pieces[Math.floor(random() * pieces.length)],
    );
    return `w${parts.join('').replace(/ +/g, ' ')}${isLine ? '' : '\nnext\n\nlast'}w`;
  };
  for (let round = 0; round < 500; round += 1) {
    const files = () => [...new Set([text(), text()])];
    const records = {
      observations: [
        draft({
          title: text(),
          subtitle: text(),
          narrative: text(false),
          facts: (['user', 'evidence', 'agent'] as const).flatMap((origin) => toFacts([text()], origin)),
          filesRead: files(),
          filesModified: files(),
        }),
        draft({ title: text() }),
      ],
      summary: summaryDraft({ request: text(), learned: text(false), notes: text(), filesEdited: files() }),
    };
    expect(read(writeObserverReply(records))).toEqual({ ...records, skippedSummary: null, issues: [] });
  }
});
