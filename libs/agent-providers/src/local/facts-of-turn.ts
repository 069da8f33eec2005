import { isProse, isSettings, isTestFile } from '../evidence/declarations.js';
import { CHECKS } from '../evidence/command-kind.js';
import type { CommandRun } from '../evidence/command-runs.js';
import { addedComments, describeChange, weightOf } from './describe-change.js';
import { hasNumber, termsIn } from './names-in.js';
import { CAUSE } from './text/lexicon.js';
import type { Turn } from './turn.js';

const LIMIT = 8;
const LENGTH = 320;

/** Facts that can be checked, the ones that cannot be seen in the code first. */
export function factsOfTurn(turn: Turn): string[] {
  const facts: string[] = [];
  const add = (list: readonly string[], most: number) => {
    for (const text of list.slice(0, most)) {
      const fact = turn.clean(text, LENGTH);
      if (fact !== '' && !facts.some((known) => repeats(known, fact))) facts.push(fact);
    }
  };
  add(userFacts(turn), 4);
  add(claimFacts(turn), turn.evidence.changes.length > 0 ? 4 : 6);
  add(fixFacts(turn), 2);
  add(changeFacts(turn, facts), Math.max(2, 6 - facts.length));
  add(reasonFacts(turn), facts.length < 5 ? 2 : 1);
  add(goneFacts(turn), 1);
  add(commitFacts(turn), 2);
  add(openFailures(turn), 2);
  add(checkFacts(turn), 1);
  return facts.slice(0, LIMIT + 2);
}

/** What the user chose and refused, in their words. */
export function userFacts({ evidence }: Turn): string[] {
  const choices = evidence.choices
    .filter((choice) => !isProcedural(choice.question))
    .map(({ question, answer, meaning, rejected }) => {
      const against = rejected.map(({ label }) => label).join(', ');
      return `User chose “${answer}” (${question})${meaning === null ? '' : `: ${meaning}`}${against === '' ? '' : ` Not chosen: ${against}.`}`;
    });
  const refused = evidence.rejections.flatMap(({ toolName, words }) =>
    words === null
      ? []
      : [`User refused ${toolName === 'ExitPlanMode' ? 'the plan' : `a ${toolName} call`}: “${words}”`],
  );
  return [...choices, ...refused];
}

/** "What would you like to do with this?" decides nothing about the project. */
const isProcedural = (question: string) =>
  /^(?:what would you like to do|how would you like to proceed|ready to|should i (?:proceed|continue)|shall i|continue\?|proceed\?)/i.test(
    question,
  );

/** List items and findings that name something. */
function claimFacts(turn: Turn): string[] {
  return turn.claims
    .filter(({ role, form, text, isSupported, isEmphasized }) => {
      if (role !== 'change' && role !== 'finding') return false;
      if (form === 'sentence') return false;
      return (
        (termsIn(text).length > 0 || hasNumber(text)) &&
        (isSupported || role === 'change' || isEmphasized) &&
        text.length < 420
      );
    })
    .map(({ text, under }) => withContext(text, under.at(-1)));
}

/** An item that names nothing of its own needs the line it stands under. */
function withContext(text: string, parent: string | undefined): string {
  if (parent === undefined || termsIn(text).length > 1 || text.length > 160) return text;
  const names = termsIn(parent);
  return names.length === 0 || parent.length > 80 || text.includes(names[0]!) ? text : `${parent}: ${text}`;
}

function fixFacts({ evidence }: Turn): string[] {
  return evidence.fixes.map(({ failed, passed, between }) => {
    const how =
      between === null
        ? passed.at > failed.at && evidence.edits.some(({ at }) => at > failed.at && at < passed.at)
          ? 'passes after the edits'
          : 'passes later in the turn'
        : `passes after \`${between.shown}\``;
    const what = failed.kind === 'commit' ? '`git commit` failed in its hook' : `\`${failed.shown}\` failed`;
    return `${what}: ${failed.error}; ${failed.key === passed.key ? how : `\`${passed.shown}\` ${how}`}`;
  });
}

/** Per file what its edits did, unless a fact above already tells of that file. */
function changeFacts({ evidence }: Turn, told: readonly string[]): string[] {
  const facts = told.join('\n');
  const changes = evidence.changes
    .filter(({ kind }) => kind !== 'deleted')
    .sort((a, b) => weightOf(b) - weightOf(a));
  return changes.flatMap((change) => {
    if (facts.includes(change.path)) return [];
    const text = describeChange(change);
    return text === null ? [] : [text];
  });
}

/** Comments in the new code that give a reason. */
function reasonFacts({ evidence }: Turn): string[] {
  return evidence.changes
    .filter(({ path }) => !isSettings(path) && !isProse(path))
    .flatMap((change) =>
      addedComments(change)
        .filter(
          (text) => CAUSE.test(text) || /\binstead of\b|\bmust\b|\bnot\b|\bonly\b|\boutside\b/i.test(text),
        )
        .map((text) => ({ text, change })),
    )
    .sort((a, b) => Number(isTestFile(a.change.path)) - Number(isTestFile(b.change.path)))
    .map(({ text, change }) => `Comment in \`${change.path}\`: “${text}”`);
}

function goneFacts({ evidence }: Turn): string[] {
  if (evidence.filesDeleted.length === 0) return [];
  const shown = evidence.filesDeleted.slice(0, 6).map((path) => `\`${path}\``);
  return [
    `Deleted: ${shown.join(', ')}${evidence.filesDeleted.length > 6 ? ` and ${evidence.filesDeleted.length - 6} more` : ''}`,
  ];
}

export function commitFacts({ evidence }: Turn): string[] {
  const commits = evidence.commits.map(({ id, message, files, source }) => {
    const holds = files.length > 0 ? `; it holds ${files.slice(0, 6).join(', ')}` : '';
    return source === 'made'
      ? `Commit ${id}: ${message}${holds}`
      : `Commit ${id} “${message}” appeared during the turn${holds}`;
  });
  return [
    ...commits.slice(-2),
    ...evidence.pullRequests.map(({ number, url }) => `Pull request #${number}: ${url}`),
  ];
}

/** Checks that failed and never passed again, and passes that prove nothing. */
export function openFailures({ evidence }: Turn): string[] {
  const last = lastRuns(evidence.commands);
  const failing = last
    .filter((run) => run.outcome === 'failed' && (CHECKS.has(run.kind) || run.error !== null))
    .map(
      (run) => `\`${run.shown}\` still failed at its last run${run.error === null ? '' : `: ${run.error}`}`,
    );
  const stashed = evidence.commands
    .filter((run) => run.isStashed && run.outcome === 'passed')
    .map((run) => `\`${run.shown}\` ran with the changes stashed away: its pass says nothing about them`);
  return [...failing, ...stashed];
}

/** The last outcome of every check that passed. */
export function checkFacts({ evidence }: Turn): string[] {
  const passed = lastRuns(evidence.commands).filter(
    (run) => CHECKS.has(run.kind) && run.outcome === 'passed' && !run.isStashed,
  );
  if (passed.length === 0) return [];
  return [
    passed
      .slice(-4)
      .map((run) => `\`${run.shown}\`: ${run.counts ?? 'passed'}`)
      .join('; '),
  ];
}

function lastRuns(runs: readonly CommandRun[]): CommandRun[] {
  const last = new Map<string, CommandRun>();
  for (const run of runs) {
    if (
      run.isScratch ||
      run.isSlip ||
      run.outcome === 'interrupted' ||
      run.kind === 'look' ||
      run.kind === 'format'
    )
      continue;
    if (run.kind === 'run' && run.outcome === 'passed' && !last.has(run.key)) continue;
    last.delete(run.key);
    last.set(run.key, run);
  }
  return [...last.values()];
}

/** Says the same in other words, or is part of it. */
export function repeats(known: string, fact: string): boolean {
  if (known.includes(fact) || fact.includes(known)) return true;
  const words = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}_./-]{3,}/gu) ?? []);
  const [own, other] = [words(fact), words(known)];
  if (own.size === 0) return false;
  const shared = [...own].filter((word) => other.has(word)).length;
  return shared / Math.min(own.size, Math.max(other.size, 1)) > 0.8;
}
