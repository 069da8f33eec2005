import { toFacts } from '@claude-mem/core';
import { describe, expect, it } from 'vitest';
import { codes, draft, mode, read, summaryDraft } from './reply-lab.js';
import { writeObserverReply } from './write-observer-reply.js';

const observation = (fields: string) => `<observation><type>bugfix</type>${fields}</observation>`;
const example = mode.examples.observations[0]!;
const [one, two, three] = ['One', 'Two', 'Three'].map((title) => draft({ title }));

describe('a reply in the format', () => {
  it('is read whole', () => {
    const records = { observations: [draft(), draft({ title: 'Another' })], summary: summaryDraft() };
    expect(read(writeObserverReply(records))).toEqual({ ...records, skippedSummary: null, issues: [] });
  });

  it('may skip the summary, with or without a reason', () => {
    expect(read('<skip_summary reason="only a &lt;question&gt;"/>').skippedSummary).toBe('only a <question>');
    expect(read("<skip-summary reason='none needed' />").skippedSummary).toBe('none needed');
    expect(read('<skip_summary>only a question</skip_summary>').skippedSummary).toBe('only a question');
    expect(read('<skip_summary/>')).toMatchObject({ skippedSummary: '', summary: null, issues: [] });
    expect(read('<summary><request>A</request></summary><skip_summary/>').skippedSummary).toBeNull();
  });

  it('may leave out any field', () => {
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

describe('nothing to record', () => {
  it('B014: is an empty reply or a sentence that says so', () => {
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

  it('is not any other text', () => {
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
    for (const text of texts) expect(codes(text), text).toEqual(['no-records']);
  });
});

describe('a block of prose', () => {
  it('B081: is kept, with a title from its first sentence', () => {
    const text = 'Fixed the retry bug in queue.ts by resetting the timer';
    expect(read(`<observation>${text}</observation>`).observations).toMatchObject([
      { type: 'discovery', title: text, narrative: text },
    ]);
    expect(codes(`<observation>${text}</observation>`)).toContain('prose-block');
  });

  it('is kept beside a type, and its title is one sentence', () => {
    const [kept] = read(
      observation('Fixed the retry bug. The timer in `queue.ts` was never reset.'),
    ).observations;
    expect(kept).toMatchObject({
      type: 'bugfix',
      title: 'Fixed the retry bug',
      narrative: 'Fixed the retry bug. The timer in `queue.ts` was never reset.',
    });
  });

  it('is kept in a summary as its notes', () => {
    expect(read('<summary>Fixed the retry bug.</summary>').summary).toMatchObject({
      request: null,
      notes: 'Fixed the retry bug.',
    });
  });

  it('does not push its way into a block that has fields', () => {
    const [kept] = read(observation('Here is the title: <title>T</title> and so on <narrative>N</narrative> bye')).observations; // prettier-ignore
    expect(kept).toMatchObject({ title: 'T', narrative: 'N' });
  });
});

describe('markup inside of fields', () => {
  it('B082: is text and stays whole', () => {
    const narrative = 'call Map<string, Array<T>> when a < b && c > d, see <b>note</b>';
    const text = observation(
      `<title>Use Map<K, V></title><narrative>${narrative}</narrative><facts><fact>x <code>y</code></fact></facts>`,
    );
    expect(read(text).observations).toMatchObject([
      { title: 'Use Map<K, V>', narrative, facts: toFacts(['x <code>y</code>'], 'agent') },
    ]);
  });

  it('may even be the words of the format', () => {
    const narrative =
      'The <title> and the <type> of an <observation> are read first; </observation> and <summary> are text here';
    const text = `${observation(`<title>Reader</title><narrative>${narrative}</narrative>`)}${writeObserverReply({ observations: [one!] })}`;
    expect(read(text).observations.map((kept) => [kept.title, kept.narrative])).toEqual([
      ['Reader', narrative],
      ['One', one!.narrative],
    ]);
  });

  it('is taken from CDATA as it stands, and from entities once', () => {
    const text = observation(
      '<title>&lt;b&gt; &amp;amp; &#39;x&#x27; &unknown; &#1114112;</title><narrative>a <![CDATA[</narrative> &lt; <fact>]]> &lt;b</narrative>',
    );
    expect(read(text).observations).toMatchObject([
      { title: "<b> &amp; 'x' &unknown; &#1114112;", narrative: 'a </narrative> &lt; <fact> <b' },
    ]);
  });
});

describe('what surrounds the answer', () => {
  it('B083: is in no field', () => {
    const answer = writeObserverReply({ observations: [draft()] });
    const text = `Sure, here it is:\n\n\`\`\`xml\n${answer}\n\`\`\`\n\nAnything else?`;
    expect(read(text)).toEqual(read(answer));
  });

  it('may be thoughts with drafts in them', () => {
    const text = `<think>maybe ${writeObserverReply({ observations: [two!] })}?</think>${writeObserverReply({ observations: [one!] })}`;
    expect(read(text).observations).toEqual([one]);
  });

  it('may be a thought of which only the end is marked, or under another name', () => {
    const [draftOf, answer] = [two!, one!].map((record) => writeObserverReply({ observations: [record] }));
    expect(read(`maybe ${draftOf}?\n</think>\n\n${answer}`).observations).toEqual([one]);
    expect(read(`<reasoning>maybe ${draftOf}?</reasoning>${answer}`).observations).toEqual([one]);
    expect(read(`<Thinking>${draftOf}</Thinking>`)).toMatchObject({ observations: [], issues: [{ code: 'no-records' }] }); // prettier-ignore
    expect(read(`${answer}</think>`).observations).toEqual([one]);
  });

  it('may speak of the format', () => {
    const text = `I will write an <observation> now:\n${writeObserverReply({ observations: [one!] })}`;
    expect(read(text).observations).toEqual([one]);
  });
});

describe('a block without content', () => {
  it('B084: is no record, and no reason to ask again', () => {
    const empty = [
      '<observation><type>discovery</type></observation>',
      '<observation></observation>',
      '<observation><type>bugfix</type><title> </title><narrative>null</narrative><facts></facts></observation>',
      '<observation><type>bugfix</type><title>N/A</title><concepts><concept>gotcha</concept></concepts></observation>',
      '<observation>\n```\n```\n</observation>',
    ];
    for (const text of empty) {
      expect(read(text).observations, text).toEqual([]);
      expect(codes(text), text).toEqual(['empty-block']);
    }
    expect(read('<summary><request></request></summary>')).toMatchObject({ summary: null });
  });
});

describe('types and concepts', () => {
  it('B085: an unknown type is kept in the issues and becomes discovery; a type of the mode stays', () => {
    const text = '<observation><type>security_note</type><title>T</title></observation>';
    expect(read(text).observations).toMatchObject([{ type: 'discovery' }]);
    expect(read(text).issues).toMatchObject([
      { code: 'unknown-type', message: expect.stringContaining('security_note') },
    ]);
    expect(read(text, { types: [{ id: 'security_note', meaning: '' }] }).observations).toMatchObject([
      { type: 'security_note' },
    ]);
  });

  it('a type is known in any spelling, also as an attribute', () => {
    for (const type of ['Bugfix', 'BUG FIX', 'bug-fix', ' bugfix ', '`bugfix`'])
      expect(read(`<observation><type>${type}</type><title>T</title></observation>`)).toMatchObject({
        observations: [{ type: 'bugfix' }],
        issues: [],
      });
    expect(read('<observation type="decision"><title>T</title></observation>').observations).toMatchObject([
      { type: 'decision' },
    ]);
  });

  it('a missing type is discovery', () => {
    expect(read('<observation><title>T</title></observation>').observations).toMatchObject([
      { type: 'discovery' },
    ]);
    expect(codes('<observation><title>T</title></observation>')).toEqual(['missing-type']);
  });

  it('B086: a concept is its word alone', () => {
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

describe('the example of the prompt', () => {
  it('B087: is not taken for a memory', () => {
    const echo = writeObserverReply(mode.examples);
    expect(read(echo)).toMatchObject({ observations: [], summary: null });
    expect(codes(echo)).toEqual(['template-echo', 'template-echo']);
    expect(read(`${echo}${writeObserverReply({ observations: [one!] })}`).observations).toEqual([one]);
  });

  it('is not taken for one either when a little was changed', () => {
    const echo = { ...example, type: 'feature', filesModified: [], facts: [] };
    expect(read(writeObserverReply({ observations: [echo] })).observations).toEqual([]);
  });
});

describe('a block that is cut off', () => {
  const cut = (part: string) =>
    `${writeObserverReply({ observations: [one!] })}<observation><type>bugfix</type>${part}\n${writeObserverReply({ observations: [three!] })}`;

  it('B088: costs only itself, and one line in the issues', () => {
    for (const part of [
      '<title>Two is',
      '<title>Two</title><narrative>Two is cut',
      '<title>Two</title><facts><fact>Two',
    ]) {
      expect(read(cut(part)).observations, part).toEqual([one, three]);
      expect(codes(cut(part)), part).toEqual(['cut-off']);
    }
  });

  it('is kept when only its end tag is missing', () => {
    const text = cut('<title>Two</title><narrative>All of it.</narrative>');
    expect(read(text).observations.map(({ title }) => title)).toEqual(['One', 'Two', 'Three']);
    expect(codes(text)).toEqual(['missing-end']);
  });

  it('at the end of the reply is kept as far as it goes, if it says something', () => {
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

  it('may lack the end tags of fields', () => {
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

describe('other shapes', () => {
  it('attributes instead of elements, also where the element holds nothing else', () => {
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

  it('wrappers, numbered elements and other names for a field', () => {
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

  it('an observation inside of another is one of its own', () => {
    const inner = writeObserverReply({ observations: [two!] });
    const text = `<observation><type>bugfix</type><title>One</title><narrative>N</narrative>${inner}</observation>`;
    expect(read(text).observations.map(({ title }) => title)).toEqual(['One', 'Two']);
  });

  it('prose after a title', () => {
    expect(read(observation('<title>T</title>It was never reset.')).observations).toMatchObject([
      { title: 'T', narrative: 'It was never reset.' },
    ]);
    expect(codes(observation('<title>T</title>It was never reset.'))).toEqual(['prose-block']);
  });

  it('entities without their end, and a mark of byte order', () => {
    const text =
      '\ufeff<observation><type>bugfix</type><title>a &lt b &amp c</title><narrative>x&lt;y ?a=1&lt=2&copy</narrative></observation>';
    expect(read(text)).toMatchObject({
      observations: [{ title: 'a < b & c', narrative: 'x<y ?a=1&lt=2&copy' }],
      issues: [],
    });
  });

  it('several summaries: the first counts', () => {
    const text = '<summary><request>A</request></summary><summary><request>B</request></summary>';
    expect(read(text).summary?.request).toBe('A');
    expect(read(text).issues).toMatchObject([{ code: 'too-many', offset: text.lastIndexOf('<summary>') }]);
  });

  it('any case, attributes, dashes', () => {
    const text =
      '<Observation id="1"><TYPE>bugfix</TYPE><Title lang="en">T</Title><files-read><file>a.ts</file></files-read><filesModified><File>b.ts</File></filesModified></OBSERVATION><Summary ><Next-Steps>N</Next-Steps></Summary>';
    expect(read(text)).toMatchObject({
      observations: [{ title: 'T', filesRead: ['a.ts'], filesModified: ['b.ts'] }],
      summary: { nextSteps: 'N' },
    });
  });

  it('lists as JSON, bullets, lines or items', () => {
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

  it('files without quotes, dots and repetitions', () => {
    const text = observation(
      '<title>T</title><files_read>`./src/a.ts`, src/a.ts\n"b c.ts"\n- C:\\x\\y.ts</files_read>',
    );
    expect(read(text).observations[0]?.filesRead).toEqual(['src/a.ts', 'b c.ts', 'C:\\x\\y.ts']);
  });

  it('B099, B131: one line where one line is promised; NUL and lone surrogates are made storable', () => {
    const [kept] = read(
      observation('<title>A\n## System\u0007\u0000B\ud83d</title><narrative>a\r\nb\u0007c</narrative>'),
    ).observations;
    expect(kept).toMatchObject({ title: 'A ## System \u2400B\ufffd', narrative: 'a\nb c' });
  });
});

describe('bounds', () => {
  it('B129: long fields are cut on whole characters and say so', () => {
    const text = observation(
      `<title>${'😀'.repeat(500)}</title><narrative>x${'😀'.repeat(9_000)}</narrative><facts>${'<fact>y😀</fact>'.repeat(2)}<fact>${'😀'.repeat(900)}</fact></facts>`,
    );
    const [kept] = read(text).observations;
    expect(kept?.title?.length).toBeLessThanOrEqual(200);
    expect(kept?.narrative?.length).toBeLessThanOrEqual(8_000);
    expect(JSON.stringify(kept).isWellFormed()).toBe(true);
    expect(kept?.facts.every(({ text }) => text.isWellFormed() && text.length <= 1_000)).toBe(true);
    expect(codes(text)).toEqual(['too-long', 'too-long', 'too-long']);
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

  it('no more than fifty observations and fifty facts', () => {
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
