import { ArrowUp } from 'lucide-react';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { formatCount } from '../../format/format-number.js';
import { formatDay, startOfDay } from '../../format/format-time.js';
import { RecordBeside } from '../../records/RecordBeside.js';
import { recordKey } from '../../records/describe-record.js';
import { Button } from '../../ui/Button.js';
import { Failure } from '../../ui/Failure.js';
import { scrollerOfPage, useListTop } from '../../ui/use-list-top.js';
import { MAX_WAITING, type Feed, type FeedView } from './create-feed.js';
import { FeedRow } from './FeedRow.js';
import type { ScrollPosition } from './use-feed.js';
import { useFixedRows, type FixedRows } from './use-fixed-rows.js';
import { useFeedKeys } from './use-feed-keys.js';
import { useRowHeight } from './use-row-height.js';
import styles from './FeedList.module.css';

/** Maximum height in pixels of the bar over the list. */
const BAR_HEIGHT = 56;

/**
 * A feed of any length. Only visible rows are rendered. Visible rows do not move when rows above them are added or
 * removed.
 * @param actions shown at the end of the sticky bar
 * @param children shown between the list and its end
 */
export function FeedList({
  feed,
  view,
  scrollPosition,
  actions,
  children,
}: {
  feed: Feed;
  view: FeedView;
  scrollPosition: ScrollPosition;
  actions: ReactNode;
  children: ReactNode;
}) {
  const list = useRef<HTMLOListElement>(null);
  const height = useRowHeight();
  const listTop = useListTop(list);
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const activeIndex = activeKey === null ? null : view.indexOf(activeKey);
  const rows = useFixedRows({
    count: view.count,
    height,
    listTop,
    barHeight: BAR_HEIGHT,
    alwaysRendered: activeIndex,
    scrollPosition,
  });
  const { first, last, isAtTop } = rows;
  useScrollCompensation(view.moved * height, feed, rows);
  useEffect(() => feed.setVisibleRows({ first, last, isAtTop }), [feed, first, last, isAtTop, view]);
  const rowsNow = useEffectEvent(rows.now);
  useEffect(() => feed.follow(() => rowsNow()), [feed]);

  const focusRow = useFeedKeys({ view, list, reveal: rows.reveal, first, activeIndex });
  useFocusAfterForgetting({ activeKey, activeIndex, count: view.count, focusRow });
  const isScrollingToTop = useRef(false);
  useEffect(() => {
    if (!isScrollingToTop.current || !isAtTop || view.waiting > 0) return;
    isScrollingToTop.current = false;
    focusRow(0);
  });
  const scrollToTop = () => {
    isScrollingToTop.current = true;
    scrollerOfPage()?.scrollTo({ top: 0 });
  };

  const topEntry = view.entryAt(first);
  const shownEntry = view.entryAt(activeIndex ?? 0);
  return (
    <RecordBeside entry={shownEntry}>
      <div className={styles['bar']}>
        {topEntry === null ? (
          <span />
        ) : (
          <h2 className="one-line">{formatDay(topEntry.item.createdAtEpoch)}</h2>
        )}
        {view.waiting > 0 ? (
          <Button variant="primary" onClick={scrollToTop}>
            <ArrowUp aria-hidden size={14} />
            {formatCount(view.waiting)}
            {view.waiting === MAX_WAITING && '+'} new
          </Button>
        ) : (
          <span />
        )}
        <span className="row right">{actions}</span>
        {/* announced once, not for each new record */}
        <span role="status" className="visually-hidden">
          {view.waiting > 0 && 'New records above'}
        </span>
      </div>
      <ol
        ref={list}
        className={styles['list']}
        aria-label="Records, newest first"
        data-top={isAtTop || undefined}
        style={{ height: view.count * height }}
        onFocus={({ target }) => {
          const index = target.closest('li')?.dataset['index'];
          const entry = index === undefined ? null : view.entryAt(Number(index));
          if (entry !== null) setActiveKey(recordKey(entry));
        }}
      >
        {rows.rendered.map((index) => {
          const entry = view.entryAt(index);
          const key = entry === null ? `row-${index}` : recordKey(entry);
          return (
            <FeedRow
              key={key}
              index={index}
              entry={entry}
              isFirstOfDay={isFirstOfDay(view, index)}
              isNew={view.isNew(key)}
              isShown={entry !== null && entry === shownEntry}
              total={view.isComplete ? view.count : -1}
              top={index * height}
              height={height}
            />
          );
        })}
      </ol>
      {children}
      <End view={view} onRetry={() => feed.retry()} />
    </RecordBeside>
  );
}

function End({ view, onRetry }: { view: FeedView; onRetry: () => void }) {
  if (view.count === 0 && view.error === null) return null;
  return (
    <div className={`muted small centered pad ${styles['end']}`}>
      {view.error !== null ? (
        <Failure error={view.error} onRetry={onRetry} />
      ) : view.isComplete ? (
        'No older records'
      ) : (
        'Loading older records'
      )}
    </div>
  );
}

/** Moves the focus to the next row when the focused row is removed, also by another page. */
function useFocusAfterForgetting({
  activeKey,
  activeIndex,
  count,
  focusRow,
}: {
  activeKey: string | null;
  activeIndex: number | null;
  count: number;
  focusRow: (index: number) => void;
}): void {
  const seen = useRef<number | null>(null);
  useEffect(() => {
    if (activeIndex === null && activeKey !== null && seen.current !== null) {
      const isLost = document.activeElement === document.body;
      if (isLost && count > 0) focusRow(Math.min(seen.current, count - 1));
    }
    seen.current = activeIndex;
  });
}

function isFirstOfDay(view: FeedView, index: number): boolean {
  const own = view.entryAt(index)?.item.createdAtEpoch;
  const before = index === 0 ? undefined : view.entryAt(index - 1)?.item.createdAtEpoch;
  return own !== undefined && (before === undefined || startOfDay(own) !== startOfDay(before));
}

/** Scrolls by the height of rows that were added above, before the next paint. */
function useScrollCompensation(moved: number, feed: Feed, { sync }: FixedRows): void {
  const seen = useRef({ feed, moved });
  const onScrolled = useEffectEvent(sync);
  useLayoutEffect(() => {
    const by = seen.current.feed === feed ? moved - seen.current.moved : 0;
    seen.current = { feed, moved };
    const scroller = scrollerOfPage();
    if (by === 0 || scroller === null) return;
    scroller.scrollTop += by;
    onScrolled();
  }, [moved, feed]);
}
