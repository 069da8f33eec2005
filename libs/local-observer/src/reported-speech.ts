import { formatCodeSpan, type JsonValue, type ObservedToolUse, type ObserverBatch } from '@claude-mem/core';
import { createProjectTest, readLookup, getText, type Steps } from '@claude-mem/evidence';
import { toComparableText } from './comparable-text.js';
import { shortPath } from './short-path.js';
import { PLAN_LEAD_IN } from './read-request.js';
import { unquoted } from './text/unquoted.js';
import { countWords } from './text/count-words.js';

/** A text that the agent read. */
interface QuoteSource {
  /** Name of the source, such as `https://example.com`. */
  name: string;
  /** True for the web, an MCP server or a file outside the project. */
  isExternal: boolean;
}

/** Returns the source that a sentence repeats, or null for the agent's own words. */
export type SourceOfQuote = (sentence: string) => QuoteSource | null;

/** Matches the name of a source on the web. */
export const WEB_SOURCE = /https?:\/\/|\b(?:(?:web ?)?(?:pages?|sites?)|articles?|blogs?)\b/i;

const TOTAL = 2_000_000;
const PART = 200_000;
const MIN_WORDS = 5;
const MIN_LENGTH = 16;
/** The output of a matching command counts as a page. */
const DOWNLOAD = /\b(?:curl|wget)\b[^|;&]*https?:\/\//i;
const SUB_AGENT = /^(?:Task|Agent|task|delegate_to_agent|spawn_agent)$/;

/**
 * Creates a function that finds the source of a sentence. A source is a tool result or a quotation of the user that
 * contained the sentence, word for word, before the agent wrote it.
 */
export function* quoteSteps(batch: ObserverBatch): Steps<SourceOfQuote> {
  const isInProject = createProjectTest(
    batch.session.projectRoot,
    batch.toolUses.find(({ cwd }) => cwd !== null)?.cwd ?? null,
  );
  const texts: { source: QuoteSource | null; text: string }[] = [
    {
      source: { name: 'the prompt', isExternal: false },
      text: toComparableText(extractQuotations(batch.prompt ?? '')),
    },
  ];
  let size = 0;
  for (const [at, use] of batch.toolUses.entries()) {
    if (size > TOTAL) break;
    yield;
    const written = collectStrings(use.input);
    const returned = `${collectStrings(use.response)}\n${use.error ?? ''}`;
    size += written.length + returned.length;
    texts.push({ source: null, text: toComparableText(written) });
    yield;
    texts.push({ source: findResultSource(use, at, isInProject), text: toComparableText(returned) });
  }
  return (sentence) => {
    const searchedText = toComparableText(sentence);
    if (countWords(sentence) < MIN_WORDS || searchedText.length < MIN_LENGTH) return null;
    return texts.find(({ text }) => text.includes(searchedText))?.source ?? null;
  };
}

function findResultSource(
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

/**
 * Returns all strings of a value up to a length. A long string without a space, such as an encoded image, is skipped.
 */
export function collectStrings(value: JsonValue): string {
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

/**
 * Returns the parts of a prompt that may not be words of the user: quotations, code, and text after a colon or a
 * heading.
 */
function extractQuotations(prompt: string): string {
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
const REPORTING_VERBS =
  '(?:(?:also|explicitly|literally|then|even) )?(?:says?|said|states?|stated|claims?|claimed|recommends?|recommended|advises|advised|instructs?|instructed|demands?|writes|wrote|announces?|reads?(?= ?[:"“«‘])|(?:tells?|asks?|wants?) (?:you|me|us|to|readers?|agents?)|contains? (?:this|the|these|a|an|some)?(?: [\\w-]+)? ?(?:texts?|sentences?|instructions?|lines?|paragraphs?))';

/** Matches a lead-in that announces the words of a source, in the same sentence or after it. */
const INTRODUCTIONS: readonly RegExp[] = [
  new RegExp(
    `^(?:I|we) (?:found|read|saw|took|copied|got|quoted?) (?:(?:this|that|it|these|them|the following)(?: [\\w-]+)?) (?:in|on|from|at) ${subject(SOURCE)}`,
    'i',
  ),
  new RegExp(
    `^(?:here|this|that|below|the following)(?:(?:'|’)s| is| are) what [^:,.]{2,80}? ${REPORTING_VERBS}(?![\\w])`,
    'i',
  ),
];

/** Match a sentence that begins with the source of the following words. The match is the name of the source. */
const ATTRIBUTIONS: readonly RegExp[] = [
  ...INTRODUCTIONS,
  new RegExp(`^(?:\\w+, )?(?:${subject(SOURCE)}|they|it) ${REPORTING_VERBS}(?![\\w])`, 'i'),
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

/** Match a line that names the source of the text below: "Their page, in short". */
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

/** Returns the source that a sentence or a line above a text names, or null. */
export function findAttribution(text: string, { isLabel = false } = {}): string | null {
  const plain = text.trim();
  const patterns = isLabel ? [...ATTRIBUTIONS, ...LABELS] : ATTRIBUTIONS;
  const found = patterns.map((pattern) => pattern.exec(plain)?.[0]).find((match) => match !== undefined);
  if (found === undefined) return /^["“„«].*["”“»]\.?$/.test(plain) && !isLabel ? 'Quoted' : null;
  return found.replace(/[\s,:：]+$/, '');
}

/** Puts the source before a text. */
export const withSource = (source: string, text: string): string =>
  `${source.slice(0, 120)}: “${unquoted(text.replace(/[.。]$/, ''))}”`;

/**
 * Creates a function for the sentences of one paragraph, in order. It returns the source of each quoted sentence, and
 * null for the agent's own words.
 */
export function createParagraphReader(): (sentence: string, isOwn: boolean) => string | null {
  let openSource: { source: string; until: 'quote' | 'end' } | null = null;
  return (sentence, isOwn) => {
    const isUneven = (sentence.match(/["“”„«»]/g)?.length ?? 0) % 2 === 1;
    if (openSource?.until === 'quote') {
      const { source } = openSource;
      if (isUneven) openSource = null;
      return source;
    }
    const source = findAttribution(sentence);
    if (source !== null) {
      const rest = sentence.slice(source.length);
      if (isUneven) openSource = { source, until: 'quote' };
      else
        openSource =
          /^\s*[:：](?!\s*["“„«])/.test(rest) ||
          INTRODUCTIONS.some((pattern) => pattern.test(sentence.trim()))
            ? { source, until: 'end' }
            : null;
      return source;
    }
    if (openSource !== null && !isOwn && !/^I\b/.test(sentence)) return openSource.source;
    openSource = null;
    return null;
  };
}
