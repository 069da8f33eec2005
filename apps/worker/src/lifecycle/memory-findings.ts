import type { QueueCounts } from '@claude-mem/core';
import type { OpenMemory } from '../open-memory.js';
import type { Finding } from './finding.js';

/** Returns the problems of an open memory, with an action for each. */
export async function memoryFindings(memory: OpenMemory): Promise<Finding[]> {
  const { observer, contextFiles, searching } = memory;
  const capture = memory.commit.problem();
  const search = await searching.findings().catch(() => []);
  return [
    ...(capture === null ? [] : [captureFinding(capture)]),
    ...observer.notices().map((message) => observerFinding(message, observer.state())),
    ...contextFiles.problems().map(contextFileFinding),
    ...search,
  ];
}

const captureFinding = (message: string): Finding => ({
  code: 'capture-failing',
  severity: 'error',
  message,
  action:
    'Free disk space and close other programs that write to the database. Events are stored automatically afterwards.',
  link: 'logs',
});

/** Messages about budgets contain the name of their setting. */
const isOfBudget = (message: string) => message.includes('CLAUDE_MEM_BUDGET_');

function observerFinding(
  message: string,
  { provider, providers }: ReturnType<OpenMemory['observer']['state']>,
): Finding {
  const isObserving = providers.some(({ name, state }) => name === provider && state === 'works');
  return {
    code: isOfBudget(message) ? 'budget-used-up' : 'observer-held-back',
    severity: 'warning',
    message,
    action: isObserving
      ? `Events are observed by ${provider} until then.`
      : 'Events stay in the queue. To continue without a model, run: claude-mem settings set CLAUDE_MEM_PROVIDER local',
    link: isOfBudget(message) ? 'usage' : 'settings',
  };
}

const contextFileFinding = (message: string): Finding => ({
  code: 'context-file',
  severity: 'warning',
  message,
  action: 'To list the context files, run in the project: claude-mem context --files',
  link: 'settings',
});

export function queueFindings({ parked, orphans }: QueueCounts): Finding[] {
  return [...(parked > 0 ? [parkedFinding(parked)] : []), ...(orphans > 0 ? [orphansFinding(orphans)] : [])];
}

const parkedFinding = (count: number): Finding => ({
  code: 'queue-parked',
  severity: 'warning',
  message: `${count === 1 ? 'One event is' : `${count} events are`} parked after failed attempts.`,
  action:
    'To see the reasons: claude-mem queue list --status parked. To retry: claude-mem queue retry --parked',
  notice: `${count === 1 ? 'One event is' : `${count} events are`} parked after failed attempts. To see the reasons: claude-mem queue list --status parked`,
  link: 'queue',
});

const orphansFinding = (count: number): Finding => ({
  code: 'queue-orphans',
  severity: 'info',
  message: count === 1 ? 'One queued event has no session.' : `${count} queued events have no session.`,
  action: 'These events cannot be observed. Drop them on the queue page of the viewer, or ignore them.',
  link: 'queue',
});

export const spoolFinding = (rejected: number): Finding => ({
  code: 'spool-rejected',
  severity: 'warning',
  message:
    rejected === 1
      ? 'One spool file was rejected. It is in spool/rejected.'
      : `${rejected} spool files were rejected. They are in spool/rejected.`,
  action:
    'Inspect the files and delete those that you do not need. Rejected files are deleted after 14 days.',
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
