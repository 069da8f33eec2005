import { Meter } from '@base-ui/react/meter';
import type { Ceiling, DayBudget } from '@claude-mem/core';
import { Link } from '@tanstack/react-router';
import { formatCount, formatDollars } from '../../format/format-number.js';
import { Ago } from '../../ui/Ago.js';
import { Card } from '../../ui/Card.js';
import { Moment } from '../../ui/Moment.js';
import styles from './UsagePage.module.css';

/** What is gone of today's budget, what is left, and when there is a new one. */
export function BudgetMeters({ today, isPaused }: { today: DayBudget; isPaused: boolean }) {
  return (
    <Card title="Today" actions={<Link to="/settings">Change the budget</Link>}>
      <div className={styles['meters']}>
        <Budget name="Calls" ceiling={today.calls} format={formatCount} />
        <Budget name="Tokens" ceiling={today.tokens} format={formatCount} />
        <Budget name="Estimated cost" ceiling={today.usd} format={formatDollars} />
      </div>
      <p className={styles['note']}>
        {isPaused && 'Events wait until then, and none is lost. '}The next day, with a new budget, begins at{' '}
        <Moment epoch={today.freeAtEpoch} hasDay={false} /> (
        <Ago epoch={today.freeAtEpoch} />
        ).
        {today.sessionTokens !== null &&
          ` One session may cost ${formatCount(today.sessionTokens)} tokens in all.`}
      </p>
    </Card>
  );
}

function Budget({
  name,
  ceiling: { spent, limit, left },
  format,
}: {
  name: string;
  ceiling: Ceiling;
  format: (value: number) => string;
}) {
  if (limit === null || left === null)
    return (
      <div className={styles['meter']}>
        <span className={styles['name']}>{name}</span>
        <span className={styles['amount']}>{format(spent)}</span>
        <span className={styles['left']}>no limit</span>
      </div>
    );
  const words = left === 0 ? 'used up' : `${format(left)} left`;
  const state = left === 0 ? 'over' : spent / limit >= NEARLY ? 'nearly' : 'fine';
  return (
    <Meter.Root
      className={styles['meter'] ?? ''}
      data-state={state}
      value={Math.min(spent, limit)}
      max={limit}
      getAriaValueText={() => `${format(spent)} of ${format(limit)}, ${words}`}
    >
      <Meter.Label className={styles['name'] ?? ''}>{name}</Meter.Label>
      <Meter.Value className={styles['amount'] ?? ''}>
        {() => `${format(spent)} of ${format(limit)}`}
      </Meter.Value>
      <span className={styles['left']}>{words}</span>
      <Meter.Track className={styles['track'] ?? ''}>
        <Meter.Indicator className={styles['indicator'] ?? ''} />
      </Meter.Track>
    </Meter.Root>
  );
}

const NEARLY = 0.8;
