import { useQuery } from '@tanstack/react-query';
import type { HealthDetail } from '@claude-mem/worker-protocol';
import { CircleAlert, CircleCheck, CircleX, LoaderCircle } from 'lucide-react';
import { healthQuery } from '../../api/health-query.js';
import { statsQuery } from '../../api/stats-query.js';
import { Command } from '../../ui/Command.js';
import { NoAnswer } from '../../ui/NoAnswer.js';
import { Page } from '../../ui/Page.js';
import { StaleNotice } from '../../ui/StaleNotice.js';
import { formatStatus } from './format-health.js';
import { Parts } from './Parts.js';
import { ProblemList } from './ProblemList.js';

/** The state of the worker and its parts, with problems and suggested actions. */
export function HealthPage() {
  const health = useQuery({ ...healthQuery, refetchInterval: HEALTH_MS });
  const stats = useQuery({ ...statsQuery, refetchInterval: STATS_MS });
  if (health.data === undefined)
    return (
      <Page title="Health">
        <NoAnswer query={health} />
      </Page>
    );
  return (
    <Page title="Health" about="State of the worker and its parts, updated every few seconds.">
      <StaleNotice query={health} />
      <Overall health={health.data} />
      <ProblemList problems={health.data.problems} />
      <Parts health={health.data} stats={stats.data} />
      <p className="muted small">
        <Command>doctor</Command> also checks the hooks of each host, the programs on this machine, and a
        round trip from a hook to a record.
      </p>
    </Page>
  );
}

const ICONS = { good: CircleCheck, warning: CircleAlert, bad: CircleX, wait: LoaderCircle };

function Overall({ health }: { health: HealthDetail }) {
  const { tone, text } = formatStatus(health);
  const Icon = ICONS[tone];
  return (
    <div className="notice" data-tone={tone} role="status">
      <Icon aria-hidden size={22} />
      <div>
        <p className="title">{text}</p>
        {health.reason !== undefined && <p>{health.reason}</p>}
      </div>
    </div>
  );
}

const HEALTH_MS = 5_000;
const STATS_MS = 30_000;
