import { formatCodeSpan, truncate } from '@claude-mem/core';
import type { Claim } from './claims.js';
import { isRepetition } from './create-facts.js';
import { isFormality } from './is-formality.js';
import { readPlanOfTurn } from './read-plan-of-turn.js';
import { firstSentences, formatSource } from './read-request.js';
import { unquoted } from './text/unquoted.js';
import { FAULT, HEDGE } from './text/lexicon.js';
import type { Turn } from './turn.js';
import { AGENT, withoutAgent } from './unprovable.js';

const LENGTH = 1_000;

/**
 * Creates the narrative: the reason of the task, the sentences of the agent with the most support by the evidence, the
 * question of the user, and how the turn ended.
 */
export function createNarrative(turn: Turn, facts: readonly string[]): string | null {
  const parts: string[] = [];
  const add = (text: string | null) => {
    if (text === null || text === '') return;
    if (parts.some((part) => isRepetition(part, text)) || facts.some((fact) => fact.includes(text))) return;
    if (parts.join(' ').length + text.length < LENGTH) parts.push(text);
  };
  const reason = findReason(turn);
  add(reason);
  const sentences = reportedSentences(turn, facts);
  for (const text of sentences) add(text);
  if (sentences.length === 0) add(planGoal(turn));
  if (reason === null) add(findQuestion(turn));
  for (const text of describeEnd(turn)) add(text);
  return parts.length === 0
    ? null
    : truncate(turn.clean(parts.map(withStop).join(' '), LENGTH + 200), LENGTH + 200);
}

/** Returns the reason of the work in the words of the plan, the issue or the commit. */
function findReason({ request, evidence }: Turn): string | null {
  const { plan, document } = request;
  if (plan?.reason) return `Plan: “${unquoted(firstSentences(plan.reason, 360))}”`;
  if (document?.reason)
    return `${formatSource(document)}: “${unquoted(firstSentences(document.reason, 360))}”`;
  const body = evidence.commits.find(({ source, body }) => source === 'created' && body !== null)?.body;
  return body && !request.isBare ? `Commit message: “${unquoted(firstSentences(body, 360))}”` : null;
}

/** Returns the prompt when it asks a question or reports a fault and the record does not contain the cause. */
function findQuestion({ request, evidence, claims }: Turn): string | null {
  if (request.isBare || request.prompt.length < 20 || request.prompt.startsWith('/')) return null;
  if (!(FAULT.test(request.prompt) || /[?？]/.test(request.prompt))) return null;
  const hasCause = claims.some(
    ({ role, isCause, form }) => isCause && form === 'sentence' && (role === 'change' || role === 'finding'),
  );
  return hasCause && evidence.changes.length > 0
    ? null
    : `The user asked: “${unquoted(firstSentences(request.prompt, 240))}”`;
}

const planGoal = (turn: Turn) => {
  const goal = turn.evidence.changes.length > 0 ? null : (readPlanOfTurn(turn)?.goal ?? null);
  return goal === null ? null : `Plan: “${unquoted(firstSentences(goal, 360))}”`;
};

/**
 * Matches a lead-in that forms one sentence with each item below it. Such an item is not complete without the lead-in.
 */
const IN_A_SENTENCE = /\b(?:like|such as|including|e\.g\.|for example|if|when|since|because|either)$/i;

/** Returns the best sentences in their order, with a label before the first one that only the agent reports. */
function reportedSentences({ claims, evidence }: Turn, facts: readonly string[]): string[] {
  const isChange = evidence.changes.length > 0;
  const best = claims
    .filter(
      ({ text }) =>
        !isFormality(text) &&
        !facts.some((fact) =>
          fact.includes(
            withoutAgent(text)
              .replace(/[.;。]$/, '')
              .slice(0, 120),
          ),
        ),
    )
    .filter(
      ({ role, form, text }) =>
        (role === 'change' || role === 'finding' || role === 'guess') &&
        form !== 'row' &&
        form !== 'code' &&
        text.length < 500,
    )
    .filter(
      ({ form, isCause, isLimit, isEmphasized, role, under }) =>
        form === 'sentence' ||
        ((isCause || isLimit || isEmphasized) && !IN_A_SENTENCE.test(under.at(-1) ?? '')) ||
        role === 'guess',
    )
    .map((claim) => ({ claim, worth: worthOf(claim) }))
    .sort((a, b) => b.worth - a.worth)
    .slice(0, 7)
    .map(({ claim }) => claim)
    .sort((a, b) => a.order - b.order);
  const isShown = (claim: Claim) =>
    claim.isReported || (claim.role === 'change' && isChange && claim.isOnChange);
  const first = best.findIndex((claim) => !isShown(claim));
  const shown = first === -1 ? best : best.slice(0, first);
  // All sentences after the label are statements of the agent, so one label is sufficient.
  const reported = formatSentences(best.slice(shown.length));
  return [...shown.map(({ text }) => withStop(text)), ...(reported === '' ? [] : [`${AGENT}: ${reported}`])];
}

/** Formats the sentences in their order. Guesses of one list are combined. */
function formatSentences(claims: readonly Claim[]): string {
  const texts: string[] = [];
  for (const claim of claims) {
    const text =
      claim.role === 'guess'
        ? combineGuesses(
            claims.filter(({ role, under }) => role === 'guess' && under.at(-1) === claim.under.at(-1)),
          )[0]!
        : claim.text;
    if (!texts.includes(withStop(text))) texts.push(withStop(text));
  }
  return texts.join(' ');
}

/** Combines the guesses of one list after the line that introduces them. */
function combineGuesses(claims: readonly Claim[]): string[] {
  const groups = new Map<string, string[]>();
  for (const { text, under, form } of claims.slice(0, 4)) {
    const heading = form === 'sentence' ? '' : (under.at(-1) ?? '');
    const key = HEDGE.test(heading) && heading.length < 100 ? `${heading}: ` : text;
    groups.set(key, [...(groups.get(key) ?? []), text.replace(/[.;]$/, '')]);
  }
  return [...groups].map(([key, texts]) => withStop(key.endsWith(': ') ? key + texts.join('; ') : key));
}

function worthOf({ isCause, isLimit, isEmphasized, isSupported, form, role, order }: Claim): number {
  return (
    (isCause ? 3 : 0) +
    (isLimit ? 2 : 0) +
    (isEmphasized ? 2 : 0) +
    (isSupported ? 2 : 0) +
    (form === 'sentence' ? 2 : 0) +
    (role === 'change' ? 1 : 0) -
    order * 0.1
  );
}

/**
 * Describes the end of the turn: a plan without edits, failed edits or an interruption. The effects of unknown tools
 * are not described.
 */
export function describeEnd({ evidence, isInterrupted }: Turn): string[] {
  const limits: string[] = [];
  const plan = evidence.changes.length > 0 ? undefined : evidence.plans.at(-1);
  if (plan !== undefined)
    limits.push(`The plan was ${plan.outcome === 'approved' ? 'approved' : 'not approved'}.`);
  for (const { path, reason } of evidence.failedWrites.slice(0, 2)) {
    if (reason !== 'failed' || evidence.edits.length === 0)
      limits.push(`An edit of ${formatCodeSpan(path)} ${ENDS[reason]}.`);
  }
  if (isInterrupted) limits.push('The turn was interrupted.');
  return limits;
}

const ENDS = { refused: 'was refused by the user', 'not permitted': 'was not permitted', failed: 'failed' };

export const withStop = (text: string): string => (/[.!?。！？…][”"]?$/.test(text) ? text : `${text}.`);
