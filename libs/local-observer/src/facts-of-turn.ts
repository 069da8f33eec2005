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
import { addedComments, describeChange, weightOf } from './describe-change.js';
import { shortPath } from './short-path.js';
import { agentFacts } from './agent-facts.js';
import { claimFacts } from './claim-facts.js';
import { settledIn } from './decision-of-turn.js';
import { lastRuns, openFailures } from './open-failures.js';
import { unquoted } from './text/unquoted.js';
import { withoutAgent } from './unprovable.js';
import { planOfTurn } from './plan-of-turn.js';
import { CAUSE } from './text/lexicon.js';
import type { Turn } from './turn.js';

const LIMIT = 8;
const LENGTH = 320;

/** Facts that can be checked, the ones that cannot be seen in the code first. */
export function factsOfTurn(turn: Turn): Fact[] {
  const facts: Fact[] = [];
  const add = (list: readonly Fact[], most: number) => {
    for (const { text, origin } of list.slice(0, most)) {
      const fact = turn.clean(text, LENGTH);
      if (fact !== '' && !facts.some((known) => repeats(known.text, fact)))
        facts.push({ text: fact, origin });
    }
  };
  const addEvidence = (texts: readonly string[], most: number) => add(toFacts(texts, 'evidence'), most);
  const known = () => facts.map(({ text }) => text);
  const isToldApart = settledIn(turn) !== null;
  add(
    toFacts(isToldApart ? refusalFacts(turn) : userFacts(turn), 'user'),
    turn.evidence.changes.length > 0 ? 3 : 6,
  );
  add(planFacts(turn), 1);
  const mostClaims = turn.evidence.changes.length > 0 ? 5 : 6;
  add(claimFacts(turn, mostClaims), mostClaims);
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
  addEvidence(goneFacts(turn, known()), 1);
  addEvidence(commitFacts(turn), 2);
  addEvidence(gitFacts(turn), 1);
  addEvidence(openFailures(turn), 2);
  addEvidence(checkFacts(turn), 1);
  return facts.slice(0, LIMIT + 2);
}

/** Choices and refusals of the user, without a subject: the label of the origin names the user. */
export function userFacts(turn: Turn): string[] {
  const { choices } = turn.evidence;
  return [
    ...choices.filter(({ question }) => !isProcedural(question)).map(choiceFact),
    ...refusalFacts(turn),
  ];
}

function refusalFacts({ evidence }: Pick<Turn, 'evidence'>): string[] {
  return evidence.rejections.flatMap(({ toolName, message: words }) =>
    words === null
      ? []
      : [`Refused ${toolName === 'ExitPlanMode' ? 'the plan' : `a ${toolName} call`}: “${unquoted(words)}”`],
  );
}

export function choiceFact({ question, answer, meaning, rejected }: UserChoice): string {
  const against = unquoted(rejected.map(({ label }) => label).join(', '));
  const described = meaning === null ? '' : `, described as “${unquoted(meaning)}”.`;
  return `Chose “${unquoted(answer)}” (${unquoted(question)})${described}${against === '' ? '' : ` Not chosen: ${against}.`}`;
}

/** "What would you like to do with this?" decides nothing about the project. */
export const isProcedural = (question: string) =>
  /^(?:what would you like to do|how would you like to proceed|ready to|should i (?:proceed|continue)|shall i|continue\?|proceed\?)/i.test(
    question,
  );

/** Per file what its edits did, unless a fact above already tells of that file. */
function changeFacts({ evidence }: Turn, known: readonly string[]): string[] {
  const facts = known.join('\n');
  const hasCode = evidence.changes.some(({ path }) => !isProseFile(path));
  const changes = evidence.changes
    .filter(({ kind, path }) => kind !== 'deleted' && !(kind === 'moved' && isProseFile(path) && hasCode))
    .sort((a, b) => weightOf(b) - weightOf(a));
  const told: string[] = [];
  for (const change of changes) {
    if (told.length > LIMIT) break;
    if (facts.includes(change.path) || facts.includes(`\`${shortPath(change.path)}\``)) continue;
    const text = describeChange(change);
    if (text !== null) told.push(text);
  }
  return told;
}

/** What the plan names, when nothing of it is built yet. */
function planFacts(turn: Turn): Fact[] {
  const plan = turn.evidence.changes.length > 0 ? null : planOfTurn(turn);
  if (plan === null || plan.names.length === 0) return [];
  const names = plan.names.map((name) => `\`${name}\``).join(', ');
  return [{ text: `The plan names ${names}`, origin: plan.outcome === 'approved' ? 'agreed' : 'rejected' }];
}

/** Comments in the new code that give a reason. */
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

function goneFacts({ evidence }: Turn, told: readonly string[]): string[] {
  const facts = told.join('\n');
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

/** What git commands did besides commits. */
export function gitFacts({ evidence: { gitActions } }: Turn): string[] {
  return gitActions.length === 0 ? [] : [`Ran ${gitActions.slice(0, 4).map(formatCodeSpan).join(', ')}`];
}

/** The last outcome of every check, unless it failed. */
export function checkFacts({ evidence, claims }: Turn): string[] {
  const all = lastRuns(evidence.commands).filter(
    (run) =>
      CHECKS.has(run.kind) && succeeded(run) && !run.isStashed && !/\b(?:--)?fix\b/.test(run.displayLine),
  );
  const passed = all.some(({ kind }) => kind !== 'build') ? all.filter(({ kind }) => kind !== 'build') : all;
  if (passed.length === 0) return [];
  const claim = claims.find(({ role, text }) => role === 'check' && TESTS_PASS.test(text));
  const said = claim === undefined ? null : withoutAgent(claim.text).replace(/^“|[.”]+$/g, '');
  const reported = said === null ? '' : ` (the agent reports: “${unquoted(said)}”)`;
  const resultOf = (run: CommandRun): string => {
    if (run.outcome === 'unknown')
      return run.kind === 'test' ? `result unknown${reported}` : 'result unknown';
    const isOld = evidence.edits.some(({ at, path }) => at > run.at && !isProseFile(path));
    return `${run.counts ?? 'passed'}${isOld ? ' before the last edit' : ''}`;
  };
  return [
    passed
      .slice(-4)
      .map((run) => `\`${run.displayLine}\`: ${resultOf(run)}`)
      .join('; '),
  ];
}

/** A report of the agent on the tests that a cut output does not show. */
const TESTS_PASS = /\btests?\b.{0,40}\bpass(?:es|ed|ing)?\b/i;

/** Says the same in other words, or is part of it. */
export function repeats(known: string, fact: string): boolean {
  if (known.includes(fact) || fact.includes(known)) return true;
  const words = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}_./-]{3,}/gu) ?? []);
  const [own, other] = [words(fact), words(known)];
  if (own.size === 0) return false;
  const shared = [...own].filter((word) => other.has(word)).length;
  return shared / own.size > 0.8;
}
