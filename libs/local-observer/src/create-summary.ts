import { truncate, type SummaryDraft } from '@claude-mem/core';
import { formatAnswer } from './format-answer.js';
import { checkFacts, commitFacts, gitFacts, reasonFacts, isRepetition, userFacts } from './create-facts.js';
import { describeEnd, withStop } from './create-narrative.js';
import { readDecision } from './read-decision.js';
import { requestedTitle } from './evidence-title.js';
import { fileLists } from './file-lists.js';
import type { Claim } from './claims.js';
import { listOpenFailures } from './list-open-failures.js';
import { formatRequest, REQUEST_LENGTH } from './read-request.js';
import { unquoted } from './text/unquoted.js';
import { formatPath } from './short-path.js';
import { ANNOUNCEMENT, CAUSE, PROMISE_TO_REMEMBER, UNCHANGED } from './text/lexicon.js';
import { splitSentences } from './text/split-sentences.js';
import type { Turn } from './turn.js';
import { AGENT, withoutAgent } from './unprovable.js';

const LENGTH = 600;
/** Maximum length in UTF-16 code units of the answer of a turn without edits. No other record contains that answer. */
const ANSWER_LENGTH = 800;

/**
 * Creates the summary of a turn.
 * @param title title of the main observation, or null
 */
export function createSummary(turn: Turn, title: string | null): SummaryDraft {
  const { evidence, clean } = turn;
  const { filesRead, filesModified } = fileLists(evidence);
  const field = (parts: readonly (string | null)[], length = LENGTH) => {
    const text = clean(
      parts
        .filter((part) => part !== null && part !== '')
        .map((part) => withStop(part!))
        .join(' '),
      length,
    );
    return text === '' ? null : truncate(text, length);
  };
  return {
    request: clean(formatRequest(turn.request, title), REQUEST_LENGTH) || null,
    investigated: field(investigated(turn)),
    learned: field(learned(turn, title), ANSWER_LENGTH + 200),
    completed: field(completed(turn, title)),
    nextSteps: field(nextSteps(turn)),
    notes: field(notes(turn)),
    filesRead,
    filesEdited: filesModified,
  };
}

function investigated({ evidence }: Turn): string[] {
  const parts: string[] = [];
  const changed = new Set(evidence.changes.map(({ path }) => path));
  const read = [...evidence.filesRead].sort((a, b) => Number(changed.has(a)) - Number(changed.has(b)));
  if (read.length > 0) parts.push(`Read ${some(read.map(formatPath), 5)}`);
  const patterns = [...new Set(evidence.searches.map(({ pattern }) => `\`${pattern}\``))];
  if (patterns.length > 0) parts.push(`Searched for ${some(patterns, 4)}`);
  const refused = new Set(evidence.rejections.map(({ at }) => at));
  const runs = evidence.commands
    .filter((run) => run.kind === 'run' && !run.isScratch && !run.isUsageError && !refused.has(run.at))
    .map(({ purpose, displayLine }) => purpose ?? `\`${displayLine}\``);
  if (runs.length > 0) parts.push(`Ran: ${some([...new Set(runs)], 3)}`);
  const pages = [...new Set(evidence.lookups.map(({ query }) => query))];
  if (pages.length > 0) parts.push(`Looked up ${some(pages, 3)}`);
  const tasks = evidence.agentResults.map(({ task }) => task).filter(Boolean);
  if (tasks.length > 0) parts.push(`Sub-agents: ${some(tasks, 3)}`);
  return parts;
}

function learned(turn: Turn, title: string | null): string[] {
  const { evidence } = turn;
  const errors = evidence.fixes
    .filter(({ isPreexisting }) => isPreexisting || evidence.changes.length === 0)
    .slice(0, 1)
    .map(({ failed }) => `\`${failed.displayLine}\` failed with: “${unquoted(failed.error ?? '')}”`);
  if (evidence.changes.length === 0) {
    const answer = formatAnswer(turn, ANSWER_LENGTH);
    return [...(answer === null ? [] : [`${AGENT}: ${answer}`]), ...errors];
  }
  const claims = turn.claims.filter(({ text }) => title === null || !isRepetition(title, text));
  const causes = claims
    .filter(
      ({ role, isCause, isSupported, text }) =>
        isSupported && ((role === 'finding' && isCause) || (role === 'change' && CAUSE.test(text))),
    )
    .map(({ text }) => text);
  if (causes.length + errors.length > 0) return [...byAgent([...new Set(causes.slice(0, 2))]), ...errors];
  const settled = readDecision(turn)?.sentence ?? null;
  if (settled !== null) return [`${AGENT}: ${settled}`];
  const [found] = selectStatements(claims);
  return found === undefined ? reasonFacts(turn).filter(isReason).slice(0, 1) : byAgent([found]);
}

const byAgent = (texts: readonly string[]): string[] =>
  texts.length === 0 ? [] : [`${AGENT}: ${texts.map((text) => withStop(withoutAgent(text))).join(' ')}`];

/** Matches a comment that gives a reason instead of a description of the next lines. */
const isReason = (fact: string) =>
  CAUSE.test(fact) && fact.length <= 300 && !/“(?:verify|check|test|ensure)\b/i.test(fact);

/** Returns the statements about the current state that contain a name of this turn. */
function selectStatements(claims: readonly Claim[]): string[] {
  return claims
    .filter(
      ({ role, form, isSupported, isLimit }) =>
        role === 'finding' && form === 'sentence' && isSupported && !isLimit,
    )
    .map(({ text }) => text);
}

function completed(turn: Turn, title: string | null): (string | null)[] {
  const { evidence } = turn;
  if (evidence.changes.length === 0)
    return [...commitFacts(turn), ...gitFacts(turn), ...userFacts(turn).map(withUser)];
  const files =
    evidence.filesModified.length > 0 ? `Changed ${some(evidence.filesModified.map(formatPath), 5)}` : null;
  const gone =
    evidence.filesDeleted.length > 0 ? `Deleted ${some(evidence.filesDeleted.map(formatPath), 4)}` : null;
  // The quoted request is not completed work.
  const done = title === requestedTitle(turn) ? null : title;
  return [done, files, gone, ...checkFacts(turn), ...commitFacts(turn), ...gitFacts(turn)];
}

/** Names the user, because a summary shows no labels of origins. */
const withUser = (fact: string) => `User ${fact[0]!.toLowerCase()}${fact.slice(1)}`;

function nextSteps(turn: Turn): string[] {
  const { claims, evidence } = turn;
  const reported = claims.filter(({ role }) => role === 'next').map(({ text }) => text);
  const asked = claims.filter(
    ({ role, text }) =>
      role === 'question' &&
      !/^(?:what would you like(?: me)? to (?:do|work)|anything else|is there anything|let me know|feel free|reply with|ready (?:to|for))/i.test(
        text,
      ),
  );
  const questions = asked.filter(({ under }) => under.join() === asked.at(-1)?.under.join()).slice(-2);
  const openTasks = evidence.todos.filter(({ status }) => status !== 'completed').map(({ text }) => text);
  const boxes = evidence.pullRequests.flatMap(({ openTasks }) => openTasks);
  const parts: string[] = [];
  const source = evidence.changes.length > 0 ? 'The agent left open' : 'The agent proposed';
  if (reported.length > 0) parts.push(quoted(source, reported.slice(0, 4)));
  if (questions.length > 0)
    parts.push(
      quoted(
        'The agent asked',
        questions.map(({ text }) => text),
      ),
    );
  const announced = findAnnouncement(turn);
  if (announced !== null) parts.push(quoted('The turn ended with', [announced]));
  if (boxes.length > 0) parts.push(quoted('Open in the pull request', boxes.slice(0, 4)));
  if (openTasks.length > 0 && reported.length < 3)
    parts.push(quoted("Open in the agent's to-do list", openTasks.slice(0, 4)));
  parts.push(
    ...listOpenFailures(turn)
      .filter((text) => text.includes('still failed'))
      .slice(0, 1),
  );
  if (evidence.changes.length === 0 && evidence.plans.length > 0) {
    parts.push(
      evidence.plans.at(-1)!.outcome === 'approved'
        ? 'Carry out the approved plan'
        : 'Revise the plan and have it approved',
    );
  }
  return parts;
}

/** Returns the last sentences of the closing message when they announce the next step of the agent. */
function findAnnouncement({ batch }: Turn): string | null {
  const sentences = splitSentences((batch.closing?.lastAssistantMessage ?? '').slice(-2_000));
  const last = sentences.at(-1) ?? '';
  if (!ANNOUNCEMENT.test(last) || PROMISE_TO_REMEMBER.test(last)) return null;
  const before = sentences.at(-2) ?? '';
  return (ANNOUNCEMENT.test(before) ? `${before} ${last}` : last).replace(/[:：]$/, '');
}

/** Formats statements of one source, each in its own quotation marks. */
const quoted = (source: string, texts: readonly string[]): string =>
  `${source}: ${texts.map((text) => `“${unquoted(text.replace(/[.;。]$/, ''))}”`).join('; ')}.`;

function notes(turn: Turn): string[] {
  const remaining = turn.evidence.changes.length > 0 ? findRemainingWork(turn).slice(0, 2) : [];
  return [...describeEnd(turn), ...remaining.map((text) => `${AGENT}: ${text}`)];
}

/** Returns the statements of the agent about remaining work and limitations. */
function findRemainingWork({ claims }: Turn): string[] {
  return claims
    .filter(
      ({ role, form, isCause, isReported, text }) =>
        !isReported &&
        (role === 'finding' || role === 'change') &&
        form === 'sentence' &&
        !isCause &&
        UNCHANGED.test(text) &&
        !/^(?:if|when|while|problem|root cause|cause|issue|before)\b/i.test(text),
    )
    .map(({ text }) => text);
}

function some(list: readonly string[], most: number): string {
  return list.slice(0, most).join(', ') + (list.length > most ? ` and ${list.length - most} more` : '');
}
