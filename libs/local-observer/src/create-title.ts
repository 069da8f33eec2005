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
import { isRepetition } from './create-facts.js';
import { fitTitle, isTitleLength } from './fit-title.js';
import { isVague } from './rank-claims.js';
import { filesIn, termsIn } from './names-in.js';
import { shortPath } from './short-path.js';
import { requestsTests } from './select-type.js';
import { isFormality } from './is-formality.js';
import { describesFault } from './describes-fault.js';
import { countWords } from './text/count-words.js';
import { OWN_ACTION } from './text/lexicon.js';
import type { RankedClaim, Turn } from './turn.js';
import { AGENT, isUnprovable } from './unprovable.js';

/**
 * Returns a title of at most ten words that names the change and its object. Returns null when no candidate qualifies.
 */
export function createTitle(turn: Turn): string | null {
  const createdCommits = turn.evidence.commits.filter(({ source }) => source === 'created');
  const committed = createdCommits.length === 1 ? commitTitle(createdCommits[0]!.message, turn) : null;
  const { ranked } = turn;
  const task = turn.request.plan === null ? null : fitTitle(turn.request.plan.title);
  const isStrong = ({ score, claim }: RankedClaim) =>
    score >= 6 && (task === null || claim.form === 'sentence');
  const fromEvidence = evidenceTitle(turn);
  const isSpecificEvidence =
    fromEvidence !== null && /^(?!\S+: ).* (?:added in|renamed to|moved to|removed$)/.test(fromEvidence);
  const fromPrompt = promptTitle(turn);
  const fromRequest = requestedTitle(turn);
  const onChange = ranked.filter(({ isOnChange }) => isOnChange);
  const strong = onChange.filter(isStrong);
  const weak = onChange.filter((entry) => entry.score >= 3.5 && !isStrong(entry));
  const isComplete = ({ claim, title }: RankedClaim) => claim.form !== 'item' || ACTION.test(title);
  const weakest = onChange.filter(({ score }) => score >= 0.5 && score < 3.5);
  const lead = leadTitle(turn);
  const unconfirmed = [
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
        ...weak.filter(isComplete).map(({ title }) => title),
        isSpecificEvidence ? fromEvidence : null,
        headingTitle(turn),
        lead?.isOnChange ? lead.title : null,
        testsTitle(turn),
        fromPrompt,
        ...weak.map(({ title }) => title),
        fromEvidence,
        ...weakest.map(({ title }) => title),
        ...unconfirmed,
        todoTitle(turn),
        leadTitle(turn, MAX_LONG_WORDS)?.title ?? null,
        replacedTitle(turn),
        fromRequest,
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
        (candidate === fromPrompt ||
          candidate === fromRequest ||
          PAST_ACTION.test(candidate) ||
          !isCopy(candidate, turn.request.prompt)),
    ) ?? null;
  if (title === null) return null;
  const full = capitalized(withSibling(title, ranked));
  return isChange && unconfirmed.includes(title) ? `${AGENT}: ${full}` : full;
}

/** Appends another item of the same list to a short title, because one item describes only a part of the change. */
function withSibling(title: string, ranked: readonly RankedClaim[]): string {
  const own = ranked.find((one) => one.title === title);
  if (own === undefined || own.claim.form !== 'item' || !OWN_ACTION.test(title)) return title;
  const list = own.claim.under.join('\n');
  const isNext = (other: RankedClaim) =>
    other.claim.under.join('\n') === list &&
    other.isOnChange === own.isOnChange &&
    OWN_ACTION.test(other.title) &&
    !isRepetition(title, other.title);
  const joined = ranked
    .filter(isNext)
    .map((other) => `${title}; ${other.title[0]!.toLowerCase()}${other.title.slice(1)}`);
  return joined.find(isTitleLength) ?? title;
}

/**
 * Matches a title with an action. A list item without an action is a sentence fragment, so the request is preferred.
 */
const ACTION = /\bnow\b|(?:^|\s[—–-]\s)[A-Z][a-z]+(?:ed|ilt|ote|ut|oved)\s/;

/** Matches a title that reports the request as completed work. Such a title is not a copy of the request. */
const PAST_ACTION =
  /^(?:added|fixed|removed|replaced|renamed|moved|extracted|switched|implemented|refactored|introduced|created|changed|updated|increased|reduced)\s/i;

/** Returns the first sentence about the current state, when no statement contains a name of the edits. */
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
const MAX_LONG_WORDS = 14;

/** Matches the files of a section, which the Markdown reader adds to its heading. */
const SECTION_FILES = / \((?:files?|locations?|where)\s*[:：].*\)$/i;

/** Returns a heading of the closing message that names the new part: "New `list` command". */
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

/**
 * Creates a title from the names of tests in the closing message, or from the subject of the tests that the prompt
 * requests.
 */
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
    const position = evidence.changes.length === 1 ? ` in ${shortPath(file.path)}` : '';
    return fitTitle(`${names[0]!}${more}${position}`);
  }
  const [subject] = termsIn(request.prompt.slice(0, 400)).filter((term) => filesIn(term).length === 0);
  return subject === undefined || !requestsTests(request.prompt)
    ? null
    : fitTitle(clean(`Tests of ${subject} in ${shortPath(file.path)}`, 200));
}

const TEST_NAME = /\bTest[A-Z]\w+|\btest_\w+/;

/**
 * Returns a commit subject without its conventional prefix. The agent wrote it, so it proves no more than a closing
 * message.
 */
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

/** Capitalizes plain words. Names of tools and code keep their case. */
const capitalized = (title: string) =>
  OWN_ACTION.test(title) ||
  /^(?:the|an?|all|environment|sections?|flags?|settings?|tests?|imports?|use|make|when|for|no|pass|configure|handle|allow|support|prevent|avoid|ensure)\s/.test(
    title,
  )
    ? title[0]!.toUpperCase() + title.slice(1)
    : title;

/** Returns true when a title only repeats the prompt. */
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
