import type { HealthDetail } from '@claude-mem/worker-protocol';
import { counted } from '../../format/counted.js';

export type Tone = 'good' | 'look' | 'bad' | 'wait';

/** The state of all of it in one sentence. */
export function overallOf(health: Pick<HealthDetail, 'status' | 'problems' | 'reason'>): {
  tone: Tone;
  words: string;
} {
  const { status, problems, reason } = health;
  if (status === 'failed') return { tone: 'bad', words: 'The memory does not work' };
  if (status === 'starting')
    return {
      tone: 'wait',
      words: reason === undefined ? 'The worker is starting' : 'The worker is not ready',
    };
  const urgent = problems.filter(({ severity }) => severity !== 'info').length;
  if (urgent > 0) return { tone: 'look', words: `Works, with ${counted(urgent, 'problem')}` };
  return { tone: 'good', words: 'Everything works' };
}

/** What became of the events, in the order in which one asks for it. */
export const OUTCOME_WORDS = [
  ['stored', 'Recorded'],
  ['evidence', 'Used as evidence only'],
  ['empty', 'Without records'],
  ['filtered', 'Filtered by a rule'],
  ['dropped', 'Dropped manually'],
] as const;

/** What storage says of itself, as far as it is there: while not ready there is none. */
export interface StorageFacts {
  file: string | null;
  databaseBytes: number | null;
  walBytes: number | null;
  schemaVersion: number | null;
  lastCheckEpoch: number | null;
  lastBackupEpoch: number | null;
  recoveryNotice: string | null;
  keptAside: readonly string[];
}

export function storageFactsOf(storage: HealthDetail['storage']): StorageFacts {
  const number = (name: string) => (typeof storage[name] === 'number' ? storage[name] : null);
  const text = (name: string) => (typeof storage[name] === 'string' ? storage[name] : null);
  const kept = storage['keptAside'];
  return {
    file: text('file'),
    databaseBytes: number('databaseBytes'),
    walBytes: number('walBytes'),
    schemaVersion: number('schemaVersion'),
    lastCheckEpoch: number('lastCheckEpoch'),
    lastBackupEpoch: number('lastBackupEpoch'),
    recoveryNotice: text('recoveryNotice'),
    keptAside: Array.isArray(kept) ? kept.filter((file): file is string => typeof file === 'string') : [],
  };
}
