import type { UsageRow } from '@claude-mem/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { healthQuery } from '../../api/health-query.js';
import { useRefresh } from '../../api/use-refresh.js';
import { formatCount, formatDollars } from '../../format/format-number.js';
import { Plot } from '../../plots/Plot.js';
import { fillDays } from '../../plots/plot-data.js';
import { Card } from '../../ui/Card.js';
import { ChoiceButtons } from '../../ui/ChoiceButtons.js';
import { NoAnswer } from '../../ui/NoAnswer.js';
import { Page } from '../../ui/Page.js';
import { StaleNotice } from '../../ui/StaleNotice.js';
import { observerPauseOf } from '../queue/format-queue.js';
import { BudgetMeters } from './BudgetMeters.js';
import { ExpensiveSessions } from './ExpensiveSessions.js';
import { ModelTable } from './ModelTable.js';
import { firstDayOf, usageQuery } from './usage-query.js';
import { callRows, costPlot, tokenRows } from './usage-rows.js';

const RANGES = [30, 90] as const;

/** The cost of the observer by day, model and session, and the remaining budget. */
export function UsagePage() {
  const [days, setDays] = useState<(typeof RANGES)[number]>(30);
  const [now] = useState(() => Date.now());
  const since = firstDayOf(days, now);
  const byDay = useQuery({ ...usageQuery('day-model', since), placeholderData: keepPreviousData });
  const byModel = useQuery({ ...usageQuery('provider', since), placeholderData: keepPreviousData });
  const bySession = useQuery({ ...usageQuery('session', since), placeholderData: keepPreviousData });
  const health = useQuery(healthQuery);
  useRefresh('usage', ({ type }) => type === 'queue-changed' || type === 'summary-created');

  if (byDay.data === undefined)
    return (
      <Page title="Usage">
        <NoAnswer query={byDay} />
      </Page>
    );
  const { items, total, today, note } = byDay.data;
  const pause = health.data === undefined ? null : observerPauseOf(health.data);
  // the range of the shown data, which differs from the selected one while the data loads
  const shownDays = byDay.isPlaceholderData ? (RANGES.find((range) => range !== days) ?? days) : days;
  return (
    <Page
      title="Usage"
      isWide
      about="What the observer used to read your sessions."
      actions={
        <ChoiceButtons
          label="Range"
          value={days}
          options={RANGES.map((value) => ({ value, label: `${value} days` }))}
          onChange={setDays}
        />
      }
    >
      <StaleNotice query={byDay} />
      {byDay.isPlaceholderData && <p role="status">Loading {days} days</p>}
      {total.calls === 0 && <NoCalls provider={health.data?.observer.provider} days={shownDays} />}
      <BudgetMeters today={today} isPaused={pause !== null && pause.isAll && pause.isBudget} />
      {total.calls > 0 && (
        <>
          <Totals total={total} days={shownDays} />
          <Plots items={items} days={shownDays} today={today.day} />
          <div className="stack">
            {byModel.data !== undefined && (
              <ModelTable rows={byModel.data.items} total={byModel.data.total} />
            )}
            {bySession.data !== undefined && <ExpensiveSessions rows={bySession.data.items} />}
          </div>
          <p className="muted small">{note}</p>
        </>
      )}
    </Page>
  );
}

function NoCalls({ provider, days }: { provider: string | undefined; days: number }) {
  if (provider === 'local')
    return (
      <Card title="No cost">
        <p className="measure">
          The built-in observer uses rules on this machine: no model, no key, no tokens, and no network. A
          model writes better texts, within the budget below. <Link to="/settings">Choose an observer</Link>
        </p>
      </Card>
    );
  return (
    <Card title={`No calls in ${days} days`}>
      <p className="measure">
        {provider === undefined || provider === '' ? 'The observer' : `The observer ${provider}`} is called
        when a turn ends. Unprocessed tool uses are in the <Link to="/queue">queue</Link>.
      </p>
    </Card>
  );
}

function Totals({ total, days }: { total: UsageRow; days: number }) {
  return (
    <dl className="columns tiny" aria-label={`In ${days} days`}>
      <Total name={`Calls in ${days} days`}>{formatCount(total.calls)}</Total>
      <Total name="Input tokens">{formatCount(total.inputTokens)}</Total>
      <Total name="Cached input">{formatCount(total.cachedTokens)}</Total>
      <Total name="Output tokens">{formatCount(total.outputTokens)}</Total>
      <Total name="Estimated cost">{formatDollars(total.estimatedCostUsd)}</Total>
    </dl>
  );
}

function Total({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <dt className="muted small">{name}</dt>
      <dd className="title">{children}</dd>
    </div>
  );
}

function Plots({ items, days, today }: { items: readonly UsageRow[]; days: number; today: string }) {
  const cost = costPlot(items);
  return (
    <div className="columns slim">
      <Card title="Calls by day">
        <Plot label="Calls by day" rows={fillDays(callRows(items), days, today)} series={CALL_SERIES} />
      </Card>
      <Card title="Tokens by day">
        <Plot label="Tokens by day" rows={fillDays(tokenRows(items), days, today)} series={TOKEN_SERIES} />
      </Card>
      <Card title="Estimated cost by day">
        {cost.series.length === 0 ? (
          <p className="measure">These calls had no cost.</p>
        ) : (
          <Plot
            label="Estimated cost by day"
            rows={fillDays(cost.rows, days, today)}
            series={cost.series}
            format={formatDollars}
          />
        )}
      </Card>
    </div>
  );
}

const CALL_SERIES = [
  { key: 'answered', label: 'answered', colour: 'var(--type-discovery)' },
  { key: 'failed', label: 'failed', colour: 'var(--danger)' },
];
const TOKEN_SERIES = [
  { key: 'fresh', label: 'input', colour: 'var(--type-discovery)' },
  { key: 'cached', label: 'cached input', colour: 'var(--type-refactor)' },
  { key: 'output', label: 'output', colour: 'var(--type-decision)' },
];
