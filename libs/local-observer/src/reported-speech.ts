import { formatCodeSpan, type JsonValue, type ObservedToolUse, type ObserverBatch } from '@claude-mem/core';
import { createProjectTest, readLookup, getText, type Steps } from '@claude-mem/evidence';
import { toComparableText } from './comparable-text.js';
import { shortPath } from './short-path.js';
import { PLAN_LEAD_IN } from './read-request.js';
import { unquoted } from './text/unquoted.js';
import { countWords } from './text/count-words.js';

/** A text that the agent read. */
interface QuoteSource {
  /** Such as `https://example.com`. */
  name: string;
  /** The web, an MCP server or a file outside the project. */
  isExternal: boolean;
}

/** Finds whose words a sentence repeats; null when the agent says it itself. */
export type SourceOfQuote = (sentence: string) => QuoteSource | null;

/** Matches the name of a source on the web. */
export const WEB_SOURCE = /https?:\/\/|\b(?:(?:web ?)?(?:pages?|sites?)|articles?|blogs?)\b/i;

const TOTAL = 2_000_000;
const PART = 200_000;
const SHORTEST_WORDS = 5;
const SHORTEST = 16;
/** The output of such a command is a page. */
const DOWNLOAD = /\b(?:curl|wget)\b[^|;&]*https?:\/\//i;
const SUB_AGENT = /^(?:Task|Agent|task|delegate_to_agent|spawn_agent)$/;

/**
 * A test for sentences that stand word for word in what a tool returned, or in what the user quoted, before the agent wrote
 * them itself.
 */
export function* quoteSteps(batch: ObserverBatch): Steps<SourceOfQuote> {
  const isInProject = createProjectTest(
    batch.session.projectRoot,
    batch.toolUses.find(({ cwd }) => cwd !== null)?.cwd ?? null,
  );
  const texts: { source: QuoteSource | null; text: string }[] = [
    {
      source: { name: 'the prompt', isExternal: false },
      text: toComparableText(quotedIn(batch.prompt ?? '')),
    },
  ];
  let size = 0;
  for (const [at, use] of batch.toolUses.entries()) {
    if (size > TOTAL) break;
    yield;
    const written = stringsOf(use.input);
    const returned = `${stringsOf(use.response)}\n${use.error ?? ''}`;
    size += written.length + returned.length;
    texts.push({ source: null, text: toComparableText(written) });
    yield;
    texts.push({ source: sourceOfResult(use, at, isInProject), text: toComparableText(returned) });
  }
  return (sentence) => {
    const wanted = toComparableText(sentence);
    if (countWords(sentence) < SHORTEST_WORDS || wanted.length < SHORTEST) return null;
    return texts.find(({ text }) => text.includes(wanted))?.source ?? null;
  };
}

function sourceOfResult(
  use: ObservedToolUse,
  at: number,
  isInProject: (path: string) => boolean,
): QuoteSource {
  if (SUB_AGENT.test(use.toolName)) return { name: 'a sub-agent', isExternal: false };
  const page = readLookup(use, at)?.query.replace(/^(https?:\/\/\S+)\s.*$/i, '$1');
  if (page !== undefined) return { name: page, isExternal: true };
  const isMcp = use.toolName.startsWith('mcp__');
  const path = getText(use.input, 'file_path', 'path', 'absolute_path');
  if (path !== null)
    return { name: formatCodeSpan(shortPath(path)), isExternal: isMcp || !isInProject(path) };
  const command = getText(use.input, 'command');
  return command === null
    ? { name: use.toolName, isExternal: isMcp }
    : { name: 'the output of a command', isExternal: isMcp || DOWNLOAD.test(command) };
}

/** Every string in a value, up to a length. A long string without a space is an image or the like. */
export function stringsOf(value: JsonValue): string {
  const strings: string[] = [];
  let length = 0;
  const collect = (item: JsonValue, depth: number) => {
    if (length > PART || depth > 12 || item === null) return;
    if (typeof item === 'string') {
      if (item.length > 4_000 && !/\s/.test(item.slice(0, 4_000))) return;
      strings.push(item);
      length += item.length;
    } else if (typeof item === 'object') for (const part of Object.values(item)) collect(part, depth + 1);
  };
  collect(value, 0);
  return strings.join('\n').slice(0, PART);
}

/** The parts of a prompt that need not be words of the user: quotations, code, and what follows a colon or a heading. */
function quotedIn(prompt: string): string {
  if (PLAN_LEAD_IN.test(prompt)) return '';
  const text = prompt.slice(0, PART);
  const pasted = /(?:[:：]\s*\n|^#{1,6} )[\s\S]*/m.exec(text)?.[0] ?? '';
  const quotations =
    text.match(/["“„«「『][^"“”„«»「」『』]{16,}["”“»」』]|^ *>.*$|```[\s\S]*?(?:```|$)/gm) ?? [];
  return [pasted, ...quotations].join('\n');
}

const WRITTEN =
  '(?:web ?)?(?:pages?|sites?|articles?|posts?|blogs?|docs?|documentation|readme(?:\\.md)?|guides?|manuals?|tutorials?|spec(?:ification)?s?|threads?|e-?mails?|changelogs?|documents?|transcripts?)';
const SOURCE = `(?:${WRITTEN}|files?|texts?|snippets?|instructions?|issues?|tickets?|pull requests?|prs?|comments?|reviews?|reviewers?|messages?|authors?|notes?|outputs?|logs?|responses?|results?)`;
const DETERMINER = '(?:the|their|its|this|that|these|those|his|her|an?)';
const ADDRESS = '(?:https?:\\/\\/\\S+|`[^`]+`|"[^"]+")';
const subject = (noun: string) => `(?:(?:${DETERMINER} )?(?:[\\w.-]+ ){0,3}?${noun}|${ADDRESS})`;
const SAYS =
  '(?:(?:also|explicitly|literally|then|even) )?(?:says?|said|states?|stated|claims?|claimed|recommends?|recommended|advises|advised|instructs?|instructed|demands?|writes|wrote|announces?|reads?(?= ?[:"“«‘])|(?:tells?|asks?|wants?) (?:you|me|us|to|readers?|agents?)|contains? (?:this|the|these|a|an|some)?(?: [\\w-]+)? ?(?:texts?|sentences?|instructions?|lines?|paragraphs?))';

/** Matches a lead-in that announces the words of a source, in the same sentence or after it. */
const INTRODUCTIONS: readonly RegExp[] = [
  new RegExp(
    `^(?:I|we) (?:found|read|saw|took|copied|got|quoted?) (?:(?:this|that|it|these|them|the following)(?: [\\w-]+)?) (?:in|on|from|at) ${subject(SOURCE)}`,
    'i',
  ),
  new RegExp(
    `^(?:here|this|that|below|the following)(?:(?:'|’)s| is| are) what [^:,.]{2,80}? ${SAYS}(?![\\w])`,
    'i',
  ),
];

/** Begins by naming whose words follow. The match is the source as it is named. */
const ATTRIBUTIONS: readonly RegExp[] = [
  ...INTRODUCTIONS,
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
  new RegExp(`^(?:from|in|on) ${subject(SOURCE)}$`, 'i'),
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
      else
        going =
          /^\s*[:：](?!\s*["“„«])/.test(rest) ||
          INTRODUCTIONS.some((pattern) => pattern.test(sentence.trim()))
            ? { source, until: 'end' }
            : null;
      return source;
    }
    if (going !== null && !isOwn && !/^I\b/.test(sentence)) return going.source;
    going = null;
    return null;
  };
}
