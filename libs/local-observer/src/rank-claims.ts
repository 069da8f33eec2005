import { isTestFile, type FileChange, type Steps } from '@claude-mem/evidence';
import type { Claim } from './claims.js';
import { changedNames } from './describe-change.js';
import { createChangeTest } from './changed-names.js';
import { fitTitle, TITLE_SOURCE_LENGTH } from './fit-title.js';
import { isFormality } from './is-formality.js';
import { endsWithPath, filesIn, hasNumber, termsIn } from './names-in.js';
import { joinedLines } from './joined-lines.js';
import { findAttribution } from './reported-speech.js';
import { shortPath } from './short-path.js';
import { NOW, PAST_STATE, describesFault } from './describes-fault.js';
import { contentWords } from './text/content-words.js';
import { countWords } from './text/count-words.js';
import { OWN_ACTION } from './text/lexicon.js';
import type { RankedClaim, Turn } from './turn.js';
import { AGENT } from './unprovable.js';

/** Ranks the claims that can be a title, best first. */
export function* rankSteps(turn: Omit<Turn, 'ranked'>): Steps<RankedClaim[]> {
  const { evidence } = turn;
  const isChanged = createChangeTest(evidence);
  const isChange = evidence.changes.length > 0;
  const names = new Set(evidence.changes.flatMap((change) => getNames(change)));
  const lines = joinedLines(evidence.changes.flatMap(({ added, removed }) => [added, removed]));
  const isInLines = (term: string) => {
    const word = /[A-Za-z_][\w.-]{3,}/.exec(term)?.[0];
    return word !== undefined && lines.includes(word);
  };
  const { plan, document, prompt } = turn.request;
  const requestWords = contentWords(`${(plan ?? document)?.title ?? ''} ${prompt.slice(0, 600)}`);
  const isOnlyTests = evidence.changes.every(({ path }) => isTestFile(path));
  const isReportedFixed = REPORTS_FIX.test(turn.batch.closing?.lastAssistantMessage ?? '');
  const rank = (claim: Claim, next: Claim | undefined, index: number): RankedClaim[] => {
    if (claim.form !== 'sentence' && claim.form !== 'item') return [];
    if (claim.role !== 'change' && claim.role !== 'finding') return [];
    if (isChange && claim.isReported) return [];
    if (isFormality(claim.text) || /^(?:location|files?|example|where)\s*[:：]/i.test(claim.text)) return [];
    const resolvedClaim = resolvePronoun(claim, turn);
    if (
      /^(?:this|it|that|these|those|they|he|she|there|here|both|all|everything|the (?:above|following|changes?|files?|code|implementation)\b)\b/i.test(
        resolvedClaim.text,
      ) &&
      !/^(?:this|the) (?:fix|change) \w+s\b/i.test(claim.text)
    )
      return [];
    const isFault = isChange && describesFault(resolvedClaim, next);
    if (isFault && !isReportedFixed) return [];
    const fullTitle = claim.isReported
      ? claim.text
      : titleText(withSubject(resolvedClaim).slice(0, TITLE_SOURCE_LENGTH));
    const fitted = fitTitle(turn.clean(fullTitle, 400), isFault ? 9 : 10);
    if (fitted === null || isVague(fitted)) return [];
    if (claim.isReported && !namesSource(fitted, claim.text)) return [];
    const title = isFault ? `Fixed: ${fitted}` : fitted;
    const terms = termsIn(resolvedClaim.text.replace(/\s\([^()]+\)/g, ''));
    const isSpecific =
      (!isChange && FAULTY.test(claim.text)) ||
      terms.length > 0 ||
      hasNumber(title) ||
      filesIn(title).length > 0 ||
      claim.isEmphasized;
    if (!isSpecific && (claim.role !== 'change' || countWords(title) < 5)) return [];
    const isOnChange = claim.isOnChange || isChanged(resolvedClaim.text);
    if (isFault) return [{ claim, title, isOnChange, score: FAULT_SCORE, rank: FAULT_SCORE }];
    const isAction = OWN_ACTION.test(title);
    let score = 0;
    if (/^(?:first|second|third|then|next|finally|step \d+)\b/i.test(title)) score -= 3;
    if (isChange) score += claim.role === 'change' || NOW.test(claim.text) || resolvedClaim !== claim ? 3 : 0;
    else {
      score += claim.role === 'finding' || !isAction ? 2 : 0;
      if (claim.form === 'sentence' && FAULTY.test(claim.text)) score += 1.5;
    }
    if (claim.isEmphasized) score += 2;
    if (isAction) score += 1.5;
    if (/^\S+:\s/.test(title) && claim.form === 'item') score -= 1.5;
    if (claim.form === 'sentence') score += 1;
    if (claim.isSupported) score += 1.5;
    if (claim.isCause && !isChange) score += 1;
    if (terms.some((term) => names.has(term.replace(/\(\)$/, '')))) score += 2;
    else if (terms.some(isInLines)) score += 1.5;
    if (claim.form === 'item' && claim.depth > 0) score -= 2;
    if (/^\S+ (?:→|->) \S+$/.test(title)) score -= 4;
    if (!isChange && countWords(title) < 4) score -= 2;
    if (/^Test\w+\b/.test(title)) score -= 2;
    if (/^(?:updated|changed|modified|adjusted) \S+$/i.test(title)) score -= 2;
    if (/^fixed\b/i.test(title)) score += 1;
    if (isChange && /^the (?:old|previous|original|earlier)\b/i.test(title)) score -= 2.5;
    if (/^(?:the )?fix\b[^.]{0,20}[:：]/i.test(claim.text) || NOW.test(claim.text)) score += 2;
    if (isChange && /^(?:problem|root cause|cause|issue|symptom|原因|問題|问题)\s*[:：]/i.test(claim.text))
      score -= 3;
    if (claim.form === 'item' && /^[A-Z]?[a-z]+s\s/.test(title) && !isAction) score -= 2;
    if (
      filesIn(claim.text).some((file) =>
        evidence.changes.some(({ path }) => endsWithPath(path, file) && !isTestFile(path)),
      )
    )
      score += 1;
    if (isChange && filesIn(claim.text).length > 0 && filesIn(claim.text).every((file) => isTestFile(file)))
      score -= 2;
    if (claim.isLimit) score -= isChange ? 2 : 0.5;
    if (terms.length === 0 && countWords(title) < 5) score -= countWords(title) < 3 ? 2.5 : 1;
    if (isChange) score -= getPenalty(claim, title, isAction);
    if (isChange && !isOnlyTests && claim.under.some((heading) => TESTS_HEADING.test(heading))) score -= 3;
    if (title.length < turn.clean(claim.text).length * 0.4) score -= 1;
    score -= Math.min(index * 0.25, 2.5);
    return [
      {
        claim,
        title,
        isOnChange,
        score,
        rank: score + (terms.length > 0 || isAction ? countRequestWords(title, requestWords) * 0.35 : 0),
      },
    ];
  };
  const ranked: RankedClaim[] = [];
  const prose = turn.claims.filter(({ form }) => form !== 'code');
  for (const [index, claim] of prose.entries()) {
    yield;
    ranked.push(...rank(claim, prose[index + 1], index));
  }
  return ranked.sort((a, b) => b.rank - a.rank);
}

/** Returns true when a title of reported speech begins with its source and at least three words follow. */
function namesSource(title: string, text: string): boolean {
  const source = findAttribution(text) ?? text.slice(0, text.indexOf(': “'));
  const plain = source.replace(/`/g, '');
  return title.startsWith(plain) && countWords(title.slice(plain.length)) >= 3;
}

/** Returns the penalty of a title that describes a detail, the old state or the symptom instead of the change. */
function getPenalty({ text, under, isCause }: Claim, title: string, isAction: boolean): number {
  let penalty = /^(?:before|old|previous(?:ly)?)\s*[:：]/i.test(title) ? 4 : 0;
  if (DETAIL.test(title)) penalty += 4;
  if (/^(?:when|while|if|since|because|after|before|once|as)\s/i.test(title)) penalty += 3;
  if (/^created (?:a )?(?:new )?(?:package|file|module|folder|directory)\b/i.test(title)) penalty += 1.5;
  if (under.some((heading) => /^(?:before|old|previous(?:ly)?|current(?:ly)?)\b/i.test(heading)))
    penalty += 3;
  const isSymptom = isCause && !isAction && !/\bnow\b/i.test(title) && !/:\s/.test(title);
  if (isSymptom && PAST_STATE.test(title) && title.length < text.length * 0.7) penalty += 3;
  return penalty;
}

const TESTS_HEADING = /^(?:the )?(?:new |added |unit |integration )*tests?(?: added| cases?)?\s*(?:\(.*)?$/i;

/** Matches details that are part of every change. */
const DETAIL =
  /^(?:added|updated|removed|adjusted|fixed|cleaned up|imported|imports?)?\s*(?:the |new |missing |unused |necessary |required |an? )*(?:imports?\b|nolint|comments?\b|lint(?:ing|er)?\b|formatting\b)|^(?:updated?|adjusted|added|new|fixed)\s(?:the |all |existing |new |\d+ |unit |integration )*(?:tests?|test cases?|docs?|documentation)(?=$|\s(?:for|to|in|of|with|on|that|cases?)\b)|^(?:unit |integration )?tests?:/i;

/** Score of a title about the fault. It is used only when almost no claim describes the fix. */
const FAULT_SCORE = 3.5;

/** Matches a report of a fix. Without it, the fault may still exist. */
const REPORTS_FIX = /(?<!\bnot )\b(?:fixed|fixes|corrected|resolved|solved|behoben|korrigiert)\b/i;

/** Matches the beginning of "This is a bug - x", so that x remains. */
const IS_FAULT = /^(?:this|that|it) is an? (?:\w+ )?(?:bug|problem|issue|regression)\s*[:–—-]\s*(?=\S)/i;

/** Matches an answer that found a fault. */
const FAULTY =
  /\b(?:bugs?|never|missing|overwrit\w*|lost|los(?:es|ing)|wrong(?:ly)?|incorrect(?:ly)?|dead code|unused|not (?:called|used|logged|set|checked|handled|displayed|tracked)|race condition|leaks?)\b/i;

/**
 * Replaces "it" in "It now uses x" and "Raised it to 5" with the single name of the previous sentence, or with the only
 * changed file. "`x` did y; it now does z" is reduced to the current state.
 */
function resolvePronoun(claim: Claim, { claims, evidence }: Pick<Turn, 'claims' | 'evidence'>): Claim {
  const bare = claim.text.replace(IS_FAULT, '');
  if (bare !== claim.text) return { ...claim, text: bare[0]!.toUpperCase() + bare.slice(1) };
  const halves = /^(.+?)(?:;|,| [—–-]) (?:but |and )?(?:it )?(now .+)$/i.exec(claim.text);
  const subject = halves === null || OWN_ACTION.test(claim.text) ? undefined : namesIn(halves[1]!)[0];
  if (subject !== undefined)
    return { ...claim, text: `\`${subject}\` ${halves![2]![0]!.toLowerCase()}${halves![2]!.slice(1)}` };
  const pronoun = /^(?<deed>[A-Z][a-z]+ed )?it (?=now\b|to\b|from\b|into\b|with\b|by\b)/i.exec(claim.text);
  const before = claims[claims.indexOf(claim) - 1];
  if (!pronoun || before?.form !== 'sentence' || claim.form !== 'sentence') return claim;
  const names = namesIn(before.text);
  const action = pronoun.groups?.['deed'] ?? '';
  const [change, ...others] = evidence.changes;
  if (names.length !== 1)
    return action === '' && change !== undefined && others.length === 0 && /^it now\b/i.test(claim.text)
      ? { ...claim, text: `\`${shortPath(change.path)}\` ${claim.text.slice(pronoun[0].length)}` }
      : claim;
  const name = action === '' ? names[0]! : names[0]!.replace(/\s*[=:].*$/, '');
  return { ...claim, text: `${action}${name} ${claim.text.slice(pronoun[0].length)}` };
}

const namesIn = (text: string) => termsIn(text).filter((term) => filesIn(term).length === 0);

/** Returns how many words of the request a title contains, at most two. */
function countRequestWords(title: string, requestWords: ReadonlySet<string>): number {
  return Math.min(2, [...contentWords(title)].filter((word) => requestWords.has(word)).length);
}

/** Joins the lead "The parser now:" and the item "Skips comments" to one sentence. */
function withSubject({ text, under, form }: Claim): string {
  const label = (under.at(-1) ?? '').replace(/^so\s+(?=\w)/i, '');
  const isSubject =
    /\bnow$/i.test(label) || (/^(?:the|this) \w/i.test(label) && /^[A-Z][a-z]+s\s/.test(text));
  if (form !== 'item' || !isSubject || countWords(label) > (/\bnow$/i.test(label) ? 6 : 4)) return text;
  return `${label[0]!.toUpperCase()}${label.slice(1)} ${text[0]!.toLowerCase()}${text.slice(1)}`;
}

/** Converts "`a/b.ts`: calls x" to "b.ts calls x". The file is removed before an action verb. */
function titleText(sentence: string): string {
  const text = sentence
    .replace(
      /^(?:bug|issue|problem|fix) ?#?\d*\s*[:.)-]\s*(.+?)\s*\((?:fixed|done|resolved)\)$/i,
      'Fixed: $1',
    )
    .replace(/\s*\((?:at )?(?:lines?|L)\s*[\d\s,–-]+\)/gi, '')
    .replace(/(\.[a-z]{1,5}):\d+(?:[-–]\d+)?(?=[`\s),.;]|$)/g, '$1');
  const word = /^(?:[A-Z][\w ]{2,24}|[0-9a-f]{7,10})(?:\s*\([^)]*\))?\s*(?::|\s[—–-])\s+(?=[A-Z`])/.exec(
    text,
  );
  if (word && countWords(text.slice(word[0].length)) >= 4) return titleText(text.slice(word[0].length));
  const label = /^`([^`]+\.\w{1,8})(?::[\d-]+)?`\s*(?:\([^)]*\)\s*)?[—–:-]\s*(?=\S)/.exec(text);
  if (!label) return text;
  const rest = text.slice(label[0].length);
  return /^[a-z]+s\s/.test(rest) ? `${shortPath(label[1]!)} ${rest}` : rest;
}

/** Matches sentences that address the user or describe the agent, and labels such as "plan:". */
const CHATTER =
  /(?<![-\p{L}]|thank )(?:you(?:rs?|rself)?|dein\p{L}*|ihnen|vous|votre|vos|usted|ваш\p{L}*)(?![-\p{L}])|あなた|您|你|^I(?:['’]\w+)? (?!\/)|^(?:asked|plan|commit message)\s*[:：]|^found (?:it|them|that|this|what)\b/iu;

/** Returns true for a text without an object, or a text that matches `CHATTER`. */
export function isVague(text: string): boolean {
  const title = text.replace(new RegExp(`^${AGENT}: “?`), '');
  return (
    CHATTER.test(title) ||
    /^(?:(?:both|all|the|these|two|three|\d+) )?(?:files?|changes?|updates?|edits?|fix(?:es)?|errors?|issues?|tests?|label updates?)\b.{0,30}\b(?:updated|made|applied|fixed|done|complete[d]?|implemented|successful|updates?|changes?)\b/i.test(
      title,
    ) ||
    /^\S+ is (?:complete|done|fixed|ready)$/i.test(title) ||
    /^(?:fixed|solved|resolved|addressed) (?:exactly )?(?:that|this|the|it|one|all)\b.{0,30}$|^(?:the )?fix is\b|^root cause(?: fix)?$|^(?:good|great|excellent|nice|yeah|yep|clean|thanks)\b|^the fix (?:is|was|works)\b|^looking at\b|^found and fixed\b/i.test(
      title,
    ) ||
    /^\w+ (?:functions?|places|files?|tests?|locations|errors?|bugs?) (?:were |have been )?(?:fixed|updated|changed|added)$/i.test(
      title,
    ) ||
    /^\d+ (?:changes?|updates?|files?|label updates?|tests?)$/i.test(title) ||
    /^(?:commit(?:ted)?|pushed|the commit|verification|verified|fixed in)\b/i.test(title) ||
    /^(?:added|removed|updated|fixed|changed)\s*\(/i.test(title)
  );
}

const getNames = (change: FileChange): string[] => {
  const { added, removed, changed } = changedNames(change);
  return [...[...added, ...removed, ...changed].map(({ name }) => name), ...change.declarations];
};
