import type { ObservationType } from '@claude-mem/core';
import { isProseFile, isSettingsFile, isTestFile, type Declaration } from '@claude-mem/evidence';
import { changedNames } from './describe-change.js';
import { FAULT, REQUESTS_REFACTORING, REQUESTS_FEATURE } from './text/lexicon.js';
import type { Turn } from './turn.js';

/** Returns the type that the evidence proves. Words only choose between types that the evidence allows. */
export function selectType(turn: Turn): ObservationType {
  const { evidence } = turn;
  if (evidence.changes.length === 0) {
    if (isDecision(turn)) return 'decision';
    return evidence.commits.some(({ source }) => source === 'created') && evidence.fixes.length === 0
      ? 'change'
      : 'discovery';
  }
  const code = evidence.changes.filter(({ path }) => !isProseFile(path) && !isSettingsFile(path));
  const isProgram = code.some(({ path }) => !isTestFile(path));
  const reportedType = readReportedType(turn);
  if (!isProgram && requestsTests(turn.request.prompt)) return 'change';
  if (!isProgram && reportedType !== 'bugfix') return 'change';
  if (reportedType !== null) return reportedType;
  const statements = turn.claims
    .filter(({ role }) => role === 'change')
    .slice(0, 3)
    .map(({ text }) => text);
  const task = turn.request.plan ?? turn.request.document;
  const asked = turn.request.isBare
    ? statements.join(' ')
    : `${task?.title ?? ''} ${turn.request.prompt.slice(0, task ? 60 : 600)}`;
  const isAddition = /^(?:add|implement|create|introduce)\b/i.test(asked.replace(POLITE, ''));
  if (evidence.fixes.some(({ isPreexisting }) => isPreexisting) && !isAddition) return 'bugfix';
  if (requestsTests(turn.request.prompt)) return 'change';
  const names = code.filter(({ path }) => !isTestFile(path)).map(changedNames);
  const added = names.flatMap(({ added }) => added.filter(isMade)).length;
  const removed = names.flatMap(({ removed }) => removed.filter(isMade)).length;
  if (
    added > removed &&
    /\b(?:add|implement|create|build|introduce)\b|追加|実装|添加|新增|实现|добав|реализ/i.test(asked)
  )
    return 'feature';
  if (FAULT.test(asked) && !isAddition) return 'bugfix';
  if (REQUESTS_REFACTORING.test(asked)) return 'refactor';
  const removedNames = evidence.changes.filter(({ kind }) => kind === 'deleted' || kind === 'moved').length;
  if (removedNames > 0 && removed + removedNames > added) return 'refactor';
  const isNew =
    /^(?:added|implemented|created|introduced)\b.{0,80}(?:\(\)|\b(?:flags?|commands?|options?|endpoints?|support|environment variable|env var|pages?|screen|hooks?|api|method|function|feature)\b)/i;
  if (
    !FAULT.test(asked) &&
    turn.claims
      .filter(({ role }) => role === 'change')
      .slice(0, 2)
      .some(({ text }) => isNew.test(text))
  )
    return 'feature';
  if (added > removed && REQUESTS_FEATURE.test(asked)) return 'feature';
  if (added > removed && evidence.changes.some(({ kind }) => kind === 'created')) return 'feature';
  const created = code.filter(({ kind, path }) => kind === 'created' && !isTestFile(path)).length;
  return created >= 2 && created * 2 >= code.length && !FAULT.test(asked) ? 'feature' : 'change';
}

/** Returns true when the user requested tests of existing code. */
export const requestsTests = (prompt: string): boolean => TEST_REQUEST.test(prompt.replace(POLITE, ''));

const POLITE =
  /^(?:(?:ok(?:ay)?|yes|now|also|and|then|please|\d+[.)])[,:]?\s+|(?:can|could|would) (?:you|we) (?:please |also )?|let(?:'|’)s (?:also )?|(?:i|we)(?:'|’)?(?:d| would) like (?:you )?to |we (?:should|need to) )+/i;

/** Tests of existing code are not a feature. */
const TEST_REQUEST =
  /^(?:add|write|create|extend|improve)\s(?:a |an |some |more |the |missing |unit |integration |regression |e2e )*(?:tests?|specs?|test (?:cases?|coverage)|coverage)\b/i;

const isMade = ({ kind }: Declaration) =>
  kind === 'function' || kind === 'type' || kind === 'env' || kind === 'flag' || kind === 'table';

/** Returns true when the user chose between options or answered a plan, and nothing was built yet. */
export function isDecision({ evidence }: Turn): boolean {
  return (
    evidence.changes.length === 0 &&
    (evidence.plans.length > 0 || evidence.choices.some(({ rejected }) => rejected.length > 0))
  );
}

/** Returns the type that the commit message or the headings of the closing message name. */
function readReportedType({ evidence, claims }: Turn): ObservationType | null {
  for (const { message, source } of evidence.commits) {
    const prefix = /^(fix|feat|refactor|perf|docs|chore|test|style|build|ci)(?:\([^)]*\))?!?:/i
      .exec(message)?.[1]
      ?.toLowerCase();
    if (source !== 'created') continue;
    if (prefix === 'fix') return 'bugfix';
    if (prefix === 'feat') return 'feature';
    if (prefix === 'refactor') return 'refactor';
    if (
      prefix === 'perf' ||
      prefix === 'chore' ||
      prefix === 'docs' ||
      prefix === 'style' ||
      prefix === 'ci' ||
      prefix === 'build' ||
      prefix === 'test'
    ) {
      return REQUESTS_REFACTORING.test(message) ||
        (/\b(?:remove|drop|delete)\b/i.test(message) && evidence.filesDeleted.length > 0)
        ? 'refactor'
        : 'change';
    }
    if (/^fix(?:e[sd])?\b/i.test(message)) return 'bugfix';
  }
  const changes = claims.filter(({ role }) => role === 'change');
  const isFix = (text: string) =>
    /^(?:the )?(?:root cause|fix(?:ed|es)?|the fix)\b|^(?:problem|cause)\s*[:：]|修正|修复|исправлен/i.test(
      text,
    );
  if (evidence.changes.every(({ path }) => isProseFile(path))) return null;
  if (
    claims.some(
      ({ under, isReported }) =>
        !isReported &&
        under.some((heading) => /^(?:the )?(?:root cause|bug|cause)\b|^fix(?:ed)?\b/i.test(heading)),
    )
  )
    return 'bugfix';
  return changes.slice(0, 3).some(({ text }) => isFix(text)) ? 'bugfix' : null;
}
