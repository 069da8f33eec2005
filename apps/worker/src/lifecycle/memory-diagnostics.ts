import type { QueueCounts } from '@claude-mem/core';
import type { OpenMemory } from '../open-memory.js';
import type { Diagnostic } from './diagnostic.js';

/** Returns the problems of an open memory, with an action for each. */
export async function memoryDiagnostics(memory: OpenMemory): Promise<Diagnostic[]> {
  const { observer, contextFiles, searching } = memory;
  const capture = memory.commit.problem();
  const search = await searching.diagnostics().catch(() => []);
  return [
    ...(capture === null ? [] : [captureDiagnostic(capture)]),
    ...observer.notices().map((message) => observerDiagnostic(message, observer.state())),
    ...contextFiles.problems().map(contextFileDiagnostic),
    ...search,
  ];
}

const captureDiagnostic = (message: string): Diagnostic => ({
  code: 'capture-failing',
  severity: 'error',
  message,
  action:
    'Free disk space and close other programs that write to the database. Events are stored automatically afterwards.',
  link: 'logs',
});

/** Messages about budgets contain the name of their setting. */
const isOfBudget = (message: string) => message.includes('CLAUDE_MEM_BUDGET_');

function observerDiagnostic(
  message: string,
  { provider, providers }: ReturnType<OpenMemory['observer']['state']>,
): Diagnostic {
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

const contextFileDiagnostic = (message: string): Diagnostic => ({
  code: 'context-file',
  severity: 'warning',
  message,
  action: 'To list the context files, run in the project: claude-mem context --files',
  link: 'settings',
});

export function queueDiagnostics({ parked, orphans }: QueueCounts): Diagnostic[] {
  return [
    ...(parked > 0 ? [parkedDiagnostic(parked)] : []),
    ...(orphans > 0 ? [orphansDiagnostic(orphans)] : []),
  ];
}

const parkedDiagnostic = (count: number): Diagnostic => ({
  code: 'queue-parked',
  severity: 'warning',
  message: `${count === 1 ? 'One event is' : `${count} events are`} parked after failed attempts.`,
  action:
    'To see the reasons: claude-mem queue list --status parked. To retry: claude-mem queue retry --parked',
  notice: `${count === 1 ? 'One event is' : `${count} events are`} parked after failed attempts. To see the reasons: claude-mem queue list --status parked`,
  link: 'queue',
});

const orphansDiagnostic = (count: number): Diagnostic => ({
  code: 'queue-orphans',
  severity: 'info',
  message: count === 1 ? 'One queued event has no session.' : `${count} queued events have no session.`,
  action: 'These events cannot be observed. Drop them on the queue page of the viewer, or ignore them.',
  link: 'queue',
});

export const spoolDiagnostic = (rejected: number): Diagnostic => ({
  code: 'spool-rejected',
  severity: 'warning',
  message:
    rejected === 1
      ? 'One spool file was rejected. It is in spool/rejected.'
      : `${rejected} spool files were rejected. They are in spool/rejected.`,
  action:
    'Inspect the files and delete those that you do not need. Rejected files are deleted after 14 days.',
});

export const uncountedDiagnostic = (reason: string): Diagnostic => ({
  code: 'queue-unreadable',
  severity: 'error',
  message: `The queue cannot be read: ${reason}.`,
  action: 'Run: claude-mem doctor',
  link: 'logs',
});

export const notReadyDiagnostic = (reason: string): Diagnostic => ({
  code: 'not-ready',
  severity: 'error',
  message: reason,
  action: 'Run: claude-mem doctor, then claude-mem restart',
  link: 'logs',
});
