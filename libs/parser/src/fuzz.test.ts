import { randomFrom } from '@claude-mem/core/testing';
import { expect, it } from 'vitest';
import { decodeMarkup } from './markup.js';
import type { ReadReply } from './read-observer-reply.js';
import { draft, read, summaryDraft } from './reply-lab.js';
import { writeObserverReply } from './write-observer-reply.js';

const GOOD = [
  writeObserverReply({
    observations: [draft(), draft({ title: 'Map<K, V> & more', facts: ['<b>x</b>'] })],
    summary: summaryDraft(),
  }),
  `Sure:\n\`\`\`xml\n${writeObserverReply({ observations: [draft({ narrative: '日本語 😀 text\nmore' })], skippedSummary: 'a question' })}\n\`\`\`\nDone.`,
  '<observation type="feature"><title>T<narrative>N &lt;x&gt; <![CDATA[a </fact> b]]><facts>["one", "two"]</facts><concepts>gotcha: x, y</concepts></observation><observation>Only prose here. And more.</observation>',
];
const PIECES = [
  '<', '>', '/', '&', '&lt;', '&#x0;', '&#xD83D;', '"', '\n', '\u0000', '\ud83d', '😀', '```', '[', ']', '<![CDATA[', ']]>', '<observation>',
  '</observation>', '<title>', '</title>', '<fact>', '</facts>', '<summary>', '</summary>', '<think>', '</think>', '<skip_summary/>', '<!--', 'null',
]; // prettier-ignore

function mutate(text: string, random: () => number): string {
  const at = Math.floor(random() * text.length);
  const length = Math.floor(random() * 40);
  const piece = PIECES[Math.floor(random() * PIECES.length)] ?? '';
  switch (Math.floor(random() * 6)) {
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
    default:
      return text.slice(0, at) + text.slice(at, at + length).toUpperCase() + text.slice(at + length);
  }
}

/** The letters, digits and signs of a text as they may come out of it, by whichever way it was decoded. */
const essence = (text: string) => text.toWellFormed().normalize('NFC').replaceAll('\u0000', '\u2400').replace(/[\s\p{Cc}]+/gu, ''); // prettier-ignore

function findInvented(
  reply: string,
  { observations, summary, skippedSummary, issues }: ReadReply,
): string | null {
  const sources = [reply, decodeMarkup(reply), reply.replace(/<!\[CDATA\[|\]\]>/g, '')].map(essence);
  sources.push(essence(decodeMarkup(reply).replace(/<!\[CDATA\[|\]\]>/g, '')));
  sources.push(essence(decodeMarkup(reply.replace(/<!\[CDATA\[|\]\]>/g, ''))));
  const texts = observations.flatMap((kept) => [
    kept.title,
    kept.subtitle,
    kept.narrative,
    ...kept.facts,
    ...kept.filesRead,
    ...kept.filesModified,
  ]);
  if (summary) texts.push(...Object.values(summary).flat());
  texts.push(skippedSummary);
  for (const { offset } of issues) if (!(offset >= 0 && offset <= reply.length)) return `offset ${offset}`;
  for (const text of texts) {
    if (text === null) continue;
    if (!text.isWellFormed()) return text;
    // A word may end where a mark was left out; each of its halves still stands in the reply.
    const words = text.split(/[\s…\ufffd]+/u).map(essence);
    const strange = words.find((word) => !sources.some((source) => source.includes(word)));
    if (strange !== undefined) return strange;
  }
  return null;
}

it('takes 10,000 broken replies without throwing, hanging or inventing text', { timeout: 120_000 }, () => {
  const failures: { round: number; reply: string; invented: string }[] = [];
  let kept = 0;
  const start = performance.now();
  for (let round = 0; round < 10_000; round += 1) {
    const random = randomFrom(round);
    let reply = GOOD[round % GOOD.length] ?? '';
    for (let count = 1 + Math.floor(random() * 8); count > 0; count -= 1) reply = mutate(reply, random);
    const records = read(reply);
    const invented = findInvented(reply, records);
    if (invented !== null) failures.push({ round, reply, invented });
    kept += records.observations.length;
  }
  expect(failures.slice(0, 3)).toEqual([]);
  expect(kept).toBeGreaterThan(4_000);
  expect(performance.now() - start).toBeLessThan(100_000);
});
