import type { FileChange } from '../evidence/file-ledger.js';
import { isTestFile } from '../evidence/declarations.js';
import type { Claim } from './claims.js';
import { changedNames } from './describe-change.js';
import { fitTitle } from './fit-title.js';
import { isFormality } from './is-formality.js';
import { endsWithPath, filesIn, hasNumber, termsIn } from './names-in.js';
import { joinedLines } from './joined-lines.js';
import { shortPath } from './short-path.js';
import { countWords } from './text/count-words.js';
import type { Steps } from '../steps.js';
import type { Turn } from './turn.js';

export interface RankedClaim {
  claim: Claim;
  title: string;
  score: number;
}

/** Claims that can stand as a title, best first. */
export function* rankSteps(turn: Omit<Turn, 'ranked'>): Steps<RankedClaim[]> {
  const { evidence } = turn;
  const isChange = evidence.changes.length > 0;
  const names = new Set(evidence.changes.flatMap((change) => namesOf(change)));
  const lines = joinedLines(evidence.changes.flatMap(({ added, removed }) => [added, removed]));
  const isInLines = (term: string) => {
    const word = /[A-Za-z_][\w.-]{3,}/.exec(term)?.[0];
    return word !== undefined && lines.includes(word);
  };
  const rank = (claim: Claim): RankedClaim[] => {
    if (claim.form === 'usage' || claim.form === 'row') return [];
    if (claim.role !== 'change' && claim.role !== 'finding') return [];
    if (isFormality(claim.text)) return [];
    if (
      /^(?:this|it|that|these|those|they|he|she|there|here|both|all|everything|the (?:above|following|changes?|files?|code|implementation)\b)\b/i.test(
        claim.text,
      ) &&
      !/^(?:this|the) (?:fix|change) \w+s\b/i.test(claim.text)
    )
      return [];
    const title = fitTitle(turn.clean(titleText(withSubject(claim)), 400));
    if (title === null || isVague(title)) return [];
    const terms = termsIn(claim.text);
    const saysWhat = terms.length > 0 || hasNumber(title) || filesIn(title).length > 0 || claim.isEmphasized;
    if (!saysWhat && (claim.role !== 'change' || countWords(title) < 5)) return [];
    let score = /^(?:first|second|third|then|next|finally|step \d+)\b/i.test(title) ? -3 : 0;
    if (isChange) score += claim.role === 'change' ? 3 : 0;
    else score += claim.role === 'finding' ? 2 : 0;
    if (claim.isEmphasized) score += 2;
    if (OWN_DEED.test(title)) score += 1.5;
    if (/^\S+:\s/.test(title) && claim.form === 'item') score -= 1.5;
    if (claim.form === 'sentence') score += 1;
    if (claim.isSupported) score += 1.5;
    if (claim.isCause && !isChange) score += 1;
    if (terms.some((term) => names.has(term.replace(/\(\)$/, '')))) score += 2;
    else if (terms.some(isInLines)) score += 1.5;
    if (claim.form === 'item' && claim.depth > 0) score -= 2;
    if (/^\S+ (?:→|->) \S+$/.test(title)) score -= 4;
    if (/^Test\w+\b/.test(title)) score -= 2;
    if (/^fixed\b/i.test(title)) score += 1;
    if (isChange && /^the (?:old|previous|original|earlier)\b/i.test(title)) score -= 2.5;
    if (/^(?:the )?fix\b[^.]{0,20}[:：]/i.test(claim.text) || /\bnow\s/i.test(claim.text)) score += 2;
    if (isChange && /^(?:problem|root cause|cause|issue|symptom|原因|問題|问题)\s*[:：]/i.test(claim.text))
      score -= 3;
    if (claim.form === 'item' && /^[A-Z]?[a-z]+s\s/.test(title) && !OWN_DEED.test(title)) score -= 2;
    if (
      filesIn(claim.text).some((file) =>
        evidence.changes.some(({ path }) => endsWithPath(path, file) && !isTestFile(path)),
      )
    )
      score += 1;
    if (isChange && filesIn(claim.text).length > 0 && filesIn(claim.text).every((file) => isTestFile(file)))
      score -= 2;
    if (claim.isLimit) score -= isChange ? 2 : 0.5;
    if (terms.length === 0 && countWords(title) < 5) score -= 1;
    if (title.length < turn.clean(claim.text).length * 0.4) score -= 1;
    score -= Math.min(claim.order * 0.25, 2.5);
    return [{ claim, title, score }];
  };
  const ranked: RankedClaim[] = [];
  for (const claim of turn.claims) {
    yield;
    ranked.push(...rank(claim));
  }
  return ranked.sort((a, b) => b.score - a.score);
}

/** Begins with the deed. */
export const OWN_DEED =
  /^(?:added|adds?|fix(?:ed|es)?|removed?|replaced?|renamed?|moved?|split|extract(?:ed)?|switch(?:ed)?|implement(?:ed)?|refactor(?:ed)?|introduced?|created?|changed?|updated?|now)\b/i;

/** "The parser now:" above "Skips comments" makes one sentence. */
function withSubject({ text, under, form }: Claim): string {
  const label = under.at(-1) ?? '';
  if (form !== 'item' || !/\bnow$/i.test(label) || countWords(label) > 6) return text;
  return `${label} ${text[0]!.toLowerCase()}${text.slice(1)}`;
}

/** "`a/b.ts`: calls x" says "b.ts calls x"; before a deed the file is left out. */
function titleText(text: string): string {
  const word = /^(?:[A-Z][\w ]{2,24}|[0-9a-f]{7,10})(?:\s*\([^)]*\))?\s*(?::|\s[—–-])\s+(?=[A-Z`])/.exec(
    text,
  );
  if (word && countWords(text.slice(word[0].length)) >= 4) return titleText(text.slice(word[0].length));
  const label = /^`([^`]+\.\w{1,8})(?::[\d-]+)?`\s*(?:\([^)]*\)\s*)?[—–:-]\s*(?=\S)/.exec(text);
  if (!label) return text;
  const rest = text.slice(label[0].length);
  return /^[a-z]+s\s/.test(rest) ? `${shortPath(label[1]!)} ${rest}` : rest;
}

/** Says that something happened, but not to what. */
function isVague(title: string): boolean {
  return (
    /^(?:(?:both|all|the|these|two|three|\d+) )?(?:files?|changes?|updates?|edits?|fix(?:es)?|errors?|issues?|tests?|label updates?)\b.{0,30}\b(?:updated|made|applied|fixed|done|complete[d]?|implemented|successful|updates?|changes?)\b/i.test(
      title,
    ) ||
    /^\S+ is (?:complete|done|fixed|ready)$/i.test(title) ||
    /^(?:fixed|solved|resolved|addressed) (?:exactly )?(?:that|this|the|it|one|all)\b.{0,30}$|^(?:the )?fix is\b|^root cause(?: fix)?$|^(?:good|great|excellent|nice)\b|^looking at\b|^found and fixed\b/i.test(
      title,
    ) ||
    /^\w+ (?:functions?|places|files?|tests?|locations|errors?|bugs?) (?:were |have been )?(?:fixed|updated|changed|added)$/i.test(
      title,
    ) ||
    /^\d+ (?:changes?|updates?|files?|label updates?|tests?)$/i.test(title) ||
    /^(?:commit(?:ted)?|pushed|the commit)\b/i.test(title)
  );
}

const namesOf = (change: FileChange): string[] => {
  const { added, removed, changed } = changedNames(change);
  return [...[...added, ...removed, ...changed].map(({ name }) => name), ...change.around];
};
