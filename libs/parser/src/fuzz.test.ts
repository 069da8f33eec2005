import { toFacts } from '@claude-mem/core';
import { bySize, LINEAR_GROWTH, processorTimeGrowth, randomFrom } from '@claude-mem/core/testing';
import { expect, it } from 'vitest';
import { LIMITS } from './limits.js';
import { decodeMarkup } from './markup.js';
import type { ReadReply } from './read-observer-reply.js';
import { draft, mode, read, summaryDraft } from './reply-fixtures.js';
import { writeObserverReply } from './write-observer-reply.js';

const ROUNDS = bySize({ quick: 5_000, full: 100_000 });

const record = draft({
  title: 'Map<K, V> & more',
  narrative: '日本語 😀 text\nmore',
  facts: toFacts(['<b>x</b>', 'a && b'], 'agent'),
});
const written = writeObserverReply({ observations: [draft(), record], summary: summaryDraft() });

/** Typical replies of models. */
const GOOD = [
  written,
  `Sure:\n\`\`\`xml\n${writeObserverReply({ observations: [record], skippedSummary: 'a question' })}\n\`\`\`\nDone.`,
  `<think>Perhaps ${writeObserverReply({ observations: [record] })}?</think>\n\ufeff${written}`,
  `maybe <observation>\n</think>${written.toUpperCase()}`,
  '<observation type="feature"><title>T<narrative>N &lt;x&gt; <![CDATA[a </fact> b]]><facts>["one", "two"]</facts><concepts>gotcha: x, y</concepts></observation><observation>Only prose here. And more.</observation>',
  `<observations><observation type='bugfix' title='a > b' files_modified="a.ts, b.ts"/><observation><type value="feature"/><title>T</title><facts><fact1>x &lt y</fact1><fact_2/></facts><files-read><file path="./c.ts"/></files-read></observation></observations><summary request="R" notes='N &amp; M'/>`,
  `<Observation>\n  <Type>discovery</Type>\n  <Title>null</Title>\n  <Narrative>Cut < here && there</Narrative>\n  <Facts>\n1. one\n2. two\n- three</Facts>\n  <Files_Read>\`a.ts\`, "b.ts"</Files_Read>\n</Observation>\n<summary>Prose of a summary.</summary><summary><request>N/A</request><learned>L</learned>`,
  `Here:\n\`\`\`json\n${JSON.stringify({ observations: [draft(), record], summary: summaryDraft() }, null, 1)}\n\`\`\``,
  `[{"type": "bugfix", "title": "a \\"b\\" \\u00e9 &lt;c&gt;", "facts": ["x\ny", {"fact": "z"},], "files_modified": [{"path": "a.ts"}]}]\n{"skip_summary": "none"}`,
  `## Observation 1: Timer\n- **Type**: \`bugfix\`\n- **Narrative**: It was &amp; is.\n- **Facts**:\n  1. one\n  2. two\n\n**Summary**\n**Request:** Fix it.\n**Completed:** Done.\n\nAnything else?`,
  writeObserverReply(mode.examples),
  'No observations to record.',
];

const PIECES = [
  '<', '>', '/', '&', '&lt;', '&lt', '&amp;lt;', '&#x0;', '&#xD83D;', '"', "'", '=', '\\', '\n', '\u0000', '\ud83d', '😀', '```', '{', '}', '[', ']', '","', ': ', '**', '# ',
  '<![CDATA[', ']]>', '<observation>', '</observation>', '<observation', '/>', '<title>', '</title>', '<fact>', '</facts>', '<summary>', '</summary>', '<think>', '</think>',
  '<skip_summary/>', '<!--', 'null', '\n**Title:** x\n', '"title":', '\ufeff',
]; // prettier-ignore

function mutate(text: string, random: () => number): string {
  const at = Math.floor(random() * text.length);
  const length = Math.floor(random() * 40);
  const piece = PIECES[Math.floor(random() * PIECES.length)] ?? '';
  switch (Math.floor(random() * 7)) {
    case 0:
      return text.slice(0, at) + text.slice(at + length);
    case 1:
      return text.slice(0, at) + piece + text.slice(at);
    case 2:
      return text.slice(0, at) + text.slice(at, at + length).repeat(3) + text.slice(at);
    case 3:
      return text.slice(0, at);
    case 4:
      return text.slice(at) + text.slice(0, at);
    case 5:
      return text.slice(0, at) + piece + text.slice(at + length);
    default:
      return text.slice(0, at) + text.slice(at, at + length).toUpperCase() + text.slice(at + length);
  }
}

/** Reduces a text to letters, digits and punctuation, so that it can be compared with any decoding of it. */
const normalize = (text: string) => text.toWellFormed().normalize('NFC').replaceAll('\u0000', '\u2400').replace(/[\s\p{Cc}]+/gu, ''); // prettier-ignore

const SIGNS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
const unescapeJson = (text: string) =>
  text.replace(/\\(?:u([0-9a-f]{4})|([^]))/gi, (_match, code: string | undefined, sign = '') =>
    code === undefined ? (SIGNS[sign as string] ?? sign) : String.fromCharCode(Number.parseInt(code, 16)),
  );
const withoutSections = (text: string) => text.replace(/<!\[CDATA\[|\]\]>/g, '');

/** Returns every possible decoding of the reply. */
const listDecodings = (reply: string) => {
  const decodings = [reply, unescapeJson(reply)].flatMap((text) => [
    text,
    decodeMarkup(text),
    withoutSections(text),
    withoutSections(decodeMarkup(text)),
    decodeMarkup(withoutSections(text)),
  ]);
  return [...new Set(decodings)].map(normalize);
};

function listTexts({ observations, summary, skippedSummary }: ReadReply): readonly string[] {
  const texts = observations.flatMap((kept) => [
    kept.title,
    kept.subtitle,
    kept.narrative,
    ...kept.facts.map(({ text }) => text),
    ...kept.filesRead,
    ...kept.filesModified,
  ]);
  return [...texts, ...Object.values(summary ?? {}).flat(), skippedSummary].filter((text) => text !== null);
}

function findInvented(reply: string, records: ReadReply): string | null {
  for (const { offset } of records.issues)
    if (!(offset >= 0 && offset <= reply.length)) return `offset ${offset}`;
  let sources: readonly string[] | undefined;
  for (const text of listTexts(records)) {
    if (!text.isWellFormed()) return text;
    if (reply.includes(text)) continue;
    // A word can end where a character was removed. Both parts must then occur in the reply.
    for (const word of text.split(/[\s…\ufffd]+/u)) {
      if (reply.includes(word)) continue;
      sources ??= listDecodings(reply);
      const plain = normalize(word);
      if (!sources.some((source) => source.includes(plain))) return word;
    }
  }
  return null;
}

it('adds no text and throws no error when replies are broken', { timeout: 180_000 }, () => {
  const failures: { round: number; reply: string; invented: string }[] = [];
  let kept = 0;
  for (let round = 0; round < ROUNDS && failures.length < 3; round += 1) {
    const random = randomFrom(round);
    let reply = GOOD[round % GOOD.length] ?? '';
    for (let count = 1 + Math.floor(random() * 8); count > 0; count -= 1) reply = mutate(reply, random);
    const records = read(reply);
    const invented = findInvented(reply, records);
    if (invented !== null) failures.push({ round, reply, invented });
    kept += records.observations.length;
  }
  expect(failures).toEqual([]);
  expect(kept).toBeGreaterThan(ROUNDS / 2);
});

/** Generators of texts that cause a backtracking reader to take more than linear time. */
const ADVERSARIAL: readonly (readonly [name: string, text: (length: number) => string])[] = [
  ...[
    '<', '>', '&', '&lt', '&#x', '"', '=', '.', '-', '*', '#', '`', ' ', '\n', '\\', '{', '[', '[]', '{}', '{"', '{"a":', '{"title":"x"},', '["', '<![CDATA[', ']]>',
    '<observation>', '</observation>', '<observation ', '<observation a="', "<observation a='", '<observation/>', '<observation><type>', '<observation><title></observation>',
    '<title>', '</title>', '<title a="b" ', '<facts><fact>', '<fact/>', '<summary><request>', '<think>', '</think>', '<skip_summary reason="', '<skip_summary>',
    'Title: x\n', '**Title:** x\n**Narrative:** y\n', '# Observation\n', '- a\n', '\n\n \n', 'observation ', '<!--', '< ', '&&lt;',
  ].map((part) => [part, (length: number) => part.repeat(Math.ceil(length / part.length))] as const),
  ['one long tag', (length) => `<observation ${'a="b" '.repeat(length / 6)}>`],
  ['one long name', (length) => `<${'a'.repeat(length)}>`],
  ['a tag without an end', (length) => `<title ${' '.repeat(length)}`],
  ['nested', (length) => '<observation><facts>'.repeat(length / 40) + '</facts></observation>'.repeat(length / 44)],
  ['nested JSON', (length) => '['.repeat(length / 2) + ']'.repeat(length / 2)],
  ['a title of dots', (length) => `<observation><title>${'.'.repeat(length)}x</title></observation>`],
  ['a list of commas', (length) => `<observation><title>T</title><files_read>${','.repeat(length)}</files_read></observation>`],
  ['many facts', (length) => `<observation><facts>${'<fact>x'.repeat(length / 7)}</facts></observation>`],
  ['many fields', (length) => `<observation>${'<facts><fact>x</fact></facts>'.repeat(length / 29)}</observation>`],
  ['a section', (length) => `<observation><title><![CDATA[${'<'.repeat(length)}]]></title></observation>`],
  ['a long answer', (length) => written.repeat(Math.ceil(length / written.length))],
]; // prettier-ignore

it('takes linear time when a reply is hostile', { timeout: 180_000 }, () => {
  const length = bySize({ quick: LIMITS.reply / 8, full: LIMITS.reply });
  for (const [name, text] of ADVERSARIAL)
    expect(
      processorTimeGrowth((size) => read(text(size)), length),
      name,
    ).toBeLessThan(LINEAR_GROWTH);
});
