import type { HealthDetail } from '@claude-mem/worker-protocol';
import { counted } from '../../format/counted.js';

export type Tone = 'good' | 'warning' | 'bad' | 'wait';

/** Returns the overall state as one line. */
export function formatStatus(health: Pick<HealthDetail, 'status' | 'problems' | 'reason'>): {
  tone: Tone;
  text: string;
} {
  const { status, problems, reason } = health;
  if (status === 'failed') return { tone: 'bad', text: 'The worker has failed' };
  if (status === 'starting')
    return {
      tone: 'wait',
      text: reason === undefined ? 'The worker is starting' : 'The worker is not ready',
    };
  const urgent = problems.filter(({ severity }) => severity !== 'info');
  const noun = urgent.every(({ severity }) => severity === 'warning') ? 'warning' : 'problem';
  if (urgent.length > 0) return { tone: 'warning', text: `Running, ${counted(urgent.length, noun)}` };
  return { tone: 'good', text: 'No problems' };
}

/** Labels of event outcomes, in display order. */
export const OUTCOME_LABELS = [
  ['stored', 'Recorded'],
  ['evidence', 'Used as context'],
  ['empty', 'Without records'],
  ['filtered', 'Filtered by a rule'],
  ['dropped', 'Dropped manually'],
] as const;

/** Facts about the database file. All values are null until the worker is ready. */
export interface StorageFacts {
  file: string | null;
  databaseBytes: number | null;
  walBytes: number | null;
  schemaVersion: number | null;
  lastCheckEpoch: number | null;
  lastBackupEpoch: number | null;
  recoveryNotice: string | null;
  quarantined: readonly string[];
}

export function storageFactsOf(storage: HealthDetail['storage']): StorageFacts {
  const number = (name: string) => (typeof storage[name] === 'number' ? storage[name] : null);
  const text = (name: string) => (typeof storage[name] === 'string' ? storage[name] : null);
  const files = storage['quarantined'];
  return {
    file: text('file'),
    databaseBytes: number('databaseBytes'),
    walBytes: number('walBytes'),
    schemaVersion: number('schemaVersion'),
    lastCheckEpoch: number('lastCheckEpoch'),
    lastBackupEpoch: number('lastBackupEpoch'),
    recoveryNotice: text('recoveryNotice'),
    quarantined: Array.isArray(files) ? files.filter((file): file is string => typeof file === 'string') : [],
  };
}
