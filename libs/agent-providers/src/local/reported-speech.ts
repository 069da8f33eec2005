import { formatCodeSpan, type ObserverBatch } from '@claude-mem/core';
import { lookupOf } from '../evidence/lookups.js';
import { outputOf, textOf } from '../evidence/json-fields.js';
import type { Steps } from '../steps.js';
import { shortPath } from './short-path.js';
import { unquoted } from './read-request.js';
import { fileText } from './seen-terms.js';
import { countWords } from './text/count-words.js';

/** Names whose words a sentence repeats, such as `https://example.com`; null when the agent says it itself. */
export type SourceOfQuote = (sentence: string) => string | null;

const TOTAL = 2_000_000;
const PART = 80_000;
const SHORTEST_WORDS = 5;
/** The answers of sub-agents are told as theirs already. */
const SUB_AGENT = /^(?:Task|Agent|task|delegate_to_agent|spawn_agent)$/;

/** A test for sentences that stand word for word in what a tool returned and the agent did not write in this turn. */
export function* quoteSteps(batch: ObserverBatch): Steps<SourceOfQuote> {
  const quotable: { source: string; text: string }[] = [];
  const own: string[] = [];
  let size = 0;
  for (const [at, use] of batch.toolUses.entries()) {
    if (size > TOTAL) break;
    yield;
    const written = ['command', 'content', 'new_string', 'prompt'].map(
      (name) => textOf(use.input, name) ?? '',
    );
    own.push(plainWords(written.join('\n').slice(0, PART)));
    if (SUB_AGENT.test(use.toolName)) continue;
    const returned = [outputOf(use.response), fileText(use.response), use.error ?? '']
      .join('\n')
      .slice(0, PART);
    size += returned.length;
    const path = textOf(use.input, 'file_path', 'path', 'absolute_path');
    const command = textOf(use.input, 'command');
    const source =
      lookupOf(use, at)?.what.replace(/^(https?:\/\/\S+)\s.*$/i, '$1') ??
      (path !== null
        ? formatCodeSpan(shortPath(path))
        : command !== null
          ? 'the output of a command'
          : use.toolName);
    quotable.push({ source, text: plainWords(returned) });
  }
  const prompt = plainWords(batch.prompt ?? '');
  return (sentence) => {
    const words = plainWords(sentence).trim();
    if (countWords(sentence) < SHORTEST_WORDS || words.length < 20) return null;
    if (prompt.includes(words) || own.some((text) => text.includes(words))) return null;
    return quotable.find(({ text }) => text.includes(words))?.source ?? null;
  };
}

/** Letters and digits only: marks, quotes and line ends differ between a text and its quotation. */
const plainWords = (text: string) =>
  ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  } `;

const WRITTEN =
  '(?:web ?)?(?:pages?|sites?|articles?|posts?|blogs?|docs?|documentation|readme(?:\\.md)?|guides?|manuals?|tutorials?|spec(?:ification)?s?|threads?|e-?mails?|changelogs?|documents?|transcripts?)';
const SOURCE = `(?:${WRITTEN}|files?|texts?|snippets?|instructions?|issues?|tickets?|pull requests?|prs?|comments?|reviews?|reviewers?|messages?|authors?|notes?|outputs?|logs?|responses?|results?)`;
const DETERMINER = '(?:the|their|its|this|that|these|those|his|her|an?)';
const ADDRESS = '(?:https?:\\/\\/\\S+|`[^`]+`|"[^"]+")';
const subject = (noun: string) => `(?:(?:${DETERMINER} )?(?:[\\w.-]+ ){0,3}?${noun}|${ADDRESS})`;
const SAYS =
  '(?:(?:also|explicitly|literally|then|even) )?(?:says?|said|states?|stated|claims?|claimed|recommends?|recommended|advises|advised|instructs?|instructed|demands?|writes|wrote|announces?|reads?(?= ?[:"“«‘])|(?:tells?|asks?|wants?) (?:you|me|us|to|readers?|agents?)|contains? (?:this|the|these|a|an|some)?(?: [\\w-]+)? ?(?:texts?|sentences?|instructions?|lines?|paragraphs?))';

/** Begins by naming whose words follow. The match is the source as it is named. */
const ATTRIBUTIONS: readonly RegExp[] = [
  new RegExp(`^(?:\\w+, )?(?:${subject(SOURCE)}|they|it) ${SAYS}(?![\\w])`, 'i'),
  new RegExp(`^(?:according to|as per|per|quoting|quoted from) ${subject(SOURCE)}`, 'i'),
  /^according to (?!me\b|plan\b)[^,:]{2,60}(?=[,:])/i,
  new RegExp(`^(?:from|in|on) ${subject(SOURCE)}(?= ?:)`, 'i'),
  new RegExp(
    `^(?:(?:a|the|brief|short|quick) )*(?:summary|gist|contents?|quotes?|excerpts?|extracts?|translation|text|tl;?dr) (?:of|from) (?:${subject(WRITTEN)})`,
    'i',
  ),
  /^(?:laut|gemäß) (?:der|dem|ihrer?|dieser?)?\s?[^,:]{2,40}|^(?:die|der|das|ihre?) (?:\S+ )?(?:seite|artikel|doku\w*|anleitung|readme) (?:sagt|schreibt|besagt|enthält|empfiehlt)|^zusammenfassung (?:der seite|des artikels|der doku\w*)/i,
  /^(?:selon|d(?:'|’)après) [^,:]{2,40}|^(?:la|le|leur|l(?:'|’))\s?(?:\S+ )?(?:page|site|article|docu\w*|guide) (?:dit|indique|recommande|contient)|^résumé (?:de la page|de l(?:'|’)article|du site)/i,
  /^según [^,:]{2,40}|^(?:la|el|su) (?:\S+ )?(?:página|sitio|artículo|guía|documentación) (?:dice|indica|recomienda|contiene)|^resumen (?:de la página|del artículo)/i,
  /^.{0,20}(?:ページ|記事|ドキュメント|サイト)(?:によると|によれば|には|の要約)/,
  /^(?:根据|据).{0,16}(?:页面|文章|网页|文档|网站)|^.{0,16}(?:页面|文章|网页|文档|网站)(?:说|称|写道|指出|的摘要|的总结)/,
  /^(?:согласно|по словам)\s[^,:]{2,40}|^(?:\S+ )?(?:страница|статья|сайт|документация) (?:говорит|утверждает|пишет|рекомендует)/i,
];

/** A line above a text that says whose words it holds: "Their page, in short". */
const LABELS: readonly RegExp[] = [
  new RegExp(
    `^(?:${DETERMINER} )?(?:[\\w.-]+ ){0,3}?${SOURCE}\\b.*?\\b(?:in short|in full|in brief|verbatim|word for word|summari[sz]ed|(?:literally )?(?:says?|said|reads?|states?|contains?))\\b`,
    'i',
  ),
  new RegExp(
    `^${DETERMINER} (?:[\\w.-]+ ){0,3}?(?:pages?|sites?|articles?|posts?|blogs?|threads?|e-?mails?|transcripts?)$`,
    'i',
  ),
  /^(?:quotes?|quotation|quoted(?: text)?|excerpts?|(?:it|they) (?:says?|reads?)|zitat|citation|cita|引用)$/i,
];

/** The source that a sentence or a line above a text names; null when it names none. */
export function attributionIn(text: string, { isLabel = false } = {}): string | null {
  const plain = text.trim();
  const patterns = isLabel ? [...ATTRIBUTIONS, ...LABELS] : ATTRIBUTIONS;
  const found = patterns.map((pattern) => pattern.exec(plain)?.[0]).find((match) => match !== undefined);
  if (found === undefined) return /^["“„«].*["”“»]\.?$/.test(plain) && !isLabel ? 'Quoted' : null;
  return found.replace(/[\s,:：]+$/, '');
}

/** The text with its source before it. */
export const withSource = (source: string, text: string): string =>
  `${source.slice(0, 120)}: “${unquoted(text.replace(/[.。]$/, ''))}”`;

/** Follows the quotations of one paragraph: the source of each sentence, in order; null for the agent's own words. */
export function createParagraphReader(): (sentence: string, isOwn: boolean) => string | null {
  let going: { source: string; until: 'quote' | 'end' } | null = null;
  return (sentence, isOwn) => {
    const isUneven = (sentence.match(/["“”„«»]/g)?.length ?? 0) % 2 === 1;
    if (going?.until === 'quote') {
      const { source } = going;
      if (isUneven) going = null;
      return source;
    }
    const source = attributionIn(sentence);
    if (source !== null) {
      const rest = sentence.slice(source.length);
      if (isUneven) going = { source, until: 'quote' };
      else going = /^\s*[:：](?!\s*["“„«])/.test(rest) ? { source, until: 'end' } : null;
      return source;
    }
    if (going !== null && !isOwn && !/^(?:I|we)\b/i.test(sentence)) return going.source;
    going = null;
    return null;
  };
}
