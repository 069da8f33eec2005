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
  LEFT_HEADING,
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
  attributionIn,
  createParagraphReader,
  WEB_SOURCE,
  withSource,
  type SourceOfQuote,
} from './reported-speech.js';
import { endsWithPath, filesIn, hasNumber, termsIn } from './names-in.js';
import { AGENT, decisionIn, isUnprovable } from './unprovable.js';

/** One statement of the closing message, judged against what the turn shows. */
export interface Claim {
  text: string;
  /** `sentence` of a paragraph, list `item`, table `row`, commands in a code block (`usage`), or a quotation or another code block (`code`). */
  form: 'sentence' | 'item' | 'row' | 'usage' | 'code';
  /** Headings and lead-ins above it. */
  under: readonly string[];
  role:
    | 'change' // what was done
    | 'finding' // what is so
    | 'guess' // said with a "probably"
    | 'check' // that tests or linters pass
    | 'next' // what is to be done
    | 'question'; // to the user
  /** Something it names is in the edits, outputs or files of this turn. */
  isSupported: boolean;
  /** It says why. */
  isCause: boolean;
  /** It says what was left out or does not work. */
  isLimit: boolean;
  /** Stood in bold, or alone under a heading such as "Root cause". */
  isEmphasized: boolean;
  /**
   * The text names its source: a page, a file or an output whose words it repeats, or the agent when nothing but its word
   * shows it. Nothing of it was done.
   */
  isReported: boolean;
  /** Its source is known to be a page, an MCP server or a file outside the project. */
  isExternal: boolean;
  /** The decision that the agent reports, or null. */
  decision: string | null;
  /** It names something that the turn changed. */
  isOnChange: boolean;
  /** Of a list item: how many items it lies below. */
  depth: number;
  order: number;
}

/** Splits a closing message into statements and drops what is none, or what this turn contradicts. */
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
      .map((line) => attributionIn(line, { isLabel: true }))
      .findLast((source) => source !== null);
    if (block.kind === 'code' || block.kind === 'quote') {
      if (sourceAbove !== undefined) continue;
      for (const claim of claimsOfBlock(block, { evidence, seen, isNew, isOnChange }))
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
      const role = roleOf(text, sentence, block, isAfterQuestion);
      if (
        (block.kind === 'lead' || /[:：]$/.test(text)) &&
        block.kind !== 'item' &&
        !isStatement(text, role, evidence.changes.length > 0)
      )
        continue;
      if (role === 'question' && /[?？؟]$/.test(sentence)) isAfterQuestion = isProse;
      const files = filesIn([text, ...block.under.slice(-2)].join(' '));
      if (role !== 'next' && role !== 'question' && !belongsToTurn(text, block.under, evidence)) continue;
      if (namesUnseenCommit(text, seen) || [text, ...block.under].some(isContradicted)) continue;
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
        decision: quoted === null && !isOpen ? decisionIn(text) : null,
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
            (heading) => /limit|caveat|\bnotes?\b|warning/i.test(heading) || LEFT_HEADING.test(heading),
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

/** "Perfect! I've successfully applied the fix" says "Applied the fix". */
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

/** A lead-in that says something without the list below it. */
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

function roleOf(text: string, sentence: string, block: Block, isAfterQuestion: boolean): Claim['role'] {
  if (block.under.some((heading) => UNKNOWN.test(heading))) return 'guess';
  if (block.kind !== 'row' && (/[?？؟]$/.test(sentence) || OFFER.test(sentence))) return 'question';
  if (block.under.some((heading) => LEFT_HEADING.test(heading) && countWords(heading) < 8)) return 'finding';
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

/** Matches a lead-in of what the agent does not know. The questions below it are not for the user. */
const UNKNOWN = /\b(?:(?:don(?:'|’)t|do not) (?:yet )?know|unknowns?|unclear)\b/i;

/** Matches a question to the user. Other questions are headings that the text below answers. */
const ADDRESSES_USER = /\b(?:you|i|we|which)\b/i;

/** "The function now:" introduces what a change does. */
const RESULT_LEAD = /\bnow(?: (?:both|all) \w+)?$/i;

/** "500/500" of tests, whatever the verb. What fails is a finding. */
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

/** It names a file that was changed: what is said of that is the agent's own. */
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

/** The commands or the first lines of a code block, or a quotation. */
function claimsOfBlock(
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
  const usage = kind === 'code' ? usageIn(text) : null;
  if (usage !== null && termsIn(usage).concat(wordsOf(usage)).some(isNew)) {
    const isNext = under.some(
      (heading) =>
        (announcesNext(heading) && !/\bcan\b/i.test(heading)) ||
        /^(?:after|once|then|before)\b/i.test(heading),
    );
    return [{ ...USAGE, role: isNext ? 'next' : 'finding', text: usage, under }];
  }
  const shown = kind === 'quote' ? quotedText(text) : shownLines(text, evidence.changes.length > 0);
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

/** A short block of commands that shows how to use what was made. */
function usageIn(code: string): string | null {
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

/** Maximum lines and UTF-16 units of a code block. Without edits, the block can be the answer. */
const LINES_SHOWN = { withEdits: { lines: 8, length: 260 }, withoutEdits: { lines: 14, length: 500 } };
/** Matches a line of source code, not of an output, a layout or a configuration. */
const SOURCE_LINE =
  /[{};(,]\s*$|^\s*(?:[+-]|\/\/|@)|\b(?:func|function|const|let|var|return|import|def|class|if)\b|:=|=>/;

/** Formats a quotation, such as the new text of a program. */
function quotedText(text: string): string | null {
  const line = toSingleLine(text);
  return line === '' ? null : `“${unquoted(truncate(line, QUOTED_LENGTH))}”`;
}

const QUOTED_LENGTH = 400;

/** A corner of a drawn box. A folder tree has other characters. */
const DRAWING = /[┌┐╭╮╔╗]/;

/** Formats the first lines of a code block. After edits, source code is skipped, because the edits show it. Drawings are skipped too. */
function shownLines(code: string, isChange: boolean): string | null {
  const all = code
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const isSource = all.filter((line) => SOURCE_LINE.test(line)).length > all.length / 4;
  if ((isChange && isSource) || all.some((line) => DRAWING.test(line))) return null;
  const lines = all.filter((line) => /[\p{L}\p{N}]/u.test(line));
  const most = isChange ? LINES_SHOWN.withEdits : LINES_SHOWN.withoutEdits;
  let text = '';
  let count = 0;
  for (const line of lines.slice(0, most.lines)) {
    const span = formatCodeSpan(line);
    if (text.length + span.length > most.length) break;
    text += `${count === 0 ? '' : ', '}${span}`;
    count += 1;
  }
  if (count === 0) return null;
  const left = lines.length - count;
  return left === 0 ? text : `${text} and ${left} more ${left === 1 ? 'line' : 'lines'}`;
}

const wordsOf = (text: string): string[] => text.match(/[\w-]{4,}/g) ?? [];

/** A commit id that no result of the turn shows may be made up. A colour such as `#ff00aa` is none. */
function namesUnseenCommit(text: string, seen: (term: string) => boolean): boolean {
  if (!/commit|merg|push|revision|\bsha\b|hash|コミット|提交|коммит/i.test(text)) return false;
  const ids = text.match(/(?<![#\w-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?!\w)/g) ?? [];
  return ids.some((id) => !seen(id) && !seen(id.slice(0, 7)));
}

/** Sentences that the message itself puts in bold. */
function boldSentences(message: string): string[] {
  return [...message.slice(0, 20_000).matchAll(/\*\*([^*\n]{25,240})\*\*/g)]
    .map((match) => match[1]!.trim())
    .filter((text) => !/[:：]$/.test(text) && countWords(text) >= 5);
}
