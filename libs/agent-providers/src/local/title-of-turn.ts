import { toSingleLine } from '@claude-mem/core';
import { isTestFile } from '../evidence/declarations.js';
import type { FileChange } from '../evidence/file-ledger.js';
import type { Claim } from './claims.js';
import {
  addedComments,
  changedNames,
  identifiers,
  listNames,
  literalChange,
  weightOf,
} from './describe-change.js';
import { fitTitle } from './fit-title.js';
import { endsWithPath, filesIn, hasNumber, termsIn } from './names-in.js';
import { firstSentences } from './read-request.js';
import { isFormality } from './is-formality.js';
import { countWords } from './text/count-words.js';
import type { Turn } from './turn.js';

/** Says in at most ten words what happened to what. Null when nothing in the turn can say it. */
export function titleOfTurn(turn: Turn): string | null {
  const made = turn.evidence.commits.filter(({ source }) => source === 'made');
  const committed = made.length === 1 ? commitTitle(made[0]!.message) : null;
  const ranked = rankedClaims(turn);
  const task = turn.request.task === null ? null : fitTitle(turn.request.task.title);
  const isStrong = ({ score, claim }: RankedClaim) =>
    score >= 6 && (task === null || claim.form === 'sentence');
  const strong = ranked.filter(isStrong);
  const weak = ranked.filter((entry) => entry.score >= 3.5 && !isStrong(entry));
  const feeble = ranked.filter(({ score }) => score >= 0.5 && score < 3.5);
  const isChange = turn.evidence.changes.length > 0;
  const candidates = isChange
    ? [
        committed,
        ...strong.map(({ title }) => title),
        task,
        ...weak.map(({ title }) => title),
        checkTitle(turn),
        evidenceTitle(turn),
        ...feeble.map(({ title }) => title),
        todoTitle(turn),
        promptTitle(turn),
        plainTitle(turn),
      ]
    : [
        ...strong.map(({ title }) => title),
        ...weak.map(({ title }) => title),
        findingTitle(turn),
        committed,
        task,
      ];
  const title =
    candidates.find((candidate) => candidate !== null && !isCopy(candidate, turn.request.prompt)) ?? null;
  return title === null ? null : capitalized(title);
}

/** A commit subject without its conventional prefix. */
export function commitTitle(message: string): string | null {
  const subject = message.replace(/^(?:\w+)(?:\([^)]*\))?!?:\s*/, '').replace(/\s*\(#\d+\)\s*$/, '');
  if (/^(?:wip|update|updates|changes|fix|misc|checkpoint|merge\b.*|initial commit)$/i.test(subject.trim()))
    return null;
  const title = fitTitle(subject);
  return title === null ? null : capitalized(title);
}

/** Only plain words: names of tools and code keep their case. */
const capitalized = (title: string) =>
  OWN_DEED.test(title) ||
  /^(?:the|an?|all|environment|sections?|flags?|settings?|tests?|imports?|use|make|when|for|no|pass|configure|handle|allow|support|prevent|avoid|ensure)\s/.test(
    title,
  )
    ? title[0]!.toUpperCase() + title.slice(1)
    : title;

export interface RankedClaim {
  claim: Claim;
  title: string;
  score: number;
}

/** Claims that can stand as a title, best first. */
export function rankedClaims(turn: Turn): RankedClaim[] {
  const { evidence } = turn;
  const isChange = evidence.changes.length > 0;
  const names = new Set(evidence.changes.flatMap((change) => namesOf(change)));
  const lines = evidence.changes
    .flatMap(({ added, removed }) => [...added, ...removed])
    .join('\n')
    .slice(0, 200_000);
  const isInLines = (term: string) => {
    const word = /[A-Za-z_][\w.-]{3,}/.exec(term)?.[0];
    return word !== undefined && lines.includes(word);
  };
  const ranked = turn.claims.flatMap((claim): RankedClaim[] => {
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
  });
  return ranked.sort((a, b) => b.score - a.score);
}

/** Begins with the deed. */
const OWN_DEED =
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

/** A check that was red before the work and is green after it. */
function checkTitle({ evidence, request }: Turn): string | null {
  const fix = evidence.fixes.find(
    ({ wasThereBefore, failed }) => wasThereBefore && failed.kind !== 'commit' && failed.kind !== 'run',
  );
  if (!fix || !new RegExp(fix.failed.kind, 'i').test(request.prompt)) return null;
  const files = evidence.filesModified;
  const place =
    files.length > 1 ? `${shortPath(files[0]!)} and ${files.length - 1} more` : shortPath(files[0] ?? '');
  return fitTitle(`${fix.failed.shown} errors fixed in ${place}`);
}

/** From the edits alone. */
export function evidenceTitle({ evidence, clean }: Turn): string | null {
  const main = [...evidence.changes].sort((a, b) => weightOf(b) - weightOf(a))[0];
  if (!main) return null;
  const place = shortPath(main.path);
  if (main.kind === 'deleted') return fitTitle(`${main.path} removed`) ?? `${place} removed`;
  if (main.kind === 'moved') {
    const from = main.from ?? '';
    const isRename = from.split('/').slice(0, -1).join('/') === main.path.split('/').slice(0, -1).join('/');
    return isRename
      ? `${shortPath(from)} renamed to ${place}`
      : (fitTitle(`${shortPath(from)} moved to ${main.path}`) ?? `${place} moved`);
  }
  const worded = commentTitle(main);
  if (worded !== null) return worded;
  const { added, removed, changed } = changedNames(main);
  const outside = added.filter(({ kind }) => kind === 'env' || kind === 'flag');
  const first =
    outside.length > 0
      ? outside
      : added.filter(
          ({ kind }) => kind === 'function' || kind === 'type' || kind === 'table' || kind === 'heading',
        );
  const say = (names: string, what: string) => clean(`${names.replaceAll('`', '')} ${what} ${place}`, 100);
  const some = (list: typeof added) => listNames(list, 2)?.replace(/ and \d+ more$/, '') ?? null;
  if (first.length > 0)
    return say(some(first.slice(0, 2))!, main.kind === 'created' ? 'added in new' : 'added in');
  const gone = removed.filter(({ kind }) => kind === 'function' || kind === 'type');
  if (gone.length > 0) return say(some(gone.slice(0, 2))!, 'removed from');
  const touched = changed.filter(({ kind }) => kind === 'function' || kind === 'type' || kind === 'test');
  if (touched.length > 0) return say(some(touched.slice(0, 2))!, 'changed in');
  if (main.around.length > 0)
    return say(
      isTestFile(main.path) ? main.around[0]! : `${main.around[0]}()`.replace('()()', '()'),
      'changed in',
    );
  const tests = some(added.filter(({ kind }) => kind === 'test').slice(0, 1));
  if (tests !== null) return fitTitle(say(tests, 'added in')) ?? `Tests added in ${place}`;
  const settings = some(added.filter(({ kind }) => kind === 'setting').slice(0, 2));
  return settings === null ? null : fitTitle(say(settings, 'added in'));
}

/** The to-do item that the work was, when there was but one or two. */
function todoTitle({ evidence }: Turn): string | null {
  const done = evidence.todos.filter(({ status }) => status !== 'pending');
  return done.length === 0 || evidence.todos.length > 3 ? null : fitTitle(done[0]!.text);
}

/** A short request in the imperative, with the file that the turn changed for it. */
function promptTitle({ evidence, request, clean }: Turn): string | null {
  const main = [...evidence.changes].sort((a, b) => weightOf(b) - weightOf(a))[0];
  if (!main || request.isBare || request.prompt.length > 400) return null;
  const wish = clean(firstSentences(request.prompt, 160))
    .replace(
      /^(?:(?:ok(?:ay)?|now|also|hmm+|sorry|so|great|thanks?|and|yes|one (?:last|more) (?:thing|modification))[,.:!]?\s+)+/i,
      '',
    )
    .replace(
      /^(?:(?:can|could|would|will) (?:you|we)(?: please)?|please|let(?:'|’)?s|we should|you should|i(?:'|’)d like (?:you )?to|i want (?:you )?to|i need (?:you )?to)\s+(?:also\s+|just\s+)?/i,
      '',
    );
  if (!IMPERATIVE.test(wish)) return null;
  const title = fitTitle(wish, 8);
  return title === null ? null : `${shortPath(main.path)}: ${title}`;
}

const IMPERATIVE =
  /^(?:add|make|change|update|remove|delete|rename|move|fix|use|replace|create|implement|hide|show|set|switch|split|extract|refactor|clean|simplify|improve|handle|support|allow|write|document|convert|merge|revert|bump|upgrade|include|exclude|put|turn|increase|reduce|limit|enable|disable)\s/i;

/** The last resort: what was replaced word for word, or that something was. */
function plainTitle({ evidence }: Turn): string | null {
  const main = [...evidence.changes].sort((a, b) => weightOf(b) - weightOf(a))[0];
  if (!main) return null;
  const place = shortPath(main.path);
  const literal = literalChange(main);
  const literally =
    literal === null || !/^`[\p{L}"'].* became `[\p{L}"']/u.test(literal)
      ? null
      : fitTitle(`${literal.split('; ')[0]} in ${place}`);
  if (literally !== null) return literally;
  if (main.kind === 'created') return `New file ${main.path}`;
  const [now, before] = identifiers(main);
  const names = (now.length > 0 ? now : before).slice(0, 2).join(', ').replaceAll('`', '');
  if (names !== '') return `${place}: ${names} ${now.length > 0 ? 'added' : 'removed'}`;
  return evidence.changes.length > 1
    ? `${place} and ${evidence.changes.length - 1} more changed`
    : `${place} changed`;
}

/** A comment that the edit added to say what the code does now, with the name of what it is in. */
function commentTitle(change: FileChange): string | null {
  const holder = change.around[0];
  if (holder === undefined || isTestFile(change.path)) return null;
  const comment = addedComments(change).find((text) =>
    /^(?:uses?|returns?|skips?|avoids?|only|always|never|ignores?|falls? back|prefers?|checks?|keeps?|runs?|waits?|stops?|extracts?|reads?|writes?|treats?|allows?|rejects?|strips?)\b/i.test(
      text,
    ),
  );
  return comment === undefined
    ? null
    : fitTitle(`${holder}: ${comment[0]!.toLowerCase()}${comment.slice(1)}`);
}

/** From what failed, or what the user chose, in a turn without edits. */
function findingTitle({ evidence, clean }: Turn): string | null {
  const fix = evidence.fixes[0];
  const failed =
    fix?.failed ??
    evidence.commands.findLast(
      (run) => run.outcome === 'failed' && !run.isSlip && !run.isScratch && run.error !== null,
    );
  if (failed?.error) {
    const what = failed.kind === 'commit' ? 'Commit hook' : failed.key.slice(failed.key.indexOf(':') + 1);
    const code = /\b(?:TS\d{3,5}|E\d{3,4}|G\d{3}|[A-Z]{2,4}\d{3,4}|[A-Z]\w+(?:Error|Exception))\b/.exec(
      failed.error,
    )?.[0];
    const message = failed.error
      .replace(/^.*?(?:error(?:\[\w+\])? ?(?:TS\d+)?:|\b[A-Z]{1,4}\d{3,5}:)\s*/i, '')
      .replace(/^[^\s:]+:\d+(?::\d+)?:\s*/, '');
    return (
      fitTitle(
        clean(
          `${what} failed: ${code !== undefined && !message.includes(code) ? `${code} ` : ''}${message}`,
          200,
        ),
      ) ?? clean(`${what} failed with ${code ?? 'an error'}`, 90)
    );
  }
  const plan = evidence.plans.at(-1);
  if (plan) {
    const heading =
      /^#{1,3} +(?:plan\s*[:：-]\s*)?(.+)$/im.exec(plan.plan)?.[1] ??
      plan.plan.trim().split('\n')[0]?.slice(0, 120);
    if (heading !== undefined)
      return (
        fitTitle(
          clean(
            `${plan.outcome === 'approved' ? 'Plan approved' : 'Plan not approved'}: ${toSingleLine(heading)}`,
            120,
          ),
          10,
        ) ?? fitTitle(clean(heading))
      );
  }
  const choice = evidence.choices.findLast(({ rejected }) => rejected.length > 0);
  return choice
    ? (fitTitle(clean(`${choice.answer} chosen: ${choice.question}`, 200)) ??
        fitTitle(`${choice.answer} chosen`))
    : null;
}

export const shortPath = (path: string): string => path.split('/').slice(-1)[0] ?? path;

/** The prompt again is no title. */
export function isCopy(title: string, prompt: string): boolean {
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
