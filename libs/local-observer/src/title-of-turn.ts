import { toSingleLine } from '@claude-mem/core';
import { isTestFile } from '@claude-mem/evidence';
import {
  checkTitle,
  evidenceTitle,
  plainTitle,
  promptTitle,
  replacedTitle,
  requestedTitle,
  todoTitle,
} from './evidence-title.js';
import { findingTitle } from './finding-title.js';
import { repeats } from './facts-of-turn.js';
import { fitTitle, isTitleLength } from './fit-title.js';
import { isVague, type RankedClaim } from './rank-claims.js';
import { filesIn, termsIn } from './names-in.js';
import { shortPath } from './short-path.js';
import { wantsTests } from './type-of-turn.js';
import { isFormality } from './is-formality.js';
import { describesFault } from './describes-fault.js';
import { countWords } from './text/count-words.js';
import { OWN_DEED } from './text/lexicon.js';
import type { Turn } from './turn.js';
import { AGENT, isUnprovable } from './unprovable.js';

/** Says in at most ten words what happened to what. Null when nothing in the turn can say it. */
export function titleOfTurn(turn: Turn): string | null {
  const made = turn.evidence.commits.filter(({ source }) => source === 'created');
  const committed = made.length === 1 ? commitTitle(made[0]!.message, turn) : null;
  const { ranked } = turn;
  const task = turn.request.plan === null ? null : fitTitle(turn.request.plan.title);
  const isStrong = ({ score, claim }: RankedClaim) =>
    score >= 6 && (task === null || claim.form === 'sentence');
  const told = evidenceTitle(turn);
  const isTelling = told !== null && /^(?!\S+: ).* (?:added in|renamed to|moved to|removed$)/.test(told);
  const wished = promptTitle(turn);
  const requested = requestedTitle(turn);
  const shown = ranked.filter(({ isOnChange }) => isOnChange);
  const strong = shown.filter(isStrong);
  const weak = shown.filter((entry) => entry.score >= 3.5 && !isStrong(entry));
  const isWhole = ({ claim, title }: RankedClaim) => claim.form !== 'item' || DEED.test(title);
  const feeble = shown.filter(({ score }) => score >= 0.5 && score < 3.5);
  const lead = leadTitle(turn);
  const said = [
    ...ranked.flatMap(({ isOnChange, title, score }) => (isOnChange || score < 3.5 ? [] : [title])),
    ...(lead === null || lead.isOnChange ? [] : [lead.title]),
  ];
  const isChange = turn.evidence.changes.length > 0;
  const candidates = isChange
    ? [
        committed,
        checkTitle(turn),
        ...strong.map(({ title }) => title),
        task,
        ...weak.filter(isWhole).map(({ title }) => title),
        isTelling ? told : null,
        headingTitle(turn),
        lead?.isOnChange ? lead.title : null,
        testsTitle(turn),
        wished,
        ...weak.map(({ title }) => title),
        told,
        ...feeble.map(({ title }) => title),
        ...said,
        todoTitle(turn),
        leadTitle(turn, LONG)?.title ?? null,
        replacedTitle(turn),
        requested,
        plainTitle(turn),
      ]
    : [
        ...ranked.filter(isStrong).map(({ title }) => title),
        ...ranked.filter((entry) => entry.score >= 3.5 && !isStrong(entry)).map(({ title }) => title),
        committed,
        findingTitle(turn),
        task,
      ];
  const title =
    candidates.find(
      (candidate) =>
        candidate !== null &&
        (candidate === wished ||
          candidate === requested ||
          PAST_DEED.test(candidate) ||
          !isCopy(candidate, turn.request.prompt)),
    ) ?? null;
  if (title === null) return null;
  const full = capitalized(withSibling(title, ranked));
  return isChange && said.includes(title) ? `${AGENT}: ${full}` : full;
}

/** Appends another item of the same list to a short title, because one item describes only a part of the change. */
function withSibling(title: string, ranked: readonly RankedClaim[]): string {
  const own = ranked.find((one) => one.title === title);
  if (own === undefined || own.claim.form !== 'item' || !OWN_DEED.test(title)) return title;
  const list = own.claim.under.join('\n');
  const isNext = (other: RankedClaim) =>
    other.claim.under.join('\n') === list &&
    other.isOnChange === own.isOnChange &&
    OWN_DEED.test(other.title) &&
    !repeats(title, other.title);
  const joined = ranked
    .filter(isNext)
    .map((other) => `${title}; ${other.title[0]!.toLowerCase()}${other.title.slice(1)}`);
  return joined.find(isTitleLength) ?? title;
}

/** An item of a list that tells no deed is a piece of a sentence: what was asked for says more. */
const DEED = /\bnow\b|(?:^|\s[—–-]\s)[A-Z][a-z]+(?:ed|ilt|ote|ut|oved)\s/;

/** What was asked for, told as done, is no copy of the request. */
const PAST_DEED =
  /^(?:added|fixed|removed|replaced|renamed|moved|extracted|switched|implemented|refactored|introduced|created|changed|updated|increased|reduced)\s/i;

/** The first sentence that says how things are now, when no statement names anything of the edits. */
function leadTitle({ claims, clean }: Turn, words?: number): { title: string; isOnChange: boolean } | null {
  for (const [index, claim] of claims.slice(0, 4).entries()) {
    const { text, role, form, isLimit } = claim;
    if (claim.isReported || describesFault(claim, claims[index + 1])) continue;
    if (form !== 'sentence' || (role !== 'change' && role !== 'finding') || isLimit || isFormality(text))
      continue;
    if (
      /^(?:this|it|that|these|those|they|here|if|when|all|everything|you|i|we|wait|hmm+|oh|ah)\b|^\w+,\s|\btests? (?:are|is|fail|pass)/i.test(
        text,
      )
    )
      continue;
    const title = fitTitle(clean(text, 400), words);
    if (title !== null && countWords(title) >= 5 && !isVague(title))
      return { title, isOnChange: claim.isOnChange };
  }
  return null;
}

/** Maximum words of a long title. It is preferred to a title that only names the changed file. */
const LONG = 14;

/** The files of a section, which the Markdown reader adds to its heading. */
const SECTION_FILES = / \((?:files?|locations?|where)\s*[:：].*\)$/i;

/** A heading of the closing message that says what is new: "New `list` command". */
function headingTitle({ claims, clean, evidence }: Turn): string | null {
  const heading = claims
    .filter(({ isReported }) => !isReported)
    .flatMap(({ under }) => under.map((line) => line.replace(SECTION_FILES, '')))
    .find(
      (text) =>
        !isUnprovable(text, evidence) &&
        /^(?:new|added|implemented|introduced|fixed|removed|replaced)\s/i.test(text) &&
        termsIn(text).length > 0,
    );
  const title = heading === undefined ? null : fitTitle(clean(heading, 200));
  return title === null || isVague(title) ? null : title;
}

/** The names of tests in the closing message, or the subject of the tests that the prompt requests. */
function testsTitle({ request, evidence, claims, clean }: Turn): string | null {
  const file = evidence.changes.find(({ path, kind }) => isTestFile(path) && kind !== 'deleted');
  if (file === undefined) return null;
  const isOnlyTests = evidence.changes.every(({ path }) => isTestFile(path));
  const names = [
    ...new Set(claims.flatMap(({ text, under }) => TEST_NAME.exec(`${under.join(' ')} ${text}`)?.[0] ?? [])),
  ];
  if (isOnlyTests && names.length > 0) {
    const others = names.length - 1;
    const more = others === 0 ? '' : ` and ${others} more ${others === 1 ? 'test' : 'tests'}`;
    const place = evidence.changes.length === 1 ? ` in ${shortPath(file.path)}` : '';
    return fitTitle(`${names[0]!}${more}${place}`);
  }
  const [subject] = termsIn(request.prompt.slice(0, 400)).filter((term) => filesIn(term).length === 0);
  return subject === undefined || !wantsTests(request.prompt)
    ? null
    : fitTitle(clean(`Tests of ${subject} in ${shortPath(file.path)}`, 200));
}

const TEST_NAME = /\bTest[A-Z]\w+|\btest_\w+/;

/** A commit subject without its conventional prefix. The agent wrote it, so it proves no more than a closing message. */
function commitTitle(message: string, { evidence }: Turn): string | null {
  const subject = message.replace(/^(?:\w+)(?:\([^)]*\))?!?:\s*/, '').replace(/\s*\(#\d+\)\s*$/, '');
  if (
    /^(?:wip|update|updates|changes|fix|misc|checkpoint|merge\b.*|initial commit|address (?:\w+ )*(?:comments?|feedback|review))$/i.test(
      subject.trim(),
    ) ||
    isUnprovable(subject, evidence)
  )
    return null;
  const title = fitTitle(subject);
  return title === null
    ? null
    : title.replace(/^[a-z]+(?= )/, (verb) => verb[0]!.toUpperCase() + verb.slice(1));
}

/** Only plain words: names of tools and code keep their case. */
const capitalized = (title: string) =>
  OWN_DEED.test(title) ||
  /^(?:the|an?|all|environment|sections?|flags?|settings?|tests?|imports?|use|make|when|for|no|pass|configure|handle|allow|support|prevent|avoid|ensure)\s/.test(
    title,
  )
    ? title[0]!.toUpperCase() + title.slice(1)
    : title;

/** The prompt again is no title. */
function isCopy(title: string, prompt: string): boolean {
  const words = (text: string) =>
    toSingleLine(text)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s]/gu, '')
      .split(/\s+/)
      .filter(Boolean);
  const own = words(title);
  const theirs = words(prompt.slice(0, 400));
  if (own.length < 3 || theirs.length > 40) return false;
  const set = new Set(theirs);
  return own.filter((word) => set.has(word)).length >= own.length * 0.85 && theirs.length < own.length * 2;
}
