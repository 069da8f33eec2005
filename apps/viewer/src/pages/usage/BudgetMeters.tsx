import { Meter } from '@base-ui/react/meter';
import type { Ceiling, DayBudget } from '@claude-mem/core';
import { Link } from '@tanstack/react-router';
import { formatCount, formatDollars } from '../../format/format-number.js';
import { Ago } from '../../ui/Ago.js';
import { Card } from '../../ui/Card.js';
import { Moment } from '../../ui/Moment.js';

/** The used and remaining budget of today, and the time at which the next budget starts. */
export function BudgetMeters({ today, isPaused }: { today: DayBudget; isPaused: boolean }) {
  return (
    <Card title="Today" actions={<Link to="/settings">Change the budget</Link>}>
      <div className="columns tiny">
        <Budget name="Calls" ceiling={today.calls} format={formatCount} />
        <Budget name="Tokens" ceiling={today.tokens} format={formatCount} />
        <Budget name="Estimated cost" ceiling={today.usd} format={formatDollars} />
      </div>
      <p className="muted small">
        {isPaused && 'Events wait until then. No event is lost. '}The next day, with a new budget, begins at{' '}
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
      <div className="stack gap-1">
        <span className="muted small">{name}</span>
        <span className="row between">
          <strong>{format(spent)}</strong>
          <span className="muted small">no limit</span>
        </span>
      </div>
    );
  const leftText = left === 0 ? 'used up' : `${format(left)} left`;
  return (
    <Meter.Root
      className="stack gap-1"
      data-tone={left === 0 ? 'bad' : spent / limit >= WARNING_SHARE ? 'warning' : undefined}
      value={Math.min(spent, limit)}
      max={limit}
      getAriaValueText={() => `${format(spent)} of ${format(limit)}, ${leftText}`}
    >
      <Meter.Label className="muted small">{name}</Meter.Label>
      <span className="row between">
        <Meter.Value className="strong">{() => `${format(spent)} of ${format(limit)}`}</Meter.Value>
        <span className="small tone">{leftText}</span>
      </span>
      <Meter.Track className="bar">
        <Meter.Indicator />
      </Meter.Track>
    </Meter.Root>
  );
}

const WARNING_SHARE = 0.8;
