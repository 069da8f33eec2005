import { useRef, type RefObject } from 'react';
import { recordActions } from '../../records/record-actions.js';
import { useKeys } from '../../ui/use-keys.js';
import type { FeedView } from './create-feed.js';

/** Maximum time until a row is rendered after scrolling. */
const KEY_TIMEOUT_MS = 2_000;

/**
 * Handles keys: `j`, `k` and the arrow keys move between cards; `p`, `e` and Delete act on the focused card.
 * @returns focuses a row as soon as it is rendered
 */
export function useFeedKeys({
  view,
  list,
  reveal,
  first,
  activeIndex,
}: {
  view: FeedView;
  list: RefObject<HTMLElement | null>;
  reveal: (index: number) => void;
  first: number;
  activeIndex: number | null;
}): (index: number) => void {
  const hasFocus = () => list.current?.contains(document.activeElement) === true;
  const latestRequest = useRef<object>(null);
  const focus = (index: number) => {
    const request = { until: performance.now() + KEY_TIMEOUT_MS };
    latestRequest.current = request;
    const tryFocus = () => {
      if (latestRequest.current !== request) return;
      const link = list.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-record-link]`);
      if (link) link.focus({ preventScroll: true });
      else if (performance.now() < request.until) requestAnimationFrame(tryFocus);
    };
    tryFocus();
  };
  const move = (event: KeyboardEvent, by: number) => {
    if (view.count === 0) return;
    event.preventDefault();
    const from = hasFocus() && activeIndex !== null ? activeIndex + by : first;
    const to = Math.min(view.count - 1, Math.max(0, from));
    reveal(to);
    focus(to);
  };
  const moveFromCard = (event: KeyboardEvent, by: number) => {
    if (hasFocus()) move(event, by);
  };
  const act = (run: (observation: Parameters<typeof recordActions.edit>[0]) => void) => () => {
    const entry = hasFocus() && activeIndex !== null ? view.entryAt(activeIndex) : null;
    if (entry?.kind === 'observation') run(entry.item);
  };
  useKeys({
    j: (event) => move(event, 1),
    k: (event) => move(event, -1),
    ArrowDown: (event) => moveFromCard(event, 1),
    ArrowUp: (event) => moveFromCard(event, -1),
    p: act((observation) => void recordActions.setPinned(observation, !observation.pinned)),
    e: act((observation) => recordActions.edit(observation)),
    Delete: act((observation) => void recordActions.forget([observation])),
  });
  return focus;
}
