import type { HealthDetail, QueueItem } from '@claude-mem/worker-protocol';
import { counted } from '../../format/counted.js';

export const STATUS_LABELS = { parked: 'Parked', processing: 'Running', pending: 'Waiting' } as const;

/** Returns the title of a queue item. */
export function titleOf({ kind, toolName, promptNumber }: QueueItem): string {
  return kind === 'observation' ? (toolName ?? 'Tool use') : `End of turn ${promptNumber}`;
}

/** Why all or some events are paused. */
export interface ObserverPause {
  /** False if another observer is used. */
  isAll: boolean;
  reason: string;
  untilEpoch: number | null;
  isBudget: boolean;
}

export function observerPauseOf({ observer }: Pick<HealthDetail, 'observer'>): ObserverPause | null {
  const { problem, providers } = observer;
  const isAll = !providers.some(({ state }) => state === 'works');
  const unavailableProviders = providers.filter(({ state }) => state !== 'works');
  if (problem === undefined && (!isAll || unavailableProviders.length === 0)) return null;
  const reason =
    (isAll ? unavailableProviders.find((each) => each.reason !== null)?.reason : null) ?? problem ?? '';
  const ends = unavailableProviders.flatMap(({ untilEpoch }) => untilEpoch ?? []);
  return {
    isAll,
    reason,
    untilEpoch: isAll && ends.length > 0 ? Math.min(...ends) : null,
    isBudget: /CLAUDE_MEM_BUDGET_/.test(reason),
  };
}

/** Counts items by project, largest first. */
export function countByProject(items: readonly Pick<QueueItem, 'project'>[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { project } of items) counts.set(project, (counts.get(project) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

export const formatMessageCount = (count: number) => counted(count, 'message');
