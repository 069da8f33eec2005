import { useNavigate, useSearch } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/Button.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { NoAnswer } from '../../ui/NoAnswer.js';
import { Page } from '../../ui/Page.js';
import { StaleNotice } from '../../ui/StaleNotice.js';
import { scrollerOfPage } from '../../ui/use-list-top.js';
import { LogFilters } from './LogFilters.js';
import { LogList } from './LogList.js';
import type { LogWindow } from './log-window.js';
import { dayOf, levelOf } from './format-log.js';
import { useLog, type LogFilter } from './use-log.js';

/** The log of the worker. New lines appear while the newest lines are visible. */
export function LogsPage() {
  const navigate = useNavigate();
  const { date: day, level, q } = useSearch({ from: '/logs' });
  const date = dayOf(day);
  const selectedLevel = levelOf(level);
  const filter: LogFilter = {
    ...(date !== undefined && { date }),
    ...(selectedLevel !== null && { level: selectedLevel }),
    ...(q !== undefined && { text: q }),
  };
  const [isPaused, setPaused] = useState(false);
  const isAtTop = useIsAtTop();
  const [hasNewer, setHasNewer] = useState(false);
  const isLive = !isPaused && isAtTop && !hasNewer && date === undefined;
  const { query, older, readNewest } = useLog(filter, { isLive });
  const log = query.data;
  if (log !== undefined && log.hasNewer !== hasNewer) setHasNewer(log.hasNewer);

  const goToNewest = () => {
    setPaused(false);
    scrollerOfPage()?.scrollTo({ top: 0 });
    if (hasNewer) void readNewest();
  };
  return (
    <Page title="Logs" about="The log of the worker. The log contains no prompts and no tool results." isWide>
      <StaleNotice query={query} />
      <LogFilters
        filter={filter}
        dates={log?.dates ?? []}
        shownDate={log?.date}
        onChange={(search) => void navigate({ to: '/logs', search, replace: true })}
      />
      {date === undefined && log !== undefined && (
        <div className="toolbar row between muted small">
          <span role="status" data-live={isLive}>
            {isLive
              ? 'New lines appear automatically'
              : isPaused
                ? 'Paused'
                : 'Paused while you read older lines'}
          </span>
          {isLive ? (
            <Button variant="quiet" onClick={() => setPaused(true)}>
              Pause
            </Button>
          ) : (
            <Button onClick={goToNewest}>Go to the newest</Button>
          )}
        </div>
      )}
      {log === undefined ? (
        <NoAnswer query={query} />
      ) : log.items.length === 0 && log.olderCursor === null ? (
        <NothingHere log={log} filter={filter} />
      ) : (
        <LogList
          key={`${log.date}\n${level}\n${q}`}
          log={log}
          isReading={older.isPending}
          problem={older.error}
          onOlder={() => {
            if (!older.isPending) older.mutate();
          }}
        />
      )}
    </Page>
  );
}

function NothingHere({ log, filter }: { log: LogWindow; filter: LogFilter }) {
  const isFiltered = filter.level !== undefined || filter.text !== undefined;
  return (
    <EmptyState icon={ScrollText} title={isFiltered ? 'No matching lines' : 'No lines on this day'}>
      {isFiltered ? (
        'Select a lower level, less text or another day.'
      ) : (
        <>
          The worker logs errors and regular tasks. For more details, set <code>CLAUDE_MEM_LOG_LEVEL</code> to{' '}
          <code>debug</code>. {log.dates.length > 1 && 'Other days have lines.'}
        </>
      )}
    </EmptyState>
  );
}

/** Returns true while the newest lines are visible. */
function useIsAtTop(): boolean {
  const [isAtTop, setAtTop] = useState(true);
  useEffect(() => {
    const element = scrollerOfPage();
    if (element === null) return undefined;
    const updateIsAtTop = () => setAtTop(element.scrollTop < NEAR_TOP);
    updateIsAtTop();
    element.addEventListener('scroll', updateIsAtTop, { passive: true });
    return () => element.removeEventListener('scroll', updateIsAtTop);
  }, []);
  return isAtTop;
}

const NEAR_TOP = 24;
