import { alignColumns } from './align-columns.js';
import { MIN_SESSIONS, type HoldoutComparison } from './compare-holdout.js';

/** Formats the counts of both groups. The differences are shown only when the groups are large enough. */
export function renderHoldout({ withInjections, withoutInjections, differences }: HoldoutComparison): string {
  const rows = [
    ['', 'with injections', 'without', ...(differences ? ['difference per session (95% interval)'] : [])],
    ['sessions', String(withInjections.sessions), String(withoutInjections.sessions)],
    ...MEASURES.map(([measure, name]) => [
      name,
      String(withInjections.totals[measure]),
      String(withoutInjections.totals[measure]),
      ...(differences ? [formatDifference(differences[measure])] : []),
    ]),
  ];
  return [
    'Holdout: ended sessions that began while CLAUDE_MEM_HOLDOUT was on.',
    ...alignColumns(rows),
    differences === null
      ? `Not compared: each group needs at least ${MIN_SESSIONS} sessions.`
      : 'An interval that contains 0 shows no difference.',
  ].join('\n');
}

const MEASURES = [
  ['turns', 'turns'],
  ['repeatedReads', 'files read again in a later turn'],
  ['failedCommands', 'failed commands'],
] as const;

const formatDifference = ({ mean, from, to }: { mean: number; from: number; to: number }) =>
  `${mean.toFixed(2)} (${from.toFixed(2)} to ${to.toFixed(2)})`;
