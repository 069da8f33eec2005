import type { RouteReply, TimelineItem } from '@claude-mem/worker-protocol';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { worker } from '../../api/worker.js';

const AROUND = 15;
const MORE = 40;

/** A part of the timeline, oldest first. */
export interface TimelinePart {
  items: readonly TimelineItem[];
  /** Index of the anchor. Null in a part that was loaded later. */
  anchorIndex: number | null;
  hasEarlier: boolean;
  hasLater: boolean;
  degraded: RouteReply<'timeline'>['degraded'];
}

interface PartRequest {
  anchor: string;
  before: number;
  after: number;
}

/** Requests the records around an anchor. Earlier and later parts are loaded on demand. */
export function timelineQuery({ anchor, project }: { anchor: string; project?: string | undefined }) {
  return infiniteQueryOptions({
    queryKey: ['timeline', { anchor, project }] as const,
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...pageParam, ...(project === undefined ? {} : { project: [project] }) };
      return toTimelinePart(await worker.timeline({ query }, { signal }), pageParam);
    },
    initialPageParam: { anchor, before: AROUND, after: AROUND } as PartRequest,
    getPreviousPageParam: ({ items, hasEarlier }) =>
      requestFrom(items[0], hasEarlier, { before: MORE, after: 0 }),
    getNextPageParam: ({ items, hasLater }) =>
      requestFrom(items.at(-1), hasLater, { before: 0, after: MORE }),
  });
}

export function toTimelinePart(
  { items, anchorIndex, degraded }: Pick<RouteReply<'timeline'>, 'items' | 'anchorIndex' | 'degraded'>,
  { anchor, before, after }: PartRequest,
): TimelinePart {
  const at = anchorIndex ?? 0;
  const anchored = items[at];
  const isRecord = anchored !== undefined && anchorOf(anchored) === normal(anchor);
  const behind = items.length - at - (isRecord ? 1 : 0);
  const isAdded = before === 0 || after === 0;
  return {
    items: isAdded && isRecord ? items.filter((item) => item !== anchored) : items,
    anchorIndex: isAdded || !isRecord ? null : anchorIndex,
    hasEarlier: before > 0 && at >= before,
    hasLater: after > 0 && behind >= after,
    degraded,
  };
}

function anchorOf({ kind, item }: TimelineItem): string {
  return `${{ observation: '', summary: 'S', prompt: 'P' }[kind]}${item.id}`;
}

const normal = (anchor: string) => anchor.trim().replace(/[#\s]/g, '').toUpperCase();

function requestFrom(
  item: TimelineItem | undefined,
  hasMore: boolean,
  reach: Omit<PartRequest, 'anchor'>,
): PartRequest | null {
  return item === undefined || !hasMore ? null : { anchor: anchorOf(item), ...reach };
}
