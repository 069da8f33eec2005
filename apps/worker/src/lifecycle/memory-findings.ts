import type { QueueCounts } from '@claude-mem/core';
import type { OpenMemory } from '../open-memory.js';
import type { Finding } from './finding.js';

/** What the parts of an open memory say about themselves, and what a person can do. */
export async function memoryFindings(memory: OpenMemory): Promise<Finding[]> {
  const { observing, contextFiles, searching } = memory;
  const capture = memory.captureProblem();
  const search = await searching.findings().catch(() => []);
  return [
    ...(capture === null ? [] : [captureFinding(capture)]),
    ...observing.notices().map((message) => observerFinding(message, observing.state())),
    ...contextFiles.problems().map(contextFileFinding),
    ...search,
  ];
}

const captureFinding = (message: string): Finding => ({
  code: 'capture-failing',
  severity: 'error',
  message,
  action:
    'Look for free space and for who else writes the database; the events are taken in by themselves then.',
  link: 'logs',
});

/** Sentences about budgets name the setting that raises them. */
const isOfBudget = (message: string) => message.includes('CLAUDE_MEM_BUDGET_');

function observerFinding(
  message: string,
  { provider, providers }: ReturnType<OpenMemory['observing']['state']>,
): Finding {
  const isObserving = providers.some(({ name, state }) => name === provider && state === 'works');
  return {
    code: isOfBudget(message) ? 'budget-used-up' : 'observer-held-back',
    severity: 'warning',
    message,
    action: isObserving
      ? `Meanwhile ${provider} observes.`
      : 'Events are kept. To go on without a model: claude-mem settings set CLAUDE_MEM_PROVIDER local',
    link: isOfBudget(message) ? 'usage' : 'settings',
  };
}

const contextFileFinding = (message: string): Finding => ({
  code: 'context-file',
  severity: 'warning',
  message,
  action: 'In the project, claude-mem context --files says what is kept where.',
  link: 'settings',
});

export function queueFindings({ parked, orphans }: QueueCounts): Finding[] {
  return [...(parked > 0 ? [parkedFinding(parked)] : []), ...(orphans > 0 ? [orphansFinding(orphans)] : [])];
}

const parkedFinding = (count: number): Finding => ({
  code: 'queue-parked',
  severity: 'warning',
  message: `${count === 1 ? 'One event is' : `${count} events are`} parked after failed attempts.`,
  action: 'See why: claude-mem queue list --status parked; then: claude-mem queue retry --parked',
  notice: `${count === 1 ? 'One event is' : `${count} events are`} parked after failed attempts: look at them with "claude-mem queue", then retry or drop them.`,
  link: 'queue',
});

const orphansFinding = (count: number): Finding => ({
  code: 'queue-orphans',
  severity: 'info',
  message:
    count === 1 ? 'A queued event belongs to no session.' : `${count} queued events belong to no session.`,
  action: 'Nobody will observe them: drop them, or leave them.',
  link: 'queue',
});

export const spoolFinding = (rejected: number): Finding => ({
  code: 'spool-rejected',
  severity: 'warning',
  message:
    rejected === 1
      ? 'A spooled event could not be used; it is in spool/rejected.'
      : `${rejected} spooled events could not be used; they are in spool/rejected.`,
  action: 'Look at them there and delete what is not needed; after 14 days they are deleted by themselves.',
});

export const uncountedFinding = (reason: string): Finding => ({
  code: 'queue-unreadable',
  severity: 'error',
  message: `The queue cannot be read: ${reason}.`,
  action: 'Run: claude-mem doctor',
  link: 'logs',
});

export const notReadyFinding = (reason: string): Finding => ({
  code: 'not-ready',
  severity: 'error',
  message: reason,
  action: 'Run: claude-mem doctor, then claude-mem restart',
  link: 'logs',
});
