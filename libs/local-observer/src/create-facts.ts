import { formatCodeSpan, toFacts, type Fact } from '@claude-mem/core';
import {
  CHECKS,
  formatFixFact,
  isProseFile,
  isSettingsFile,
  isTestFile,
  succeeded,
  type CommandRun,
  type UserChoice,
} from '@claude-mem/evidence';
import { addedComments, describeChange, getChangeWeight } from './describe-change.js';
import { shortPath } from './short-path.js';
import { agentFacts } from './agent-facts.js';
import { claimFacts } from './claim-facts.js';
import { isProcedural } from './is-procedural.js';
import { readDecision } from './read-decision.js';
import { listLastRuns, listOpenFailures } from './list-open-failures.js';
import { unquoted } from './text/unquoted.js';
import { withoutAgent } from './unprovable.js';
import { readPlanOfTurn } from './read-plan-of-turn.js';
import { CAUSE } from './text/lexicon.js';
import type { Turn } from './turn.js';

const LIMIT = 8;
const LENGTH = 320;

/** Returns the facts of a turn. Facts that the code does not show come first. */
export function createFacts(turn: Turn): Fact[] {
  const facts: Fact[] = [];
  const add = (list: readonly Fact[], most: number) => {
    for (const { text, origin } of list.slice(0, most)) {
      const fact = turn.clean(text, LENGTH);
      if (fact !== '' && !facts.some((known) => isRepetition(known.text, fact)))
        facts.push({ text: fact, origin });
    }
  };
  const addEvidence = (texts: readonly string[], most: number) => add(toFacts(texts, 'evidence'), most);
  const known = () => facts.map(({ text }) => text);
  const isReportedSeparately = readDecision(turn) !== null;
  add(
    toFacts(isReportedSeparately ? refusalFacts(turn) : userFacts(turn), 'user'),
    turn.evidence.changes.length > 0 ? 3 : 6,
  );
  add(planFacts(turn), 1);
  const maxClaims = turn.evidence.changes.length > 0 ? 5 : 6;
  add(claimFacts(turn, maxClaims), maxClaims);
  add(
    toFacts(agentFacts(turn.evidence.agentResults, turn.evidence.changes.length > 0 ? 1 : 3), 'agent'),
    turn.evidence.changes.length > 0 ? 2 : 5,
  );
  addEvidence(
    turn.evidence.fixes.map((fix) => formatFixFact(fix, turn.evidence.edits)),
    2,
  );
  addEvidence(changeFacts(turn, known()), Math.max(2, 6 - facts.length));
  addEvidence(reasonFacts(turn), facts.length < 5 ? 2 : 1);
  addEvidence(removalFacts(turn, known()), 1);
  addEvidence(commitFacts(turn), 2);
  addEvidence(gitFacts(turn), 1);
  addEvidence(listOpenFailures(turn), 2);
  addEvidence(checkFacts(turn), 1);
  return facts.slice(0, LIMIT + 2);
}

/** Returns the choices and rejections of the user without a subject, because the label of the origin names the user. */
export function userFacts(turn: Turn): string[] {
  const { choices } = turn.evidence;
  return [
    ...choices.filter(({ question }) => !isProcedural(question)).map(choiceFact),
    ...refusalFacts(turn),
  ];
}

function refusalFacts({ evidence }: Pick<Turn, 'evidence'>): string[] {
  return evidence.rejections.flatMap(({ toolName, message: comment }) =>
    comment === null
      ? []
      : [
          `Refused ${toolName === 'ExitPlanMode' ? 'the plan' : `a ${toolName} call`}: “${unquoted(comment)}”`,
        ],
  );
}

export function choiceFact({ question, answer, meaning, rejected }: UserChoice): string {
  const against = unquoted(rejected.map(({ label }) => label).join(', '));
  const described = meaning === null ? '' : `, described as “${unquoted(meaning)}”.`;
  return `Chose “${unquoted(answer)}” (${unquoted(question)})${described}${against === '' ? '' : ` Not chosen: ${against}.`}`;
}

/** Describes the edits of each file, unless an earlier fact already describes the file. */
function changeFacts({ evidence }: Turn, known: readonly string[]): string[] {
  const facts = known.join('\n');
  const hasCode = evidence.changes.some(({ path }) => !isProseFile(path));
  const changes = evidence.changes
    .filter(({ kind, path }) => kind !== 'deleted' && !(kind === 'moved' && isProseFile(path) && hasCode))
    .sort((a, b) => getChangeWeight(b) - getChangeWeight(a));
  const reported: string[] = [];
  for (const change of changes) {
    if (reported.length > LIMIT) break;
    if (facts.includes(change.path) || facts.includes(`\`${shortPath(change.path)}\``)) continue;
    const text = describeChange(change);
    if (text !== null) reported.push(text);
  }
  return reported;
}

/** Lists the names in a plan before any of it is built. */
function planFacts(turn: Turn): Fact[] {
  const plan = turn.evidence.changes.length > 0 ? null : readPlanOfTurn(turn);
  if (plan === null || plan.names.length === 0) return [];
  const names = plan.names.map((name) => `\`${name}\``).join(', ');
  return [{ text: `The plan names ${names}`, origin: plan.outcome === 'approved' ? 'agreed' : 'rejected' }];
}

/** Returns the comments in new code that give a reason. */
export function reasonFacts({ evidence }: Turn): string[] {
  return evidence.changes
    .filter(({ path }) => !isSettingsFile(path) && !isProseFile(path))
    .flatMap((change) =>
      addedComments(change)
        .filter(
          (text) => CAUSE.test(text) || /\binstead of\b|\bmust\b|\bnot\b|\bonly\b|\boutside\b/i.test(text),
        )
        .map((text) => ({ text, change })),
    )
    .sort((a, b) => Number(isTestFile(a.change.path)) - Number(isTestFile(b.change.path)))
    .map(({ text, change }) => `Comment in ${formatCodeSpan(change.path)}: “${unquoted(text)}”`);
}

function removalFacts({ evidence }: Turn, reported: readonly string[]): string[] {
  const facts = reported.join('\n');
  const gone = evidence.filesDeleted.filter((path) => !facts.includes(path));
  if (gone.length === 0) return [];
  const shown = gone.slice(0, 6).map(formatCodeSpan);
  return [`Deleted: ${shown.join(', ')}${gone.length > 6 ? ` and ${gone.length - 6} more` : ''}`];
}

export function commitFacts({ evidence }: Turn): string[] {
  const commits = evidence.commits.map(({ id, message, files, source }) => {
    const holds = files.length > 0 ? `; it holds ${files.slice(0, 6).join(', ')}` : '';
    return source === 'created'
      ? `Commit ${id}: ${message}${holds}`
      : `Commit ${id} “${unquoted(message)}” appeared during the turn${holds}`;
  });
  return [
    ...commits.slice(-2),
    ...evidence.pullRequests.map(({ number, url }) => `Pull request #${number}: ${url}`),
  ];
}

/** Lists the git actions other than commits. */
export function gitFacts({ evidence: { gitActions } }: Turn): string[] {
  return gitActions.length === 0 ? [] : [`Ran ${gitActions.slice(0, 4).map(formatCodeSpan).join(', ')}`];
}

/** Returns the last outcome of each check that did not fail. */
export function checkFacts({ evidence, claims }: Turn): string[] {
  const all = listLastRuns(evidence.commands).filter(
    (run) =>
      CHECKS.has(run.kind) && succeeded(run) && !run.isStashed && !/\b(?:--)?fix\b/.test(run.displayLine),
  );
  const passed = all.some(({ kind }) => kind !== 'build') ? all.filter(({ kind }) => kind !== 'build') : all;
  if (passed.length === 0) return [];
  const claim = claims.find(({ role, text }) => role === 'check' && TESTS_PASS.test(text));
  const reportedText = claim === undefined ? null : withoutAgent(claim.text).replace(/^“|[.”]+$/g, '');
  const reported = reportedText === null ? '' : ` (the agent reports: “${unquoted(reportedText)}”)`;
  const formatResult = (run: CommandRun): string => {
    if (run.outcome === 'unknown')
      return run.kind === 'test' ? `result unknown${reported}` : 'result unknown';
    const isOld = evidence.edits.some(({ at, path }) => at > run.at && !isProseFile(path));
    return `${run.counts ?? 'passed'}${isOld ? ' before the last edit' : ''}`;
  };
  return [
    passed
      .slice(-4)
      .map((run) => `\`${run.displayLine}\`: ${formatResult(run)}`)
      .join('; '),
  ];
}

/** Matches a statement of the agent about tests whose results are missing from a truncated output. */
const TESTS_PASS = /\btests?\b.{0,40}\bpass(?:es|ed|ing)?\b/i;

/** Returns true when `fact` repeats or is a part of `known`. */
export function isRepetition(known: string, fact: string): boolean {
  if (known.includes(fact) || fact.includes(known)) return true;
  const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}_./-]{3,}/gu) ?? []);
  const [own, other] = [wordsOf(fact), wordsOf(known)];
  if (own.size === 0) return false;
  const shared = [...own].filter((word) => other.has(word)).length;
  return shared / own.size > 0.8;
}
