import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, CalendarClock } from 'lucide-react';
import { useId, useLayoutEffect, useRef } from 'react';
import { useStreamEvent } from '../../api/use-stream.js';
import { formatDay } from '../../format/format-time.js';
import { byDay } from '../../records/by-day.js';
import { RecordCard } from '../../records/RecordCard.js';
import { recordKey, describeRecord } from '../../records/describe-record.js';
import { Button } from '../../ui/Button.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { NoAnswer } from '../../ui/NoAnswer.js';
import { Page } from '../../ui/Page.js';
import { StaleNotice } from '../../ui/StaleNotice.js';
import { timelineQuery } from './timeline-query.js';
import { useScrollAnchor } from './use-scroll-anchor.js';
import styles from './TimelinePage.module.css';

/** The records around a record or a time, oldest first. */
export function TimelinePage() {
  const { anchor } = useParams({ from: '/timeline/$anchor' });
  const { project } = useSearch({ from: '/timeline/$anchor' });
  const navigate = useNavigate();
  const answer = useInfiniteQuery(timelineQuery({ anchor, project }));
  const { data, refetch } = answer;
  const marked = useRef<HTMLLIElement>(null);
  const items = data?.pages.flatMap((part) => part.items) ?? [];
  const anchored = data?.pages.flatMap(({ items: entries, anchorIndex }) =>
    anchorIndex === null ? [] : (entries[anchorIndex] ?? []),
  )[0];
  const keepScrollPosition = useScrollAnchor(items[0] === undefined ? '' : recordKey(items[0]));
  const isThere = data !== undefined;

  useLayoutEffect(() => {
    if (isThere) marked.current?.scrollIntoView({ block: 'center' });
  }, [isThere, anchor, project]);
  useStreamEvent((event) => {
    if (event.type === 'stream-reset') void refetch();
  });

  const title = anchored === undefined ? 'Timeline' : `Around ${describeRecord(anchored).id}`;
  return (
    <Page
      title={title}
      about={
        project === undefined ? (
          'All projects'
        ) : (
          <>
            In {project}.{' '}
            <Link to="/timeline/$anchor" params={{ anchor }} replace>
              Show all projects
            </Link>
          </>
        )
      }
      actions={
        <MomentChoice
          onChoose={(moment) =>
            void navigate({
              to: '/timeline/$anchor',
              params: { anchor: moment },
              search: project === undefined ? {} : { project },
            })
          }
        />
      }
    >
      <StaleNotice query={answer} />
      {data === undefined && <NoAnswer query={answer} />}
      {data !== undefined && items.length === 0 && (
        <EmptyState icon={CalendarClock} title="No records around this time">
          The record may have been deleted. <Link to="/">Go to the feed</Link>
        </EmptyState>
      )}
      {answer.hasPreviousPage && (
        <Button
          className="middle"
          disabled={answer.isFetchingPreviousPage}
          focusableWhenDisabled
          onClick={() => {
            keepScrollPosition();
            void answer.fetchPreviousPage();
          }}
        >
          <ArrowUp aria-hidden size={15} /> Earlier
        </Button>
      )}
      {byDay(items).map(({ day, entries }) => (
        <section key={day} className={`stack gap-2 ${styles['day']}`} aria-label={formatDay(day)}>
          <h2 className="small">{formatDay(day)}</h2>
          <ol className="stack gap-2">
            {entries.map((entry) => (
              <li
                key={recordKey(entry)}
                ref={entry === anchored ? marked : null}
                className={entry === anchored ? styles['anchor'] : undefined}
                aria-current={entry === anchored ? 'true' : undefined}
              >
                <RecordCard entry={entry} hasDay={false} />
              </li>
            ))}
          </ol>
        </section>
      ))}
      {answer.hasNextPage && (
        <Button
          className="middle"
          disabled={answer.isFetchingNextPage}
          focusableWhenDisabled
          onClick={() => void answer.fetchNextPage()}
        >
          <ArrowDown aria-hidden size={15} /> Later
        </Button>
      )}
    </Page>
  );
}

/** A field that selects another day. */
function MomentChoice({ onChoose }: { onChoose: (moment: string) => void }) {
  const id = useId();
  return (
    <div className="row small">
      <label htmlFor={id}>Go to</label>
      <input
        id={id}
        type="date"
        onChange={({ target }) => {
          // the year starts with zeros while it is typed
          if (/^[1-9]\d{3}-/.test(target.value)) onChoose(target.value);
        }}
      />
    </div>
  );
}
