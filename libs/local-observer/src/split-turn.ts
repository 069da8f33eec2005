import { evidenceSteps, type Commit, type Steps, type TurnEvidence } from '@claude-mem/evidence';
import type { Claim } from './claims.js';
import { changedNames } from './describe-change.js';
import { endsWithPath, filesIn, termsIn } from './names-in.js';
import type { Turn } from './turn.js';

const MAX_PARTS = 3;

/** Splits a turn with several commits into one part for each commit. Other turns are returned as they are. */
export function* splitTurn(turn: Turn): Steps<Turn[]> {
  const ends = findEnds(turn.evidence.commits);
  if (ends.length < 2) return [turn];
  const uses = turn.batch.toolUses;
  let parts: TurnEvidence[] = [];
  let start = 0;
  for (const [index, end] of ends.entries()) {
    const isLast = index === ends.length - 1;
    const evidence = yield* evidenceSteps({
      ...turn.batch,
      toolUses: uses.slice(start, isLast ? uses.length : end + 1),
    });
    if (evidence.changes.length === 0) continue;
    parts.push(evidence);
    start = end + 1;
  }
  parts = parts.filter(({ commits }) => commits.some(({ source }) => source === 'created'));
  if (parts.length < 2 || !areSeparate(parts)) return [turn];
  const owners = turn.claims.map((claim) => findOwner(claim, parts));
  return parts.map((evidence, part) => {
    const isOwn = (claim: Claim) => (owners[claim.order] ?? owners[turn.claims.indexOf(claim)] ?? 0) === part;
    return {
      ...turn,
      evidence: { ...evidence, choices: turn.evidence.choices },
      claims: turn.claims.filter(isOwn),
      ranked: turn.ranked.filter(({ claim }) => isOwn(claim)),
    };
  });
}

/** Returns the ends of the parts: commits with their own message, at most three. Earlier commits are combined. */
function findEnds(commits: readonly Commit[]): number[] {
  const createdCommits = commits.filter(({ source }) => source === 'created');
  const own = createdCommits.filter(
    ({ message }, index) =>
      !/^(?:fixup|squash|amend)!|^(?:wip|lint|format|typo|merge)\b/i.test(message) &&
      createdCommits.findIndex((other) => other.message === message) === index,
  );
  return [...new Set(own.map(({ at }) => at))].slice(-MAX_PARTS);
}

/** Returns false when a part changes only files of another part. */
function areSeparate(parts: readonly TurnEvidence[]): boolean {
  const paths = parts.map(({ changes }) => changes.map(({ path }) => path));
  return paths.every((own, index) =>
    paths.every((other, at) => at === index || own.some((path) => !other.includes(path))),
  );
}

/**
 * Returns the part whose files or names a statement contains. Statements about the complete turn belong to the first
 * part.
 */
function findOwner(claim: Claim, parts: readonly TurnEvidence[]): number {
  const files = filesIn([claim.text, ...claim.under.slice(-2)].join(' '));
  const terms = new Set(termsIn(claim.text).map((term) => term.replace(/\(\)$/, '')));
  const hits = parts.map(({ changes, commits }) => {
    const words = commits.map(({ message }) => message).join(' ');
    return (
      files.filter((file) => changes.some(({ path }) => endsWithPath(path, file))).length * 3 +
      changes
        .flatMap((change) => Object.values(changedNames(change)).flat())
        .filter(({ name }) => terms.has(name)).length *
        2 +
      [...terms].filter((term) => words.includes(term)).length
    );
  });
  const best = Math.max(...hits);
  return best === 0 ? 0 : hits.indexOf(best);
}
