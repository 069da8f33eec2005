import { toFacts } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { readIssueCodes, draft, mode, read, summaryDraft } from './reply-fixtures.js';
import { writeObserverReply } from './write-observer-reply.js';

const observation = (fields: string) => `<observation><type>bugfix</type>${fields}</observation>`;
const example = mode.examples.observations[0]!;
const [one, two, three] = ['One', 'Two', 'Three'].map((title) => draft({ title }));

describe('replies in the format', () => {
  it('reads a complete reply', () => {
    const records = { observations: [draft(), draft({ title: 'Another' })], summary: summaryDraft() };
    expect(read(writeObserverReply(records))).toEqual({ ...records, skippedSummary: null, issues: [] });
  });

  it('accepts a skipped summary with or without a reason', () => {
    expect(read('<skip_summary reason="only a &lt;question&gt;"/>').skippedSummary).toBe('only a <question>');
    expect(read("<skip-summary reason='none needed' />").skippedSummary).toBe('none needed');
    expect(read('<skip_summary>only a question</skip_summary>').skippedSummary).toBe('only a question');
    expect(read('<skip_summary/>')).toMatchObject({ skippedSummary: '', summary: null, issues: [] });
    expect(read('<summary><request>A</request></summary><skip_summary/>').skippedSummary).toBeNull();
  });

  it('accepts records without some of their fields', () => {
    expect(read(observation('<title>Only a title</title>')).observations).toEqual([
      {
        type: 'bugfix',
        title: 'Only a title',
        subtitle: null,
        narrative: null,
        facts: [],
        concepts: [],
        filesRead: [],
        filesModified: [],
      },
    ]);
    expect(read('<summary><learned>L</learned></summary>').summary).toMatchObject({
      learned: 'L',
      request: null,
    });
  });
});

describe('replies without a record', () => {
  it('B014: reads no record when the reply is empty or states that there is nothing to record', () => {
    const sentences = [
      '',
      ' \n ',
      'No observations to record at this time.',
      'There is nothing worth recording in this turn.',
      'Nothing noteworthy happened.',
      '```xml\n```',
      'None.',
    ];
    sentences.push(
      '[]',
      '{}',
      '```json\n{"observations": [], "summary": null}\n```',
      '<think>hm</think>\n[]',
    );
    for (const text of sentences) expect(read(text), text).toMatchObject({ observations: [], issues: [] });
  });

  it('reports an issue for any other text without a record', () => {
    const texts = [
      'The user fixed the bug in queue.ts by resetting the timer.',
      'Prompt is too long',
      'Invalid API key · no key stored, please log in',
      '.'.repeat(5_000),
      '{"error": {"message": "Invalid API key", "details": []}}',
      'The list [] is now passed to the cache {} as it is.',
      'Type: error\nTitle: Overloaded',
      '["one", "two"]',
    ];
    for (const text of texts) expect(readIssueCodes(text), text).toEqual(['no-records']);
  });
});

describe('blocks of prose', () => {
  it('B081: uses the prose of a block as narrative with a title from its first sentence', () => {
    const text = 'Fixed the retry bug in queue.ts by resetting the timer';
    expect(read(`<observation>${text}</observation>`).observations).toMatchObject([
      { type: 'discovery', title: text, narrative: text },
    ]);
    expect(readIssueCodes(`<observation>${text}</observation>`)).toContain('prose-block');
  });

  it('keeps the prose next to a type, with a title of one sentence', () => {
    const [kept] = read(
      observation('Fixed the retry bug. The timer in `queue.ts` was never reset.'),
    ).observations;
    expect(kept).toMatchObject({
      type: 'bugfix',
      title: 'Fixed the retry bug',
      narrative: 'Fixed the retry bug. The timer in `queue.ts` was never reset.',
    });
  });

  it('uses the prose of a summary as its notes', () => {
    expect(read('<summary>Fixed the retry bug.</summary>').summary).toMatchObject({
      request: null,
      notes: 'Fixed the retry bug.',
    });
  });

  it('ignores prose when the block has fields', () => {
    const [kept] = read(observation('Here is the title: <title>T</title> and so on <narrative>N</narrative> bye')).observations; // prettier-ignore
    expect(kept).toMatchObject({ title: 'T', narrative: 'N' });
  });
});

describe('markup in fields', () => {
  it('B082: keeps markup in a field as text', () => {
    const narrative = 'call Map<string, Array<T>> when a < b && c > d, see <b>note</b>';
    const text = observation(
      `<title>Use Map<K, V></title><narrative>${narrative}</narrative><facts><fact>x <code>y</code></fact></facts>`,
    );
    expect(read(text).observations).toMatchObject([
      { title: 'Use Map<K, V>', narrative, facts: toFacts(['x <code>y</code>'], 'agent') },
    ]);
  });

  it('keeps tag names of the format in a field as text', () => {
    const narrative =
      'The <title> and the <type> of an <observation> are read first; </observation> and <summary> are text here';
    const text = `${observation(`<title>Reader</title><narrative>${narrative}</narrative>`)}${writeObserverReply({ observations: [one!] })}`;
    expect(read(text).observations.map((kept) => [kept.title, kept.narrative])).toEqual([
      ['Reader', narrative],
      ['One', one!.narrative],
    ]);
  });

  it('reads CDATA without decoding and decodes entities once', () => {
    const text = observation(
      '<title>&lt;b&gt; &amp;amp; &#39;x&#x27; &unknown; &#1114112;</title><narrative>a <![CDATA[</narrative> &lt; <fact>]]> &lt;b</narrative>',
    );
    expect(read(text).observations).toMatchObject([
      { title: "<b> &amp; 'x' &unknown; &#1114112;", narrative: 'a </narrative> &lt; <fact> <b' },
    ]);
  });
});

describe('text around the records', () => {
  it('B083: adds text around the records to no field', () => {
    const answer = writeObserverReply({ observations: [draft()] });
    const text = `Sure, here it is:\n\n\`\`\`xml\n${answer}\n\`\`\`\n\nAnything else?`;
    expect(read(text)).toEqual(read(answer));
  });

  it('ignores thoughts that contain drafts of records', () => {
    const text = `<think>maybe ${writeObserverReply({ observations: [two!] })}?</think>${writeObserverReply({ observations: [one!] })}`;
    expect(read(text).observations).toEqual([one]);
  });

  it('ignores a thought when only its end tag exists or when its tag has another name', () => {
    const [draftOf, answer] = [two!, one!].map((record) => writeObserverReply({ observations: [record] }));
    expect(read(`maybe ${draftOf}?\n</think>\n\n${answer}`).observations).toEqual([one]);
    expect(read(`<reasoning>maybe ${draftOf}?</reasoning>${answer}`).observations).toEqual([one]);
    expect(read(`<Thinking>${draftOf}</Thinking>`)).toMatchObject({ observations: [], issues: [{ code: 'no-records' }] }); // prettier-ignore
    expect(read(`${answer}</think>`).observations).toEqual([one]);
  });

  it('ignores mentions of the format in the prose', () => {
    const text = `I will write an <observation> now:\n${writeObserverReply({ observations: [one!] })}`;
    expect(read(text).observations).toEqual([one]);
  });
});

describe('blocks without content', () => {
  it('B084: reads no record from a block without content and reports no issue that requires a retry', () => {
    const empty = [
      '<observation><type>discovery</type></observation>',
      '<observation></observation>',
      '<observation><type>bugfix</type><title> </title><narrative>null</narrative><facts></facts></observation>',
      '<observation><type>bugfix</type><title>N/A</title><concepts><concept>gotcha</concept></concepts></observation>',
      '<observation>\n```\n```\n</observation>',
    ];
    for (const text of empty) {
      expect(read(text).observations, text).toEqual([]);
      expect(readIssueCodes(text), text).toEqual(['empty-block']);
    }
    expect(read('<summary><request></request></summary>')).toMatchObject({ summary: null });
  });
});

describe('types and concepts', () => {
  it('B085: reports an unknown type and uses discovery, and keeps a type of the mode', () => {
    const text = '<observation><type>security_note</type><title>T</title></observation>';
    expect(read(text).observations).toMatchObject([{ type: 'discovery' }]);
    expect(read(text).issues).toMatchObject([
      { code: 'unknown-type', message: expect.stringContaining('security_note') },
    ]);
    expect(read(text, { types: [{ id: 'security_note', meaning: '' }] }).observations).toMatchObject([
      { type: 'security_note' },
    ]);
  });

  it('reads a type in any spelling and as an attribute', () => {
    for (const type of ['Bugfix', 'BUG FIX', 'bug-fix', ' bugfix ', '`bugfix`'])
      expect(read(`<observation><type>${type}</type><title>T</title></observation>`)).toMatchObject({
        observations: [{ type: 'bugfix' }],
        issues: [],
      });
    expect(read('<observation type="decision"><title>T</title></observation>').observations).toMatchObject([
      { type: 'decision' },
    ]);
  });

  it('uses discovery when the type is missing', () => {
    expect(read('<observation><title>T</title></observation>').observations).toMatchObject([
      { type: 'discovery' },
    ]);
    expect(readIssueCodes('<observation><title>T</title></observation>')).toEqual(['missing-type']);
  });

  it('B086: reads only the name of a concept', () => {
    const concepts = (inner: string) =>
      read(observation(`<title>T</title><concepts>${inner}</concepts>`)).observations[0]?.concepts;
    expect(concepts('<concept>gotcha: needs lock</concept>')).toEqual(['gotcha']);
    expect(concepts('<concept>How it works</concept><concept>how_it_works</concept>')).toEqual([
      'how-it-works',
    ]);
    expect(concepts('<concept>Trade-off - speed for memory</concept>')).toEqual(['trade-off']);
    expect(concepts('gotcha, pattern')).toEqual(['gotcha', 'pattern']);
    expect(concepts('<concept>house-rule: tabs</concept>')).toEqual(['house-rule']);
    expect(concepts(`<concept>${'a long sentence '.repeat(9)}</concept>`)).toEqual([]);
  });
});

describe('examples of the prompt', () => {
  it('B087: reads no record when the reply repeats the example', () => {
    const echo = writeObserverReply(mode.examples);
    expect(read(echo)).toMatchObject({ observations: [], summary: null });
    expect(readIssueCodes(echo)).toEqual(['template-echo', 'template-echo']);
    expect(read(`${echo}${writeObserverReply({ observations: [one!] })}`).observations).toEqual([one]);
  });

  it('reads no record when the reply repeats the example with small changes', () => {
    const echo = { ...example, type: 'feature', filesModified: [], facts: [] };
    expect(read(writeObserverReply({ observations: [echo] })).observations).toEqual([]);
  });
});

describe('truncated blocks', () => {
  const cut = (part: string) =>
    `${writeObserverReply({ observations: [one!] })}<observation><type>bugfix</type>${part}\n${writeObserverReply({ observations: [three!] })}`;

  it('B088: skips only the truncated block and reports one issue', () => {
    for (const part of [
      '<title>Two is',
      '<title>Two</title><narrative>Two is cut',
      '<title>Two</title><facts><fact>Two',
    ]) {
      expect(read(cut(part)).observations, part).toEqual([one, three]);
      expect(readIssueCodes(cut(part)), part).toEqual(['cut-off']);
    }
  });

  it('keeps a block when only its end tag is missing', () => {
    const text = cut('<title>Two</title><narrative>All of it.</narrative>');
    expect(read(text).observations.map(({ title }) => title)).toEqual(['One', 'Two', 'Three']);
    expect(readIssueCodes(text)).toEqual(['missing-end']);
  });

  it('keeps the last block up to its end when it has enough content', () => {
    const end = (part: string) => read(`<observation><type>bugfix</type>${part}`);
    expect(end('<title>T</title><narrative>The timer was').observations).toMatchObject([
      { title: 'T', narrative: 'The timer was' },
    ]);
    expect(end('<title>Half a ti').observations).toEqual([]);
    expect(read('<summary><request>A</request><completed>B').summary).toMatchObject({
      request: 'A',
      completed: 'B',
    });
  });

  it('reads a block without end tags of its fields', () => {
    const text =
      '<observation><type>bugfix<title>T<narrative>N<facts><fact>a<fact>b</facts><concepts><concept>gotcha</observation>';
    expect(read(text).observations).toMatchObject([
      {
        type: 'bugfix',
        title: 'T',
        narrative: 'N',
        facts: toFacts(['a', 'b'], 'agent'),
        concepts: ['gotcha'],
      },
    ]);
    const summary = '<summary><request>A<completed>B<next_steps>C</summary>';
    expect(read(summary).summary).toMatchObject({ request: 'A', completed: 'B', nextSteps: 'C' });
  });
});

describe('other formats', () => {
  it('reads attributes instead of elements when the element has no other content', () => {
    const observations = [
      {
        type: 'bugfix',
        title: 'a > b & "c"',
        narrative: 'N',
        filesModified: ['a.ts', 'b.ts'],
        facts: toFacts(['F'], 'agent'),
      },
    ];
    const texts = [
      '<observation type="bugfix" title="a > b &amp; &quot;c&quot;" narrative="N" facts="F" files_modified="a.ts, b.ts"/>',
      `<observation type='bugfix' title='a > b & "c"' narrative=N><facts><fact text="F"/></facts><files-modified><file path="./a.ts"/><file path="b.ts" /></files-modified></observation>`,
      '<observation><type value="bugfix"/><title value="a > b &amp; &quot;c&quot;"/><narrative>N</narrative><facts>F</facts><files_modified><file>a.ts</file><file>b.ts</file></files_modified></observation>',
    ];
    for (const text of texts) expect(read(text), text).toMatchObject({ observations, issues: [] });
    expect(read('<summary request="R" completed="C"/>').summary).toMatchObject({
      request: 'R',
      completed: 'C',
    });
    expect(read('<observation/>')).toMatchObject({ observations: [], issues: [{ code: 'empty-block' }] });
  });

  it('reads wrappers, numbered elements and other names of fields', () => {
    const text =
      '<response><observations><observation><type>bugfix</type><title>One</title><description>N</description><facts><fact1>a</fact1><fact_2>b</fact_2></facts><files_edited><file>x.ts</file></files_edited></observation><observation><type>bugfix</type><title>Two</title></observation></observations></response>';
    expect(read(text)).toMatchObject({
      observations: [
        { title: 'One', narrative: 'N', facts: toFacts(['a', 'b'], 'agent'), filesModified: ['x.ts'] },
        { title: 'Two' },
      ],
      issues: [],
    });
  });

  it('reads a nested observation as a separate observation', () => {
    const inner = writeObserverReply({ observations: [two!] });
    const text = `<observation><type>bugfix</type><title>One</title><narrative>N</narrative>${inner}</observation>`;
    expect(read(text).observations.map(({ title }) => title)).toEqual(['One', 'Two']);
  });

  it('reads prose after a title', () => {
    expect(read(observation('<title>T</title>It was never reset.')).observations).toMatchObject([
      { title: 'T', narrative: 'It was never reset.' },
    ]);
    expect(readIssueCodes(observation('<title>T</title>It was never reset.'))).toEqual(['prose-block']);
  });

  it('reads entities without their end and a byte order mark', () => {
    const text =
      '\ufeff<observation><type>bugfix</type><title>a &lt b &amp c</title><narrative>x&lt;y ?a=1&lt=2&copy</narrative></observation>';
    expect(read(text)).toMatchObject({
      observations: [{ title: 'a < b & c', narrative: 'x<y ?a=1&lt=2&copy' }],
      issues: [],
    });
  });

  it('reads only the first summary when a reply contains several', () => {
    const text = '<summary><request>A</request></summary><summary><request>B</request></summary>';
    expect(read(text).summary?.request).toBe('A');
    expect(read(text).issues).toMatchObject([{ code: 'too-many', offset: text.lastIndexOf('<summary>') }]);
  });

  it('reads tags in any case, with attributes and dashes', () => {
    const text =
      '<Observation id="1"><TYPE>bugfix</TYPE><Title lang="en">T</Title><files-read><file>a.ts</file></files-read><filesModified><File>b.ts</File></filesModified></OBSERVATION><Summary ><Next-Steps>N</Next-Steps></Summary>';
    expect(read(text)).toMatchObject({
      observations: [{ title: 'T', filesRead: ['a.ts'], filesModified: ['b.ts'] }],
      summary: { nextSteps: 'N' },
    });
  });

  it('reads lists as JSON, bullets, lines or items', () => {
    const facts = (inner: string) =>
      read(observation(`<title>T</title><facts>${inner}</facts>`)).observations[0]?.facts.map(
        ({ text }) => text,
      );
    for (const inner of [
      '["a, b", "c < d"]',
      '[&quot;a, b&quot;, &quot;c &lt; d&quot;]',
      '\n- a, b\n- c < d\n',
      '\n1. a, b\n2. c < d\n',
      'a, b\nc < d',
      '<item>a, b</item><item>c < d</item>',
      '<li>a, b</li><li>c < d</li>',
      '<fact>a, b</fact><fact/><fact>none</fact><fact>c < d</fact><fact>a, b</fact>',
    ])
      expect(facts(inner), inner).toEqual(['a, b', 'c < d']);
    expect(facts('[not json]')).toEqual(['[not json]']);
    expect(facts('[1, {"a": 2}, "b"]')).toEqual(['b']);
  });

  it('reads file lists without quotes, dots and repetitions', () => {
    const text = observation(
      '<title>T</title><files_read>`./src/a.ts`, src/a.ts\n"b c.ts"\n- C:\\x\\y.ts</files_read>',
    );
    expect(read(text).observations[0]?.filesRead).toEqual(['src/a.ts', 'b c.ts', 'C:\\x\\y.ts']);
  });

  it('B099, B131: reads single-line fields as one line and replaces NUL and lone surrogates', () => {
    const [kept] = read(
      observation('<title>A\n## System\u0007\u0000B\ud83d</title><narrative>a\r\nb\u0007c</narrative>'),
    ).observations;
    expect(kept).toMatchObject({ title: 'A ## System \u2400B\ufffd', narrative: 'a\nb c' });
  });
});

describe('limits of a reply', () => {
  it('B129: shortens long fields without splitting a character and reports an issue', () => {
    const text = observation(
      `<title>${'😀'.repeat(500)}</title><narrative>x${'😀'.repeat(9_000)}</narrative><facts>${'<fact>y😀</fact>'.repeat(2)}<fact>${'😀'.repeat(900)}</fact></facts>`,
    );
    const [kept] = read(text).observations;
    expect(kept?.title?.length).toBeLessThanOrEqual(200);
    expect(kept?.narrative?.length).toBeLessThanOrEqual(8_000);
    expect(JSON.stringify(kept).isWellFormed()).toBe(true);
    expect(kept?.facts.every(({ text }) => text.isWellFormed() && text.length <= 1_000)).toBe(true);
    expect(readIssueCodes(text)).toEqual(['too-long', 'too-long', 'too-long']);
  });

  it.each([
    ['<fact origin="user">A fact</fact>', 'user'],
    ["<fact  origin = 'evidence' >A fact", 'evidence'],
    ['<fact origin="user" text="A fact"/>', 'user'],
    ['<fact>A fact</fact>', 'agent'],
    ['<fact origin="agreed">A fact</fact>', 'agent'],
    ['<fact origin="external">A fact</fact>', 'agent'],
    ['<fact origin="rejected">A fact</fact>', 'agent'],
    ['<fact origin="user">A fact</fact><fact>A fact</fact>', 'user'],
  ])('reads %j as a fact of one origin', (inner, origin) => {
    const { observations, issues } = read(observation(`<title>T</title><facts>${inner}</facts>`));
    expect(observations[0]?.facts).toEqual([{ text: 'A fact', origin }]);
    expect(issues).toEqual([]);
  });

  it('reads no fact when the element has an origin and no text', () => {
    const reply = read(
      observation('<title>T</title><narrative>N</narrative><facts><fact origin="user"/></facts>'),
    );
    expect(reply.observations[0]?.facts).toEqual([]);
  });

  it('reads at most fifty observations and fifty facts', () => {
    const many = Array.from({ length: 80 }, (_, index) => draft({ title: `T${index}` }));
    const reply = read(writeObserverReply({ observations: many }));
    expect(reply.observations).toHaveLength(50);
    expect(reply.issues).toMatchObject([{ code: 'too-many' }]);
    const facts = toFacts(
      Array.from({ length: 80 }, (_, index) => `fact ${index}`),
      'agent',
    );
    expect(
      read(writeObserverReply({ observations: [draft({ facts })] })).observations[0]?.facts,
    ).toHaveLength(50);
  });
});
