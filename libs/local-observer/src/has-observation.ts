import { filesIn, hasNumber, termsIn } from './names-in.js';
import { isDecision } from './select-type.js';
import type { Turn } from './turn.js';

/** Returns true when the turn contains something useful for later sessions. */
export function hasObservation(turn: Turn): boolean {
  const { evidence } = turn;
  if (evidence.changes.length > 0) return true;
  if (isDecision(turn))
    return (
      evidence.choices.some(({ rejected }) => rejected.length > 0) ||
      evidence.rejections.some(({ message }) => message !== null) ||
      evidence.plans.length > 0
    );
  if (evidence.fixes.length > 0) return true;
  return isFinding(turn);
}

/** Returns true when the turn examined something and the answer contains a result. */
function isFinding({ evidence, claims, request }: Turn): boolean {
  const inspections =
    evidence.filesRead.length +
    evidence.searches.length +
    evidence.lookups.length +
    evidence.agentResults.length +
    evidence.commands.filter(({ kind, isScratch }) => kind === 'run' || (kind !== 'commit' && !isScratch))
      .length;
  if (inspections < 2 || (request.isBare && evidence.filesRead.length === 0)) return false;
  const findings = claims.filter(
    ({ role, form }) =>
      (role === 'finding' || role === 'guess' || role === 'change') && form !== 'usage' && form !== 'code',
  );
  const informative = findings.filter(
    ({ text, isCause, isEmphasized }) =>
      termsIn(text).length > 0 || filesIn(text).length > 0 || hasNumber(text) || isCause || isEmphasized,
  );
  const length = informative.reduce((total, { text }) => total + text.length, 0);
  return informative.length >= 2 && length >= 110 && findings.some(({ isSupported }) => isSupported);
}

/** Returns true when the turn needs a summary because it changed, found, decided or answered something. */
export function needsSummary(turn: Turn): boolean {
  const { evidence, claims } = turn;
  if (hasObservation(turn)) return true;
  if (
    evidence.commits.length > 0 ||
    evidence.gitActions.length > 0 ||
    evidence.pullRequests.length > 0 ||
    evidence.rejections.some(({ message }) => message !== null)
  )
    return true;
  if (evidence.failedWrites.some(({ reason }) => reason !== 'failed')) return true;
  const statements = claims.filter(({ role }) => role === 'finding' || role === 'change' || role === 'guess');
  return statements.reduce((total, { text }) => total + text.length, 0) >= 150 && !turn.request.isBare;
}
