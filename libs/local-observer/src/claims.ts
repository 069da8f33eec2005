import { formatCodeSpan, toSingleLine, truncate } from '@claude-mem/core';
import type { Steps, TurnEvidence } from '@claude-mem/evidence';
import { countWords } from './text/count-words.js';
import {
  ANNOUNCEMENT,
  announcesNext,
  CAUSE,
  CHECK_CLAIM,
  CHECK_RATIO,
  EDIT_CLAIM,
  HEDGE,
  LEAD_IN,
  UNCHANGED_HEADING,
  LIMIT,
  NEXT_SENTENCE,
  OFFER,
  OPTION,
  OPENING,
  PAST_EDIT,
  PRAISE_HEADING,
} from './text/lexicon.js';
import { readMarkdown, type Block } from './text/read-markdown.js';
import { createChangeTest } from './changed-names.js';
import { joinedLines } from './joined-lines.js';
import { splitSentences } from './text/split-sentences.js';
import { unquoted } from './text/unquoted.js';
import { belongsToTurn } from './belongs-to-turn.js';
import {
  findAttribution,
  createParagraphReader,
  WEB_SOURCE,
  withSource,
  type SourceOfQuote,
} from './reported-speech.js';
import { endsWithPath, filesIn, hasNumber, termsIn } from './names-in.js';
import { AGENT, findDecision, isUnprovable } from './unprovable.js';

/** One statement of the closing message with the result of its comparison with the evidence. */
export interface Claim {
  text: string;
  /**
   * `sentence` of a paragraph, list `item`, table `row`, commands in a code block (`usage`), or a quotation or another
   * code block (`code`).
   */
  form: 'sentence' | 'item' | 'row' | 'usage' | 'code';
  /** Headings and lead-ins above the statement. */
  under: readonly string[];
  role:
    | 'change' // completed work
    | 'finding' // a fact
    | 'guess' // a statement with a hedge such as "probably"
    | 'check' // a statement that tests or linters pass
    | 'next' // remaining work
    | 'question'; // a question to the user
  /** True when the edits, outputs or files of the turn contain a name of the statement. */
  isSupported: boolean;
  /** True when the statement gives a reason. */
  isCause: boolean;
  /** True when the statement names a limitation or remaining work. */
  isLimit: boolean;
  /** True when the statement was bold, or alone under a heading such as "Root cause". */
  isEmphasized: boolean;
  /**
   * True when the text names its source: a page, a file or an output that it repeats, or the agent when no evidence
   * supports it. Such a statement never proves completed work.
   */
  isReported: boolean;
  /** True when the source is a page, an MCP server or a file outside the project. */
  isExternal: boolean;
  /** The decision that the agent reports, or null. */
  decision: string | null;
  /** True when the statement names something that the turn changed. */
  isOnChange: boolean;
  /** Nesting depth of a list item, from 0. */
  depth: number;
  order: number;
}

/**
 * Splits a closing message into statements. Drops texts that are no statements and statements that the turn
 * contradicts.
 */
export function* claimSteps(
  message: string,
  evidence: TurnEvidence,
  seen: (term: string) => boolean,
  sourceOfQuote: SourceOfQuote,
  isContradicted: (sentence: string) => boolean,
): Steps<Claim[]> {
  const claims: Claim[] = [];
  const bold = boldSentences(message);
  const isOnChange = createChangeTest(evidence);
  const added = joinedLines(evidence.changes.map((change) => change.added));
  const isNew = (term: string) => /[_A-Z-]/.test(term) && term.length > 3 && added.includes(term);
  for (const block of readMarkdown(message)) {
    yield;
    const sourceAbove = block.under
      .map((line) => findAttribution(line, { isLabel: true }))
      .findLast((source) => source !== null);
    if (block.kind === 'code' || block.kind === 'quote') {
      if (sourceAbove !== undefined) continue;
      for (const claim of readBlockClaims(block, { evidence, seen, isNew, isOnChange }))
        claims.push({ ...claim, order: claims.length });
      continue;
    }
    const isProse = block.kind === 'paragraph' || block.kind === 'lead';
    const sentences = isProse ? splitSentences(block.text).flatMap(withoutPass) : [block.text];
    const readParagraph = createParagraphReader();
    let isAfterQuestion = false;
    for (const sentence of sentences) {
      const named = readParagraph(sentence, namesChange(sentence, evidence));
      if (ANNOUNCEMENT.test(sentence.trim()) && !/[?？]$/.test(sentence)) continue;
      const text = withoutOpening(sentence).replace(/\s+(?:and|but|where|which|that)\s*[:：]$/i, ':');
      if (
        text === '' ||
        isEmptyWorded(text) ||
        block.under.some(
          (heading) =>
            PRAISE_HEADING.test(heading) ||
            (CHECK_CLAIM.test(heading) &&
              /test|spec|lint|check|build|\bci\b/i.test(heading) &&
              countWords(heading) < 6),
        )
      )
        continue;
      if (block.kind === 'lead' && /[?？]$/.test(text) && !ADDRESSES_USER.test(text)) continue;
      const role = getRole(text, sentence, block, isAfterQuestion);
      if (
        (block.kind === 'lead' || /[:：]$/.test(text)) &&
        block.kind !== 'item' &&
        !isStatement(text, role, evidence.changes.length > 0)
      )
        continue;
      if (role === 'question' && /[?？؟]$/.test(sentence)) isAfterQuestion = isProse;
      const files = filesIn([text, ...block.under.slice(-2)].join(' '));
      if (role !== 'next' && role !== 'question' && !belongsToTurn(text, block.under, evidence)) continue;
      if (namesUnknownCommit(text, seen) || [text, ...block.under].some(isContradicted)) continue;
      const quote = sourceOfQuote(text);
      const quoted = named ?? sourceAbove ?? prefixed('Quoted from ', quote?.name ?? null);
      const isOpen = role === 'next' || role === 'question';
      const source = quoted ?? (!isOpen && isUnprovable(text, evidence) ? AGENT : null);
      if (source !== null && role === 'question') continue;
      const isAttributed = source === null || text.startsWith(source);
      claims.push({
        text: isAttributed ? text.replace(/\s*[:：]$/, '') : withSource(source, text),
        form: block.kind === 'paragraph' || block.kind === 'lead' ? 'sentence' : block.kind,
        under: block.under,
        role: source !== null && role !== 'guess' && role !== 'check' ? 'finding' : role,
        isReported: source !== null,
        isExternal: quote?.isExternal === true || (quoted !== null && WEB_SOURCE.test(quoted)),
        decision: quoted === null && !isOpen ? findDecision(text) : null,
        isOnChange: isOnChange(text),
        isSupported: isSupported(text, files, evidence, seen),
        isCause:
          CAUSE.test(text) ||
          block.under.some((heading) =>
            /cause|problem|reason|why|原因|問題|问题|причин|ursache/i.test(heading),
          ),
        isLimit:
          LIMIT.test(text) ||
          block.under.some(
            (heading) => /limit|caveat|\bnotes?\b|warning/i.test(heading) || UNCHANGED_HEADING.test(heading),
          ),
        isEmphasized: bold.some((strong) => text.includes(strong)),
        depth: block.depth,
        order: claims.length,
      });
    }
  }
  const under = new Set(claims.flatMap((claim) => (claim.isOnChange ? claim.under : [])));
  for (const claim of claims)
    if (claim.form === 'sentence' && [...under].some((lead) => lead.endsWith(claim.text)))
      claim.isOnChange = true;
  const isCutOff = message.trimEnd().endsWith('…') && claims.at(-1)?.text.endsWith('…');
  return isCutOff ? claims.slice(0, -1) : claims;
}

/** "It now does x and the tests pass" is a change and a check. */
const withoutPass = (sentence: string) =>
  sentence.split(/,? and (?=(?:all |the )*tests (?:now |all |still )?pass(?:es|ed)?\b)/i);

/** Reduces "Perfect! I've successfully applied the fix" to "Applied the fix". */
function withoutOpening(sentence: string): string {
  let text = sentence.trim().replace(/^now,? (it|they) (?=\w+s\b)/i, '$1 now ');
  for (let round = 0; round < 3; round += 1) {
    const shorter = text
      .replace(OPENING, (match) => (/[.!。！,:–—-]\s*$/.test(match) || match.trim() === text ? '' : match))
      .trim();
    if (shorter === text) break;
    text = shorter;
  }
  text = text
    .replace(
      /^(?:i(?:'|’)ve|i have|we(?:'|’)ve|we have|i|we)\s+(?:now\s+|also\s+|just\s+|then\s+)?(?:successfully\s+)?(?=[a-z]+(?:ed|t|de|ote|it|ut)\b)/i,
      '',
    )
    .replace(/^successfully\s+/i, '')
    .replace(
      /^(?:now|so|also|additionally|finally|overall|in summary|to summarize|in short),?\s+(?=[`"\p{L}])/iu,
      '',
    );
  return text !== sentence.trim() && /^[a-z]+(?:['’][a-z]+)?[\s,]/.test(text)
    ? text[0]!.toUpperCase() + text.slice(1)
    : text;
}

/** Returns true for a lead-in that is a statement without the list below it. */
function isStatement(text: string, role: Claim['role'], isChange: boolean): boolean {
  if (role === 'change' && PAST_EDIT.test(text)) return true;
  return (
    (role === 'change' || role === 'finding') &&
    (countWords(text) >= 9 || (!isChange && countWords(text) >= 6 && termsIn(text).length > 0)) &&
    !/^(?:if|in|and|then|but|or|when|for|so|after|before|both|here|this|these|it)\b|\b(?:like|has|have|had|if|with|logic|following|this|these|that|such as|but|and|or|to|be|are|is|was|were|way|ways|places|things|options|issues|for|from|suggests|shows|says|either|of|by|via|into|using|whether|because|since|both \w+)$/i.test(
      text.replace(/[:：]$/, ''),
    )
  );
}

function isEmptyWorded(text: string): boolean {
  if (
    LEAD_IN.test(text) &&
    (text.length < 90 || /[:：]$/.test(text)) &&
    !hasNumber(text) &&
    termsIn(text).length === 0
  )
    return true;
  if (/^(?:[a-z]\)|\d+[.)])\s*`[^`]+`\.?$/i.test(text)) return true;
  if (/^`[^`]+`(?:\s*\([^)]*\))?$/.test(text) && filesIn(text).length > 0) return true;
  return countWords(text) < 2 && termsIn(text).length === 0 && !hasNumber(text);
}

function getRole(text: string, sentence: string, block: Block, isAfterQuestion: boolean): Claim['role'] {
  if (block.under.some((heading) => UNKNOWN.test(heading))) return 'guess';
  if (block.kind !== 'row' && (/[?？؟]$/.test(sentence) || OFFER.test(sentence))) return 'question';
  if (block.under.some((heading) => UNCHANGED_HEADING.test(heading) && countWords(heading) < 8))
    return 'finding';
  if (REASONS_BELOW.test(block.under.at(-1) ?? '')) return 'finding';
  const isUnderNext = block.under.some((heading) => announcesNext(heading) || NEXT_SENTENCE.test(heading));
  if (isAfterQuestion || isUnderNext || NEXT_SENTENCE.test(text) || OPTION.test(text)) return 'next';
  if (
    block.under.some(
      (heading) => OFFER.test(heading) || (/[?？]$/.test(heading) && ADDRESSES_USER.test(heading)),
    )
  )
    return 'next';
  if (block.kind === 'item' && RESULT_LEAD.test(block.under.at(-1) ?? '')) return 'change';
  if (isCheckRatio(text)) return 'check';
  if (CHECK_CLAIM.test(text) && !CAUSE.test(text) && countWords(text) < 22) return 'check';
  if (HEDGE.test(text) || block.under.some((heading) => HEDGE.test(heading))) return 'guess';
  return EDIT_CLAIM.test(text) ||
    block.under.some((heading) => PAST_EDIT.test(heading) || /^(?:the )?fix\b/i.test(heading))
    ? 'change'
    : 'finding';
}

/** Matches a statement that introduces its reasons. */
const REASONS_BELOW = /\b(?:since|because|reasons?(?: (?:are|why))?)$/i;

/** Matches a lead-in about unknown facts. The questions below it are not for the user. */
const UNKNOWN = /\b(?:(?:don(?:'|’)t|do not) (?:yet )?know|unknowns?|unclear)\b/i;

/** Matches a question to the user. Other questions are headings that the text below answers. */
const ADDRESSES_USER = /\b(?:you|i|we|which)\b/i;

/** Matches a lead-in such as "The function now:", which introduces the result of a change. */
const RESULT_LEAD = /\bnow(?: (?:both|all) \w+)?$/i;

/** Matches a ratio of tests such as "500/500" with any verb. A ratio with failures is a finding. */
const isCheckRatio = (text: string) =>
  CHECK_RATIO.test(text) && !/\bfail(?:s|ed|ing)?\b|\b[1-9]\d* failures\b/i.test(text);

function isSupported(
  text: string,
  files: readonly string[],
  evidence: TurnEvidence,
  seen: (term: string) => boolean,
): boolean {
  const paths = [...evidence.changes.map(({ path }) => path), ...evidence.filesRead];
  if (files.some((name) => paths.some((path) => endsWithPath(path, name)))) return true;
  return termsIn(text).some(seen);
}

const prefixed = (start: string, text: string | null) => (text === null ? null : start + text);

/** Returns true when a sentence names a changed file. The agent is then the source of the statement. */
const namesChange = (sentence: string, { changes }: TurnEvidence) =>
  filesIn(sentence).some((name) => changes.some(({ path }) => endsWithPath(path, name)));

const USAGE = {
  form: 'usage',
  role: 'finding',
  isSupported: true,
  isCause: false,
  isLimit: false,
  isEmphasized: false,
  isReported: false,
  isExternal: false,
  decision: null,
  isOnChange: true,
  depth: 0,
} as const;

/** Returns the commands or the first lines of a code block, or a quotation, as claims. */
function readBlockClaims(
  { kind, text, under }: Block,
  {
    evidence,
    seen,
    isNew,
    isOnChange,
  }: {
    evidence: TurnEvidence;
    seen: (term: string) => boolean;
    isNew: (term: string) => boolean;
    isOnChange: (text: string) => boolean;
  },
): Omit<Claim, 'order'>[] {
  const usage = kind === 'code' ? findUsage(text) : null;
  if (usage !== null && termsIn(usage).concat(splitWords(usage)).some(isNew)) {
    const isNext = under.some(
      (heading) =>
        (announcesNext(heading) && !/\bcan\b/i.test(heading)) ||
        /^(?:after|once|then|before)\b/i.test(heading),
    );
    return [{ ...USAGE, role: isNext ? 'next' : 'finding', text: usage, under }];
  }
  const shown = kind === 'quote' ? formatQuotation(text) : formatCodeLines(text, evidence.changes.length > 0);
  if (shown === null || under.length === 0 || isUnprovable(shown, evidence)) return [];
  return [
    {
      ...USAGE,
      form: 'code',
      text: shown,
      under,
      isOnChange: isOnChange(shown),
      isSupported: isSupported(shown, filesIn(shown), evidence, seen),
    },
  ];
}

/** Returns the commands of a short block that shows how to use the change. */
function findUsage(code: string): string | null {
  const lines = code
    .split('\n')
    .map((line) => line.replace(/(?<!\s)\s+#.*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const isCommands = lines.every(
    (line) =>
      /^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:\.{0,2}\/)?[a-z][\w./-]*(?: |$)/.test(line) && !/[{};=]\s*$/.test(line),
  );
  return lines.length > 0 && lines.length <= 3 && isCommands
    ? lines.map((line) => `\`${line.replace(/^\$ /, '')}\``).join(', then ')
    : null;
}

/** Maximum lines and UTF-16 code units of a code block. Without edits, the block can be the answer. */
const CODE_LIMITS = { withEdits: { lines: 8, length: 260 }, withoutEdits: { lines: 14, length: 500 } };
/** Matches a line of source code, not of an output, a layout or a configuration. */
const SOURCE_LINE =
  /[{};(,]\s*$|^\s*(?:[+-]|\/\/|@)|\b(?:func|function|const|let|var|return|import|def|class|if)\b|:=|=>/;

/** Formats a quotation, such as the new text of a program. */
function formatQuotation(text: string): string | null {
  const line = toSingleLine(text);
  return line === '' ? null : `“${unquoted(truncate(line, QUOTED_LENGTH))}”`;
}

const QUOTED_LENGTH = 400;

/** Matches the corner of a drawn box. A folder tree uses other characters. */
const DRAWING = /[┌┐╭╮╔╗]/;

/**
 * Formats the first lines of a code block. After edits, source code is skipped, because the edits contain it. Drawings
 * are always skipped.
 */
function formatCodeLines(code: string, isChange: boolean): string | null {
  const all = code
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const isSource = all.filter((line) => SOURCE_LINE.test(line)).length > all.length / 4;
  if ((isChange && isSource) || all.some((line) => DRAWING.test(line))) return null;
  const lines = all.filter((line) => /[\p{L}\p{N}]/u.test(line));
  const limit = isChange ? CODE_LIMITS.withEdits : CODE_LIMITS.withoutEdits;
  let text = '';
  let count = 0;
  for (const line of lines.slice(0, limit.lines)) {
    const span = formatCodeSpan(line);
    if (text.length + span.length > limit.length) break;
    text += `${count === 0 ? '' : ', '}${span}`;
    count += 1;
  }
  if (count === 0) return null;
  const remaining = lines.length - count;
  return remaining === 0 ? text : `${text} and ${remaining} more ${remaining === 1 ? 'line' : 'lines'}`;
}

const splitWords = (text: string): string[] => text.match(/[\w-]{4,}/g) ?? [];

/**
 * Returns true when no result of the turn contains a commit id of the text. A color such as `#ff00aa` is not a commit
 * id.
 */
function namesUnknownCommit(text: string, seen: (term: string) => boolean): boolean {
  if (!/commit|merg|push|revision|\bsha\b|hash|コミット|提交|коммит/i.test(text)) return false;
  const ids = text.match(/(?<![#\w-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?!\w)/g) ?? [];
  return ids.some((id) => !seen(id) && !seen(id.slice(0, 7)));
}

/** Returns the bold sentences of the message. */
function boldSentences(message: string): string[] {
  return [...message.slice(0, 20_000).matchAll(/\*\*([^*\n]{25,240})\*\*/g)]
    .map((match) => match[1]!.trim())
    .filter((text) => !/[:：]$/.test(text) && countWords(text) >= 5);
}
