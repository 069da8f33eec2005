import type { HealthDetail } from '@claude-mem/worker-protocol';
import { counted } from '../../format/counted.js';

export type Tone = 'good' | 'warning' | 'bad' | 'wait';

/** Returns the overall state as one line. */
export function overallOf(health: Pick<HealthDetail, 'status' | 'problems' | 'reason'>): {
  tone: Tone;
  words: string;
} {
  const { status, problems, reason } = health;
  if (status === 'failed') return { tone: 'bad', words: 'The worker has failed' };
  if (status === 'starting')
    return {
      tone: 'wait',
      words: reason === undefined ? 'The worker is starting' : 'The worker is not ready',
    };
  const urgent = problems.filter(({ severity }) => severity !== 'info');
  const noun = urgent.every(({ severity }) => severity === 'warning') ? 'warning' : 'problem';
  if (urgent.length > 0) return { tone: 'warning', words: `Running, ${counted(urgent.length, noun)}` };
  return { tone: 'good', words: 'No problems' };
}

/** Labels of event outcomes, in display order. */
export const OUTCOME_WORDS = [
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
  const kept = storage['quarantined'];
  return {
    file: text('file'),
    databaseBytes: number('databaseBytes'),
    walBytes: number('walBytes'),
    schemaVersion: number('schemaVersion'),
    lastCheckEpoch: number('lastCheckEpoch'),
    lastBackupEpoch: number('lastBackupEpoch'),
    recoveryNotice: text('recoveryNotice'),
    quarantined: Array.isArray(kept) ? kept.filter((file): file is string => typeof file === 'string') : [],
  };
}
